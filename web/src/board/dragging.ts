/** Cards and panels can be dragged as soon as the first ones are painted: the code is loaded after that. */
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import type { Board } from "./model";
import { dragging } from "./lazy_parts";

/** `root`: if several boards are next to each other, where this one is. */
export function useDrags(board: Board, root?: RefObject<HTMLElement | null>): void {
	const isPainted = board.store.current.value !== null;
	useEffect(() => {
		if (!isPainted) return;
		let stop: (() => void) | null | undefined;
		dragging.load().then(
			(start) => {
				if (stop === undefined) stop = start(board, root?.current ?? document);
			},
			() => {},
		);
		return () => {
			stop?.();
			stop = null;
		};
	}, [board, root, isPainted]);
}
