/** Every move that a drag can make, as a menu: to the ends of the panels, or above another story. */
import { t } from "../text/i18n";
import { Icon } from "../ui/icon";
import { Menu, type MenuItem } from "../ui/menu";
import { ACTIONS, atStory, menuItem, type At } from "./actions";
import type { Story } from "../model/types";
import type { Board } from "./model";

const ENDS = [ACTIONS.backlog_top, ACTIONS.backlog_bottom, ACTIONS.icebox_top];

/** The moves to the ends of the panels. */
export const endItems = (at: At): MenuItem[] => ENDS.map((action) => menuItem(action, at));

export function moveMenu(board: Board, { id, current_state }: Story) {
	if (!board.canWrite.value || current_state === "accepted") return null;
	const { words, icon } = ACTIONS.move;
	const items = () => {
		const at = atStory(board, id);
		return [...endItems(at), menuItem(ACTIONS.above, at)];
	};
	return (
		<Menu label={t(words)} items={items} class="quiet icon-only" align="right" tabIndex={-1}>
			{Icon({ name: icon })}
		</Menu>
	);
}
