/**
 * Tells those who have the same project open which of its stories are open here, and in which one something is typed.
 * Nothing is told by a page that is hidden or not used, nor where nobody could hear of it. The server knows people, not
 * tabs: the tabs of a browser tell each other in which story something is typed, and which one is closed.
 */
import { effect } from "@preact/signals-core";
import { me } from "../app/session";
import { call } from "../api/http";
import { isLive } from "../model/hints";
import { listen, stopAll } from "../model/listen";
import type { Board } from "./model";

type State = "looking" | "typing";

const LOOK = 1_000;
/** The server forgets who has not said it again for 45 seconds. */
const AGAIN = 20_000;
/** From one change to the next. */
const PAUSE = 2_000;
/** After the last key. */
const TYPING = 8_000;
/** A page that nobody uses shows a story to nobody. */
const IDLE = 300_000;
/** Of many open stories, those that were opened last. */
const MOST = 5;

interface Said {
	state: State;
	at: number;
}

/** What others should know now. */
function wanted(board: Board, typed: ReadonlyMap<number, number>): Map<number, State> {
	const members = board.store.members.peek();
	const isIdle = Date.now() - (board.sync?.used ?? 0) > IDLE;
	if (!isLive.peek() || document.hidden || isIdle || members.size < 2 || !members.has(me.peek()?.id ?? 0))
		return new Map();
	const ids = board.opened.ids.peek().filter((id) => id > 0 && board.store.peek(id));
	return new Map(
		ids.slice(-MOST).map((id) => [id, Date.now() - (typed.get(id) ?? 0) < TYPING ? "typing" : "looking"] as const),
	);
}

/** The open story whose form has it. */
function storyOf(board: Board, node: Element): number | undefined {
	const form = node.closest(".form.story");
	const card = form?.closest<HTMLElement>("[data-story]");
	const ids = board.opened.ids.peek();
	return form ? ids.find((id) => !card || id === Number(card.dataset.story)) : undefined;
}

export function tellPresence(board: Board): () => void {
	const said = new Map<number, Said>();
	const typed = new Map<number, number>();
	const tabs = new BroadcastChannel("planwright-presence");
	const say = (id: number, state: State | "gone") => {
		const path = `/projects/${board.id}/stories/${id}/presence`;
		call("PUT", path, { state }, { keepalive: true }).catch(() => {});
	};
	const tell = (all: ReadonlyMap<number, State>) => {
		const now = Date.now();
		for (const [id, state] of all) {
			const last = said.get(id);
			const rest = last?.state === state ? AGAIN : PAUSE;
			if (last && now - last.at < rest) continue;
			said.set(id, { state, at: now });
			say(id, state);
		}
		for (const id of said.keys())
			if (!all.has(id)) {
				said.delete(id);
				if (board.store.peek(id)) say(id, "gone"); // a story that was deleted has nobody
				tabs.postMessage({ id, isGone: true });
			}
	};
	const look = () => tell(wanted(board, typed));
	const leave = () => tell(new Map());
	const input = ({ target }: Event) => {
		const id = target instanceof Element ? storyOf(board, target) : undefined;
		if (id === undefined) return;
		typed.set(id, Date.now());
		tabs.postMessage({ id });
		look();
	};
	tabs.onmessage = ({ data: { id, isGone } }: MessageEvent<{ id: number; isGone?: true }>) => {
		if (!isGone) typed.set(id, Date.now());
		else if (said.has(id)) setTimeout(() => said.delete(id), PAUSE); // behind what the other tab said
	};
	const timer = setInterval(look, LOOK);
	return stopAll(
		effect(() => {
			void [board.opened.ids.value, isLive.value];
			setTimeout(look);
		}),
		listen(document, "input", input),
		listen(document, "visibilitychange", look),
		listen(window, "pagehide", leave),
		() => clearInterval(timer),
		leave,
		() => tabs.close(),
	);
}
