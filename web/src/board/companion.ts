/** What accompanies an open board: drags, previews, and telling others what is open. Its code loads after the first panel. */
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import type { Board } from "./model";
import type { Companion } from "./lazy_parts";

/** Runs it from when the board is painted that far. `root`: if several boards are next to each other, where this one is. */
export function useCompanion(
	companion: Companion,
	board: Board,
	isPainted = board.store.current.value !== null,
	root?: RefObject<HTMLElement | null>,
): void {
	useEffect(() => {
		if (!isPainted) return;
		let stop: (() => void) | null | undefined;
		companion.load().then(
			(start) => {
				if (stop === undefined) stop = start(board, root?.current ?? undefined);
			},
			() => {},
		);
		return () => {
			stop?.();
			stop = null;
		};
	}, [companion, board, root, isPainted]);
}
