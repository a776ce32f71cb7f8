/** Cards and panels can be dragged as soon as the first ones are painted: what does it is loaded behind them. */
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import type { Board } from "./model";
import { dragging } from "./parts";

/** `root`: of several boards side by side, where this one is. */
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
