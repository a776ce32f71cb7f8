/** Where a new story is being typed: in which list, and what was typed there before the page was reloaded. */
import { useLayoutEffect } from "preact/hooks";
import { useBoard } from "./context";
import { open } from "../app/layout";
import { readText } from "../model/drafts";
import type { Board } from "./model";
import { AddStoryForm, type ListName } from "./lazy_parts";

/** Opens the line in which to type: in the Icebox if it is shown, otherwise in another panel. */
export function startAdding(board: Board): void {
	const shown = new Set(board.layout.peek().panels.map((p) => p.kind));
	const to = (["icebox", "backlog"] as const).find((kind) => shown.has(kind)) ?? "icebox";
	open(board.layout, { kind: to });
	board.adding.value = to;
	document.querySelector<HTMLElement>(".add-story textarea")?.focus();
}

/** The key of the titles that are being typed, by list. */
export const newOf = (board: Board) => `new.${board.id}`;

export function AddStory({ to }: { to: ListName }) {
	const board = useBoard();
	const isOpen = board.adding.value === to;
	useLayoutEffect(() => {
		if (readText(newOf(board), to)) board.adding.value ??= to;
	}, [board, to]);
	return isOpen ? <AddStoryForm to={to} /> : null;
}
