/**
 * What is open in place belongs to its entry of the browser's history: who comes back finds it open. On a narrow
 * page, where a story takes the page, opening one is a step of its own, and Back closes it.
 */
import { effect } from "@preact/signals-core";
import { useEffect } from "preact/hooks";
import { listen, stopAll } from "../model/listen";
import type { Board } from "./model";
import { isNarrow } from "./panel_in_sight";

type Open = readonly (readonly [id: number, panel: string])[];

interface Entry {
	project: number;
	open: Open;
	/** Back from here closes a story. */
	isStep?: boolean;
}

/** Whoever loads a page anew begins with all closed. */
let isFresh =
	(performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming | undefined)?.type === "reload";

function entryOf(board: Board): Entry | null {
	const kept = history.state as Entry | null;
	return kept?.project === board.id && Array.isArray(kept.open) ? kept : null;
}

function openNow(board: Board): Open {
	return board.opened.ids.value.filter((id) => id > 0).map((id) => [id, board.opened.place(id).value ?? ""] as const);
}

function start(board: Board): () => void {
	const before = isFresh ? null : entryOf(board);
	isFresh = false;
	for (const [id, panel] of before?.open ?? []) board.opened.open(id, panel);
	let count = before?.open.length ?? 0;
	let isBack = false;
	const note = effect(() => {
		const open = openNow(board);
		const more = open.length - count;
		count = open.length;
		const step = { project: board.id, open, isStep: true };
		if (isNarrow.peek() && more > 0) history.pushState(step, "");
		else if (isNarrow.peek() && more < 0 && !isBack && entryOf(board)?.isStep) history.back();
		else history.replaceState({ ...step, isStep: entryOf(board)?.isStep ?? false }, "");
	});
	const passed = () => {
		if (!isNarrow.peek()) return;
		const kept = new Set((entryOf(board)?.open ?? []).map(([id]) => id));
		isBack = true;
		for (const id of board.opened.ids.peek()) if (!kept.has(id)) board.opened.close(id);
		isBack = false;
	};
	return stopAll(note, listen(window, "popstate", passed));
}

export function useKeptOpen(board: Board): void {
	useEffect(() => start(board), [board]);
}
