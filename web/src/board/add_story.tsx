/** Where a new story is typed: in which list, and what of it was typed on an earlier page. */
import { useLayoutEffect } from "preact/hooks";
import { useBoard } from "./context";
import { open } from "../app/layout";
import { keepDrafts, readDrafts } from "../model/drafts";
import type { Board } from "./model";
import { AddStoryForm, type ListName } from "./parts";

/** Opens the line: in the Icebox if it is shown, otherwise in another panel. */
export function startAdding(board: Board): void {
	const shown = new Set(board.layout.peek().panels.map((p) => p.kind));
	const to = (["icebox", "backlog"] as const).find((kind) => shown.has(kind)) ?? "icebox";
	open(board.layout, { kind: to });
	board.adding.value = to;
	document.querySelector<HTMLElement>(".add-story textarea")?.focus();
}

/** What is kept of a title that is typed in a list; an empty one is dropped. */
export function keepTyped(board: Board, to: ListName, value: string): void {
	keepDrafts(`new.${board.id}`, value ? { [to]: { value, base: "" } } : {});
}

export function AddStory({ to }: { to: ListName }) {
	const board = useBoard();
	const isOpen = board.adding.value === to;
	useLayoutEffect(() => {
		if (readDrafts(`new.${board.id}`)[to]) board.adding.value ??= to;
	}, [board, to]);
	return isOpen ? <AddStoryForm to={to} /> : null;
}
