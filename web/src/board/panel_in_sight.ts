/** On a narrow page one panel is in view: finds out which one, after a swipe, a scroll or an opened panel. */
import { signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { opened, type Panel } from "../app/layout";
import { listen, stopAll } from "../model/listen";
import type { Board } from "./model";
import { panelKey } from "./panel";

const NARROW = matchMedia("(max-width: 799px)");
/** The heading is at least this high, in pixels. */
const HEAD = 40;

export const isNarrow = signal(NARROW.matches);
NARROW.addEventListener("change", () => (isNarrow.value = NARROW.matches));

const seen = new WeakMap<Board, ReturnType<typeof signal<string | null>>>();

/** The key of the panel in view. */
export function sightOf(board: Board) {
	let sight = seen.get(board);
	if (!sight) seen.set(board, (sight = signal<string | null>(null)));
	return sight;
}

function isSeen(panel: Element, frame: DOMRect): boolean {
	const box = panel.getBoundingClientRect();
	const middle = frame.left + frame.width / 2;
	return box.left <= middle && box.right >= middle && box.bottom >= frame.top + HEAD && box.top + HEAD <= frame.bottom;
}

/** The panel that was asked for, as long as it is visible; otherwise the first visible one. */
function look(columns: Element, wanted: string | null): string | null {
	const frame = columns.getBoundingClientRect();
	const keys = [...columns.querySelectorAll<HTMLElement>("[data-panel]")]
		.filter((panel) => isSeen(panel, frame))
		.map((panel) => panel.dataset.panel!);
	return wanted !== null && keys.includes(wanted) ? wanted : (keys[0] ?? null);
}

/** Watches the columns of a board. */
export function useSight(board: Board, columns: RefObject<HTMLElement | null>): void {
	const last: Panel | null = opened.value?.layout === board.layout ? opened.value.panel : null;
	const shown = board.layout.value;
	const { loaded, tick } = board.store;
	const turn = loaded.value.size + tick.value; // panels get their heights when stories arrive
	const narrow = isNarrow.value;
	// After a swipe, the panel that was opened last is no longer preferred.
	const leftFor = useRef<Panel | null>(null);
	useEffect(() => {
		const node = columns.current;
		const sight = sightOf(board);
		if (!node || !narrow) return;
		let wanted = last !== leftFor.current ? last && panelKey(last) : null;
		const see = () => (sight.value = look(node, wanted));
		const touched = () => {
			wanted = null;
			leftFor.current = last;
		};
		const timer = setTimeout(see);
		return stopAll(
			() => clearTimeout(timer),
			listen(node, "scroll", see, { capture: true, passive: true }),
			listen(node, "pointerdown wheel", touched, { passive: true }),
		);
	}, [board, columns, last, shown, turn, narrow]);
}
