/** The project's labels, with how many stories of the board have each. */
import { useBoard } from "./context";
import { Empty, PanelFrame } from "./panel";
import { locale, t } from "../text/i18n";
import { open, type Panel } from "../app/layout";
import type { Board } from "./model";

function counts(board: Board): Map<number, number> {
	const found = new Map<number, number>();
	for (const story of board.store.all()) for (const id of story.label_ids) found.set(id, (found.get(id) ?? 0) + 1);
	return found;
}

export default function LabelsPanel({ panel }: { panel: Panel }) {
	const board = useBoard();
	board.store.tick.value;
	const by = counts(board);
	const labels = [...board.store.labels.value.values()].sort((a, b) => a.name.localeCompare(b.name, locale));
	return (
		<PanelFrame panel={panel} sum={t("labels_n", { n: labels.length })}>
			<ul class="rows">
				{labels.map(({ id, name }) => (
					<li key={id} class="row">
						<button type="button" class="title" onClick={() => open(board.layout, { kind: "label", arg: String(id) })}>
							{name}
						</button>
						<span class="sum">{t("drag.count", { n: by.get(id) ?? 0 })}</span>
					</li>
				))}
			</ul>
			{labels.length === 0 && <Empty>{t("empty.labels")}</Empty>}
		</PanelFrame>
	);
}
