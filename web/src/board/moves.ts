/** Moves stories: by a menu, by keys, by a drop. */
import { t } from "../text/i18n";
import { warn } from "../app/toast";
import { move } from "../model/commands";
import { findSection, flat, type Place, type Section } from "../model/order";
import { refusalOf } from "./drop";
import { focusCard, focusedCard, shownIds } from "./focus";
import type { Board } from "./model";

/** The story; if it is one of the selected stories, all of those. */
export function movedWith(board: Board, id: number): number[] {
	if (!board.selection.ids.peek().has(id)) return [id];
	return board.selection.inOrder(flat(board.store.order.peek()));
}

/**
 * Accepted stories stay; the others keep their order. An impossible move is reported; one that changes nothing is not
 * sent.
 */
export function moveAll(board: Board, all: readonly number[], place: Place, section: Section): void {
	const moved = all.flatMap((id) => board.store.peek(id) ?? []).filter((s) => s.current_state !== "accepted");
	const refusal = refusalOf(moved, section);
	if (refusal) return warn(t(refusal));
	const ids = moved.map((s) => s.id);
	const order = board.store.order.peek();
	if (JSON.stringify(move(board.store, ids, place, section).reorder!(order, ids)) === JSON.stringify(order)) return;
	board.doMany(ids, (some, last) => move(board.store, some, last === undefined ? place : { after: last }, section));
}

/** In a project planned by hand, crossing the border of Current is a step of its own. */
function bordering(board: Board, id: number, anchor: number | undefined, up: boolean): [Place, Section] | null {
	const order = board.store.order.peek();
	const section = anchor === undefined ? null : findSection(order, anchor);
	if (board.store.project.peek()?.automatic_planning !== false) return null;
	if (up && order.backlog.includes(id) && section !== "backlog")
		return [{ group: "current", end: "bottom" }, "planned"];
	if (!up && order.planned.includes(id) && section !== "planned") return [{ group: "backlog", end: "top" }, "backlog"];
	return null;
}

export type Shift = "up" | "down" | "top" | "bottom";

/**
 * Moves past the story above or below, which may be in the next panel, or to the end of the part of the panel that
 * stories of its kind may be in. The story's card has the focus.
 */
export function shift(board: Board, id: number, to: Shift): void {
	const { store } = board;
	const card = focusedCard()!;
	const { done, work, planned, backlog } = store.order.peek();
	const step = to === "up" || to === "down";
	const open = flat({ done: [], work, planned, backlog, icebox: [] });
	const all = step && open.includes(id) && card.closest(".panel-current, .panel-backlog") ? open : shownIds(card);
	const ids = movedWith(board, id);
	const moved = new Set(ids);
	const rest = all.filter(
		(n) => !moved.has(n) && !done.includes(n) && (step || work.includes(n) === work.includes(id)),
	);
	const at = rest.filter((n) => all.indexOf(n) < all.indexOf(id)).length;
	const before = to === "up" || to === "top";
	const anchor = rest[{ up: at - 1, down: at, top: 0, bottom: rest.length - 1 }[to]];
	const border = step && bordering(board, id, anchor, before);
	if (border) moveAll(board, ids, ...border);
	else if (anchor === undefined) return;
	else moveAll(board, ids, before ? { before: anchor } : { after: anchor }, findSection(store.order.peek(), anchor)!);
	requestAnimationFrame(() => focusCard(document.querySelector(`[data-story="${id}"]`)));
}
