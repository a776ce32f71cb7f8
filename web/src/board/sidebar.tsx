/** The bar with a button for each standing panel, and links to the project's other pages. */
import { t } from "../text/i18n";
import { shownOne } from "../app/layout";
import { Icon } from "../ui/icon";
import { atBoard, PANELS, perform } from "./actions";
import type { Board } from "./model";

export function SideBar({ board }: { board: Board }) {
	const { panels } = board.layout.value;
	return (
		<nav class="sidebar" aria-label={t("panels")}>
			{PANELS.map((action) => (
				<button
					key={action.panel}
					type="button"
					aria-pressed={shownOne(panels, action.panel) !== undefined}
					onClick={() => perform(action, atBoard(board))}
				>
					<Icon name={action.icon} />
					<span>{t(action.words)}</span>
				</button>
			))}
			<span class="spring" />
			<a href={`/projects/${board.id}/overview`}>
				<Icon name="chart" />
				<span>{t("overview")}</span>
			</a>
			<a href={`/projects/${board.id}/settings`}>
				<Icon name="settings" />
				<span>{t("settings")}</span>
			</a>
		</nav>
	);
}
