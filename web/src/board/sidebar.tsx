/** The bar with a button for each permanent panel, and links to the project's other pages. */
import { signal } from "@preact/signals-core";
import { t } from "../text/i18n";
import { shownOne, type PanelKind } from "../app/layout";
import { Icon } from "../ui/icon";
import { atBoard, PANELS, perform } from "./actions";
import type { Board } from "./model";
import { isNarrow, sightOf } from "./panel_in_sight";

/** Whether the panel is shown; on a narrow page, which shows one panel: whether it is that one. */
function isLit(board: Board, kind: PanelKind): boolean {
	if (isNarrow.value) return sightOf(board).value?.split(":")[0] === kind;
	return shownOne(board.layout.value.panels, kind) !== undefined;
}

const FOLDED = "planwright.sidebar";
const isFolded = signal(localStorage.getItem(FOLDED) !== null);

function fold(): void {
	isFolded.value = !isFolded.peek();
	if (isFolded.peek()) localStorage.setItem(FOLDED, "1");
	else localStorage.removeItem(FOLDED);
}

export function SideBar({ board }: { board: Board }) {
	return (
		<nav class={isFolded.value ? "sidebar is-folded" : "sidebar"} aria-label={t("panels")}>
			{PANELS.map((action) => (
				<button
					key={action.panel}
					type="button"
					aria-pressed={isLit(board, action.panel)}
					title={isFolded.value ? t(action.words) : undefined}
					onClick={() => perform(action, atBoard(board))}
				>
					<Icon name={action.icon} />
					<span>{t(action.words)}</span>
				</button>
			))}
			<span class="spring" />
			<button
				type="button"
				class="folder"
				aria-label={t(isFolded.value ? "sidebar.unfold" : "sidebar.fold")}
				aria-expanded={!isFolded.value}
				onClick={fold}
			>
				<Icon name={isFolded.value ? "right" : "left"} />
			</button>
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
