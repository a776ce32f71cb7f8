/** A panel: a region of the board with a heading, tools, and a scrolling list. */
import type { ComponentChildren } from "preact";
import { PanelProvider, useBoard } from "./context";
import { Icon } from "../ui/icon";
import { Menu, type MenuItem } from "../ui/menu";
import { t } from "../text/i18n";
import { density, DENSITIES } from "../app/density";
import { resize, shift, toggle, type Panel } from "../app/layout";
import type { Board } from "./model";

export function panelKey(panel: Panel): string {
	return panel.arg === undefined ? panel.kind : `${panel.kind}:${panel.arg}`;
}

/** The region's name. */
export function panelName(board: Board, panel: Panel): string {
	const id = Number(panel.arg);
	switch (panel.kind) {
		case "label":
			return board.store.labels.value.get(id)?.name ?? t("panel.gone");
		case "epic":
			return board.store.epics.value.find((e) => e.id === id)?.name ?? t("panel.gone");
		case "person":
			return board.store.members.value.get(id)?.name ?? t("panel.gone");
		default:
			return t(`panel.${panel.kind}`);
	}
}

const STEP = 60;

function items(board: Board, panel: Panel): MenuItem[] {
	const { layout } = board;
	const width = panel.width ?? 380;
	const list: MenuItem[] = [
		{ label: t("panel.left"), act: () => shift(layout, panel, -1) },
		{ label: t("panel.right"), act: () => shift(layout, panel, 1) },
		{ label: t("panel.wider"), act: () => resize(layout, panel, width + STEP) },
		{ label: t("panel.narrower"), act: () => resize(layout, panel, width - STEP) },
		{ label: t("panel.reset"), act: () => resize(layout, panel, undefined) },
	];
	if (panel.kind === "current" || panel.kind === "backlog") {
		const { joined, panels } = layout.peek();
		list.push({
			label: joined ? t("panel.split") : t("panel.join"),
			act: () => {
				layout.value = { joined: !joined, panels };
			},
		});
	}
	for (const word of DENSITIES)
		list.push({ label: t(`density.${word}`), checked: density.peek() === word, act: () => (density.value = word) });
	return list;
}

interface PanelProps {
	panel: Panel;
	/** After the name: how much is in the panel. */
	sum?: ComponentChildren;
	/** Tools before Close. */
	tools?: ComponentChildren;
	/** Stays in place while the list scrolls. */
	above?: ComponentChildren;
	children: ComponentChildren;
}

export function PanelFrame({ panel, sum, tools, above, children }: PanelProps) {
	const board = useBoard();
	const name = panelName(board, panel);
	const label = board.place ? `${board.store.project.value?.name}: ${name}` : name;
	return (
		<section class={`panel panel-${panel.kind}`} aria-label={label} data-panel={panelKey(panel)}>
			<header class="panel-head">
				<h2>{name}</h2>
				<span class="sum">{sum}</span>
				{tools}
				<Menu label={t("panel.menu")} items={() => items(board, panel)} class="quiet icon-only" align="right">
					<Icon name="more" />
				</Menu>
				<button
					type="button"
					class="quiet icon-only"
					aria-label={t("close")}
					title={t("close")}
					onClick={() => toggle(board.layout, panel)}
				>
					<Icon name="close" />
				</button>
			</header>
			{above}
			<div class="panel-body">
				<PanelProvider value={panelKey(panel)}>{children}</PanelProvider>
			</div>
		</section>
	);
}

export function AddButton({ to }: { to: "backlog" | "icebox" }) {
	const board = useBoard();
	if (!board.canWrite.value) return null;
	return (
		<button
			type="button"
			class="quiet icon-only"
			aria-label={t("add_to", { name: t(`panel.${to}`) })}
			title={t("add_story")}
			onClick={() => {
				board.adding.value = to;
			}}
		>
			<Icon name="plus" />
		</button>
	);
}

/** Shown where a panel has nothing in it. */
export function Empty({ children }: { children: ComponentChildren }) {
	return <p class="empty">{children}</p>;
}
