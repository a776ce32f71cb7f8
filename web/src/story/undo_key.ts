/** Ctrl+Z on a page that has no board around. */
import { startKeys } from "../app/keys";
import type { Board } from "../board/model";

export function startUndo(board: Board): () => void {
	return startKeys({
		undo: () => {
			board.takeBack();
			return true;
		},
	});
}
