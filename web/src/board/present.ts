/** Who else is at a story. What tells others, and what draws them, is loaded behind the first panel. */
import { signal, type Signal } from "@preact/signals-core";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { Board } from "./model";

type Draw = (board: Board) => JSX.Element | null;

const drawn = new Map<number, Signal<Draw | null>>();

/** Draws those who are at the story; null: nobody is. Set by presence.tsx. */
export function presentAt(story: number): Signal<Draw | null> {
	let draw = drawn.get(story);
	if (!draw) drawn.set(story, (draw = signal(null)));
	return draw;
}

/** Tells others which stories are open on a board (tell_presence.ts), until what it returns is called. */
export const telling: { load: () => Promise<(board: Board) => () => void> } = {
	load: () => Promise.reject(new Error("a part without a place")),
};

export function usePresence(board: Board): void {
	const isPainted = board.store.current.value !== null;
	useEffect(() => {
		if (!isPainted) return;
		let stop: (() => void) | null | undefined;
		telling.load().then(
			(start) => {
				if (stop === undefined) stop = start(board);
			},
			() => {},
		);
		return () => {
			stop?.();
			stop = null;
		};
	}, [board, isPainted]);
}
