/** The keys of a board: app/keys.ts has the table, here is what each does. */
import type { Board } from "./model";
import { startAdding } from "./add_story";
import { takeStep } from "./card_buttons";
import { movedWith, moveTo } from "./move_menu";
import { shownIds } from "./card";
import { keepFocus } from "./roving";
import { startKeys as listen, type Action } from "../app/keys";
import { toggle, type PanelKind } from "../app/layout";
import { t } from "../text/i18n";
import { go } from "../app/router";
import { warn } from "../app/toast";
import { estimate } from "../model/commands";
import { findSection, flat, type Place, type Section } from "../model/order";
import { isEstimatable, scale, stepsOf } from "../model/states";

function focusedCard(): HTMLElement | null {
	keepFocus();
	return document.activeElement?.closest<HTMLElement>(".card") ?? null;
}

function focusCard(card: Element | null | undefined): void {
	card?.scrollIntoView({ block: "nearest" });
	card?.querySelector<HTMLElement>(".title")?.focus();
}

function panels(): HTMLElement[] {
	return [...document.querySelectorAll<HTMLElement>("[data-panel]")];
}

function walk(by: number): void {
	const card = focusedCard();
	const panel = card?.closest("[data-panel]") ?? panels()[0];
	const cards = [...(panel?.querySelectorAll(".card") ?? [])];
	focusCard(card ? cards[cards.indexOf(card) + by] : cards[0]);
}

/** To the next panel that has a card. */
function cross(by: number): void {
	const all = panels();
	const from = focusedCard()?.closest<HTMLElement>("[data-panel]");
	for (let at = (from ? all.indexOf(from) : -1) + by; at >= 0 && at < all.length; at += by) {
		const panel = all[at]!;
		const card = panel.querySelector(".card[data-stop]") ?? panel.querySelector(".card");
		if (!card) continue;
		panel.scrollIntoView({ inline: "nearest", block: "nearest" });
		focusCard(card);
		return;
	}
}

/** Planned by hand the border of Current is a step of its own. */
function bordering(board: Board, id: number, anchor: number | undefined, up: boolean): [Place, Section] | null {
	const order = board.store.order.peek();
	const section = anchor === undefined ? null : findSection(order, anchor);
	if (board.store.project.peek()?.automatic_planning !== false) return null;
	if (up && order.backlog.includes(id) && section !== "backlog")
		return [{ group: "current", end: "bottom" }, "planned"];
	if (!up && order.planned.includes(id) && section !== "planned") return [{ group: "backlog", end: "top" }, "backlog"];
	return null;
}

/**
 * Past the story above or below, which may be in the next panel, or to the end of the panel that a
 * story of its kind can have.
 */
function shift(board: Board, id: number, to: "up" | "down" | "top" | "bottom"): void {
	const { store } = board;
	const card = focusedCard()!;
	const { done, work, planned, backlog } = store.order.peek();
	const step = to === "up" || to === "down";
	const open = flat({ done: [], work, planned, backlog, icebox: [] });
	const all = step && open.includes(id) && card.closest(".panel-current, .panel-backlog") ? open : shownIds(card);
	const moved = new Set(movedWith(board, id));
	const rest = all.filter(
		(n) => !moved.has(n) && !done.includes(n) && (step || work.includes(n) === work.includes(id)),
	);
	const at = rest.filter((n) => all.indexOf(n) < all.indexOf(id)).length;
	const before = to === "up" || to === "top";
	const anchor = rest[{ up: at - 1, down: at, top: 0, bottom: rest.length - 1 }[to]];
	if (done.includes(id)) return warn(t("drop.accepted_stays"));
	const border = step && bordering(board, id, anchor, before);
	if (border) moveTo(board, id, ...border);
	else if (anchor === undefined) return;
	else moveTo(board, id, before ? { before: anchor } : { after: anchor }, findSection(store.order.peek(), anchor)!);
	requestAnimationFrame(() => focusCard(document.querySelector(`[data-story="${id}"]`)));
}

function onCard(board: Board, act: (id: number, card: HTMLElement) => void): () => boolean {
	return () => {
		const card = focusedCard();
		if (!card || !board.store.peek(Number(card.dataset.story))) return false;
		act(Number(card.dataset.story), card);
		return true;
	};
}

function take(board: Board, id: number, last: boolean): void {
	const steps = stepsOf(board.store.peek(id)!);
	const wanted = last ? steps.find((s) => s.name === "reject") : steps[0];
	if (wanted && board.canWrite.peek()) takeStep(board, id, wanted);
}

function points(board: Board, id: number, n: number): void {
	const project = board.store.project.peek();
	const story = board.store.peek(id)!;
	if (!project || !board.canWrite.peek() || !isEstimatable(project, story.story_type)) return;
	if (scale(project).includes(n)) board.do(estimate(board.store, id, n));
}

function show(board: Board, kind: PanelKind): () => boolean {
	return () => {
		toggle(board.layout, { kind });
		return true;
	};
}

const always = (act: () => void) => () => {
	act();
	return true;
};

export function startKeys(board: Board): () => void {
	const actions: Partial<Record<Action, (key: string) => boolean>> = {
		add: always(() => startAdding(board)),
		search: always(() => document.querySelector<HTMLElement>(".search input")?.focus()),
		next: always(() => walk(1)),
		previous: always(() => walk(-1)),
		panel_left: always(() => cross(-1)),
		panel_right: always(() => cross(1)),
		open: onCard(board, (_, card) => card.querySelector<HTMLElement>(".title")?.click()),
		open_alone: onCard(board, (id) => go(`/story/show/${id}`)),
		select: onCard(board, (id) => board.selection.toggle(id)),
		select_none: () => {
			const some = board.selection.size.peek() > 0;
			board.selection.clear();
			return some;
		},
		select_down: onCard(board, (id, card) => {
			board.selection.has(id) || board.selection.toggle(id);
			walk(1);
			const next = focusedCard();
			if (next && next !== card) board.selection.extend(Number(next.dataset.story), shownIds(next));
		}),
		select_up: onCard(board, (id, card) => {
			board.selection.has(id) || board.selection.toggle(id);
			walk(-1);
			const next = focusedCard();
			if (next && next !== card) board.selection.extend(Number(next.dataset.story), shownIds(next));
		}),
		up: onCard(board, (id) => shift(board, id, "up")),
		down: onCard(board, (id) => shift(board, id, "down")),
		top: onCard(board, (id) => shift(board, id, "top")),
		bottom: onCard(board, (id) => shift(board, id, "bottom")),
		step: onCard(board, (id) => take(board, id, false)),
		reject: onCard(board, (id) => take(board, id, true)),
		move: onCard(board, (_, card) => card.querySelector<HTMLElement>(".side .menu button")?.click()),
		undo: always(() => board.takeBack()),
		work: show(board, "work"),
		current: show(board, "current"),
		backlog: show(board, "backlog"),
		icebox: show(board, "icebox"),
		done: show(board, "done"),
		epics: show(board, "epics"),
	};
	actions.estimate = (key) => onCard(board, (id) => points(board, id, Number(key)))();
	return listen(actions);
}
