/**
 * When one story changes, the whole backlog may be replanned. Visible iterations follow at once, the others a few
 * at a time, so that no change freezes the page.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { later } from "./blocks";
import type { Iteration } from "../model/plan";

/** Iterations that the browser lays out now, by the attribute data-iteration. */
const seen = new Set<Element>();

interface StateChange extends Event {
	skipped: boolean;
}

document.addEventListener("contentvisibilityautostatechange", (event) => {
	const node = event.target as Element;
	if ((event as StateChange).skipped) seen.delete(node);
	else seen.add(node);
});

function numbersSeen(): ReadonlySet<number> {
	const numbers = new Set<number>();
	for (const node of seen) {
		if (!node.isConnected) seen.delete(node);
		else numbers.add(Number((node as HTMLElement).dataset.iteration));
	}
	return numbers;
}

/** `only`: those that are seen, until it is over. */
export function useSettling(wanted: readonly Iteration[], only: boolean, step = 3): readonly Iteration[] {
	const shown = useRef<readonly Iteration[]>([]);
	const [, turn] = useState(0);
	const visible = numbersSeen();
	let room = step;
	let left = 0;
	shown.current = wanted.map((it, i) => {
		const was = shown.current[i];
		if (!was || was === it || was.span.number !== it.span.number) return it;
		if (visible.has(it.span.number)) return it;
		// If the browser does not say what is visible, the first ones are.
		if ((!only || visible.size === 0) && room > 0) {
			room--;
			return it;
		}
		left++;
		return was;
	});
	useEffect(() => {
		if (left === 0 || only) return;
		let stopped = false;
		later(() => {
			if (!stopped) turn((n) => n + 1);
		});
		return () => {
			stopped = true;
		};
	});
	return shown.current;
}
