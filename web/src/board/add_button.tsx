/** "Add story" of a board; its place is kept until it is known who may. */
import { t } from "../text/i18n";
import { Icon } from "../ui/icon";
import { startAdding } from "./add_story";
import type { Board } from "./model";

export function AddStoryButton({ board }: { board: Board }) {
	return (
		<button
			type="button"
			class={board.canWrite.value ? "primary" : "primary is-absent"}
			onClick={() => startAdding(board)}
		>
			<Icon name="plus" /> {t("add_story")}
		</button>
	);
}
