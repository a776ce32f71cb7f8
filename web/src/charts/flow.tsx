/** How many stories or points were in each state, day by day, as stacked areas. */
import { formatNumber, t } from "../text/i18n";
import { FLOW, flow, type Day, type Measure } from "../model/history";
import { ChartFrame } from "./frame";
import { marksOf, placeOfDay } from "./places";

interface FlowProps {
	/** Begins with the day before the chart. */
	days: readonly Day[];
	measure: Measure;
	begins: ReadonlySet<number>;
}

export function Flow({ days, measure, begins }: FlowProps) {
	const rows = flow(days, measure);
	const shown = FLOW.filter((state) => state !== "unscheduled").filter(
		// "planned" is left out if the project never had planned stories.
		(state) => state !== "planned" || rows.some((r) => r.by.planned > 0),
	);
	return (
		<ChartFrame
			chart={{
				title: t("charts.flow"),
				hint: t("charts.flow_hint"),
				place: t("charts.day"),
				places: rows.map((r) => placeOfDay(r.day)),
				marks: marksOf(rows, begins),
				series: shown.map((state) => ({
					name: t(`state.${state}`),
					style: `is-${state}`,
					kind: "area",
					values: rows.map((r) => r.by[state]),
				})),
				more: [{ name: t("state.unscheduled"), values: rows.map((r) => formatNumber(r.by.unscheduled)) }],
				say: formatNumber,
			}}
		/>
	);
}
