/** What each iteration accepted, by type. */
import { formatNumber, t } from "../text/i18n";
import { byType, type Measure, type PastIteration } from "../model/history";
import { TYPES } from "../model/states";
import { ChartFrame } from "./frame";
import { placeOfIteration } from "./places";

interface TypesProps {
	iterations: readonly PastIteration[];
	measure: Measure;
	zone: string;
}

export function Types({ iterations, measure, zone }: TypesProps) {
	const rows = iterations.map((it) => byType(it, measure));
	// A release never has points.
	const shown = TYPES.filter((type) => type !== "release" || measure === "counts");
	return (
		<ChartFrame
			chart={{
				title: measure === "points" ? t("charts.types") : t("charts.types_stories"),
				hint: t("charts.types_hint"),
				place: t("charts.iteration"),
				places: iterations.map((it) => placeOfIteration(it, zone)),
				series: shown.map((type) => ({
					name: t(`type.${type}`),
					style: `is-${type}`,
					kind: "bar",
					values: rows.map((r) => r[type]),
				})),
				say: formatNumber,
			}}
		/>
	);
}
