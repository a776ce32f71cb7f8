/** The bar with a button for each standing panel, and links to the project's other pages. */
import type { Signal } from "@preact/signals";
import { t } from "../text/i18n";
import { open, samePanel, toggle, type Layout, type Panel, type PanelKind } from "../app/layout";
import { Icon, type IconName } from "../ui/icon";
import type { Board } from "./model";

const ROWS: readonly [PanelKind, IconName][] = [
	["work", "work"],
	["current", "current"],
	["backlog", "backlog"],
	["icebox", "icebox"],
	["done", "done"],
	["epics", "epics"],
	["blocked", "blocked"],
	["labels", "label"],
	["history", "history"],
	["search", "search"],
];

/** There is one search at a time, whatever it looks for. */
function shownOne(panels: readonly Panel[], kind: PanelKind): Panel | undefined {
	return panels.find((p) => (kind === "search" ? p.kind === kind : samePanel(p, { kind })));
}

/** On a narrow page only one panel is seen: the button shows it rather than take it away. */
function press(layout: Signal<Layout>, kind: PanelKind): void {
	const panel = shownOne(layout.peek().panels, kind) ?? { kind };
	if (matchMedia("(max-width: 799px)").matches) open(layout, panel);
	else toggle(layout, panel);
}

export function SideBar({ board }: { board: Board }) {
	const { panels } = board.layout.value;
	return (
		<nav class="sidebar" aria-label={t("panels")}>
			{ROWS.map(([kind, icon]) => (
				<button
					key={kind}
					type="button"
					aria-pressed={shownOne(panels, kind) !== undefined}
					onClick={() => press(board.layout, kind)}
				>
					<Icon name={icon} />
					<span>{t(`panel.${kind}` as "panel.current")}</span>
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
