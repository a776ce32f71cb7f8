/** Opens a story or an epic in place on its board, and scrolls it into view. */
import { effect } from "@preact/signals";
import { loadTexts, t } from "../text/i18n";
import { open, type Panel } from "../app/layout";
import { warn } from "../app/toast";
import type { Board } from "../board/model";
import { panelKey } from "../board/panel";

const PATIENCE = 5_000;

/** Resolves when look() is true. */
function when(look: () => boolean): Promise<void> {
	return new Promise((resolve) => {
		const stop = effect(() => {
			if (!look()) return;
			queueMicrotask(() => {
				stop();
				resolve();
			});
		});
	});
}

function bring(selector: string, until: number): void {
	const node = document.querySelector(selector);
	if (node) node.scrollIntoView({ block: "start", inline: "nearest" });
	else if (Date.now() < until) setTimeout(() => bring(selector, until), 50);
}

function show(board: Board, panel: Panel, selector: string): void {
	open(board.layout, panel);
	bring(`[data-panel="${CSS.escape(panelKey(panel))}"] ${selector}`, Date.now() + PATIENCE);
}

async function panelOf(board: Board, id: number): Promise<Panel | null> {
	const { store } = board;
	if (!store.peek(id)) await board.bring([id]);
	if (!store.peek(id)) return null;
	const plan = store.plan.peek();
	const at = plan?.iterations.findIndex((it) => it.ids.includes(id)) ?? -1;
	if (at >= 0) return { kind: at <= plan!.current ? "current" : "backlog" };
	if (store.order.peek().icebox.includes(id)) return { kind: "icebox" };
	return { kind: "search", arg: `id:${id} includedone:true` };
}

async function missing(words: "story.gone" | "epic.gone"): Promise<void> {
	await loadTexts("story");
	warn(t(words));
}

export async function reveal(
	board: Board,
	what: { story?: number | undefined; epic?: number | undefined },
): Promise<void> {
	const { store } = board;
	if (what.epic) {
		await when(() => store.project.value !== null);
		if (!store.epics.peek().some((e) => e.id === what.epic)) return missing("epic.gone");
		board.openedEpics.open(what.epic, "epics");
		show(board, { kind: "epics" }, `[data-epic="${what.epic}"]`);
		return;
	}
	const id = what.story!;
	const { plan, loaded, order } = store;
	// Which panel contains it is known once all lists are here, in whatever order they arrive.
	const isPlaced = () => order.value.done.includes(id) || (loaded.value.has("backlog") && loaded.value.has("icebox"));
	await when(() => plan.value !== null && isPlaced());
	const panel = await panelOf(board, id);
	if (panel) {
		board.opened.open(id, panelKey(panel));
		show(board, panel, `[data-story="${id}"]`);
	} else await missing("story.gone");
}
