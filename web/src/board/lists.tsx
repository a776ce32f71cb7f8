/** The panels that are lists of stories: Current, Backlog, Icebox, and those that gather. */
import { useBoard } from "./context";
import { AddButton, Empty, PanelFrame } from "./panel";
import { AddStory } from "./add_story";
import { Accepted } from "./accepted_line";
import { Cards, IterationView } from "./iteration";
import { useChunks } from "./blocks";
import { useSettling } from "./gradual_iterations";
import { storiesPoints, t } from "../text/i18n";
import type { Panel } from "../app/layout";
import { me } from "../app/session";
import { blocked, myWork, ownedBy, withLabel } from "../model/mywork";
import type { Board } from "./model";

export function CurrentPanel({ panel }: { panel: Panel }) {
	const board = useBoard();
	const plan = board.store.plan.value;
	const it = plan?.iterations[plan.current];
	const { done } = board.store.order.value;
	const open = it?.ids.filter((id) => !done.includes(id)) ?? [];
	return (
		<PanelFrame panel={panel}>
			<AddStory to="current" />
			{it && (
				<IterationView iteration={it} ids={board.folds.on.value ? open : it.ids}>
					<Accepted n={it.ids.length - open.length} />
				</IterationView>
			)}
			{it?.ids.length === 0 && <Empty>{t("empty.current")}</Empty>}
		</PanelFrame>
	);
}

export function BacklogPanel({ panel }: { panel: Panel }) {
	const board = useBoard();
	const plan = board.store.plan.value;
	const wanted = plan?.iterations.slice(plan.current + 1) ?? [];
	const coming = useSettling(wanted, board.store.preview.value !== null);
	const shown = useChunks(coming.length, 3, 8);
	const points = wanted.reduce((sum, it) => sum + it.points, 0);
	const complete = board.store.loaded.value.has("backlog");
	return (
		<PanelFrame panel={panel} sum={complete && t("points", { n: points })} tools={<AddButton to="backlog" />}>
			<AddStory to="backlog" />
			{coming.slice(0, shown).map((it) => (
				<IterationView key={it.span.number} iteration={it} ids={it.ids} />
			))}
			{complete && coming.length === 0 && <Empty>{t("empty.backlog")}</Empty>}
		</PanelFrame>
	);
}

export function IceboxPanel({ panel }: { panel: Panel }) {
	const board = useBoard();
	const ids = (board.store.preview.value ?? board.store.order.value).icebox;
	const shown = useChunks(Math.ceil(ids.length / 10), 2, 4);
	const complete = board.store.loaded.value.has("icebox");
	return (
		<PanelFrame panel={panel} sum={complete && t("drag.count", { n: ids.length })} tools={<AddButton to="icebox" />}>
			<AddStory to="icebox" />
			<Cards ids={ids} most={shown} />
			{complete && ids.length === 0 && <Empty>{t("empty.icebox")}</Empty>}
		</PanelFrame>
	);
}

/** Those of the stories that are here which a panel gathers. */
function gather(board: Board, panel: Panel): number[] {
	const order = board.store.order.value;
	board.store.tick.value;
	const look = (id: number) => board.store.peek(id);
	const id = Number(panel.arg);
	switch (panel.kind) {
		case "work":
			return myWork(order, look, me.value?.id ?? 0);
		case "blocked":
			return blocked(order, look);
		case "person":
			return ownedBy(order, look, id);
		case "label":
			return withLabel(order, look, id);
		default: {
			const label = board.store.epics.value.find((e) => e.id === id)?.label_id;
			return label ? withLabel(order, look, label) : [];
		}
	}
}

export function GatheredPanel({ panel }: { panel: Panel }) {
	const board = useBoard();
	const ids = gather(board, panel);
	const points = ids.reduce((sum, id) => sum + (board.store.peek(id)?.estimate ?? 0), 0);
	const shown = useChunks(Math.ceil(ids.length / 10), 2, 4);
	const empty = panel.kind === "work" ? "empty.work" : panel.kind === "blocked" ? "empty.blocked" : "empty.found";
	return (
		<PanelFrame panel={panel} sum={storiesPoints(ids.length, points)}>
			<Cards ids={ids} most={shown} />
			{ids.length === 0 && <Empty>{t(empty)}</Empty>}
		</PanelFrame>
	);
}
