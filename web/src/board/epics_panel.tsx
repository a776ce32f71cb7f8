/** The project's epics, with how much of each is done. */
import { useBoard } from "./context";
import { Empty, PanelFrame } from "./panel";
import { formatNumber, t } from "../app/i18n";
import { open, type Panel } from "../app/layout";
import { flat } from "../model/order";
import type { Epic } from "../model/types";

function EpicRow({ epic }: { epic: Epic }) {
	const board = useBoard();
	board.store.tick.value;
	const ids = flat(board.store.order.value).filter((id) =>
		board.store.peek(id)?.label_ids.includes(epic.label_id ?? 0),
	);
	const points = ids.reduce((sum, id) => sum + (board.store.peek(id)?.estimate ?? 0), 0);
	return (
		<li class="row" aria-label={epic.name}>
			<button
				type="button"
				class="title"
				onClick={() => open(board.layout, { kind: "epic", arg: String(epic.id) })}
			>
				{epic.name}
			</button>
			<span class="sum">{t("stories_points", { n: ids.length, points: formatNumber(points) })}</span>
		</li>
	);
}

export default function EpicsPanel({ panel }: { panel: Panel }) {
	const { epics } = useBoard().store;
	return (
		<PanelFrame panel={panel} sum={formatNumber(epics.value.length)}>
			<ul class="rows">
				{epics.value.map((epic) => (
					<EpicRow key={epic.id} epic={epic} />
				))}
			</ul>
			{epics.value.length === 0 && <Empty>{t("empty.epics")}</Empty>}
		</PanelFrame>
	);
}
