/** How much was accepted, and how much there was to do, day by day. */
import { formatNumber, t } from "../text/i18n";
import { burnup, type Day, type Measure } from "../model/history";
import { ChartFrame } from "./frame";
import { marksOf, placeOfDay } from "./places";

interface DaysProps {
	/** Begins with the day before the chart. */
	days: readonly Day[];
	measure: Measure;
	/** Dates on which iterations begin. */
	begins: ReadonlySet<number>;
}

export function Burnup({ days, measure, begins }: DaysProps) {
	const rows = burnup(days, measure);
	return (
		<ChartFrame
			chart={{
				title: t("charts.burnup"),
				hint: t("charts.burnup_hint"),
				place: t("charts.day"),
				places: rows.map((r) => placeOfDay(r.day)),
				marks: marksOf(rows, begins),
				series: [
					{ name: t("charts.accepted"), style: "is-accepted", kind: "area", values: rows.map((r) => r.accepted) },
					{ name: t("charts.scope"), style: "is-scope", kind: "line", values: rows.map((r) => r.scope) },
				],
				say: formatNumber,
			}}
		/>
	);
}
