/** Who else is at a story. What draws them is loaded after the first panel. */
import { signal, type Signal } from "@preact/signals-core";
import type { JSX } from "preact";
import type { Board } from "./model";

type Draw = (board: Board) => JSX.Element | null;

const drawn = new Map<number, Signal<Draw | null>>();

/** Draws those who are at the story; null: nobody is. Set by presence.tsx. */
export function presentAt(story: number): Signal<Draw | null> {
	let draw = drawn.get(story);
	if (!draw) drawn.set(story, (draw = signal(null)));
	return draw;
}
