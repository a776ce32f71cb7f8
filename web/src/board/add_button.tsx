/** The "Add story" button of a board; its space is reserved until it is known whether the user may add stories. */
import { t } from "../text/i18n";
import { Icon } from "../ui/icon";
import { ACTIONS, atBoard, perform } from "./actions";
import type { Board } from "./model";

export function AddStoryButton({ board }: { board: Board }) {
	const { add } = ACTIONS;
	return (
		<button
			type="button"
			class={board.canWrite.value ? "primary" : "primary is-absent"}
			onClick={() => perform(add, atBoard(board))}
		>
			<Icon name={add.icon} /> {t(add.words)}
		</button>
	);
}
