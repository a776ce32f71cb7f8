/** How long accepted stories were worked on: the mean time in each state, and the median total. */
import { formatNumber, locale, t } from "../text/i18n";
import { cycleTime, WORK, type PastIteration } from "../model/history";
import { ChartFrame } from "./frame";
import { placeOfIteration } from "./places";

const HOUR = 3_600_000;

/** Hours, or days if the longest time is two days or more. */
export function unitOf(longest: number): { size: number; say: (value: number) => string } {
	const inHours = longest < 48 * HOUR;
	const format = new Intl.NumberFormat(locale, {
		style: "unit",
		unit: inHours ? "hour" : "day",
		unitDisplay: "short",
		maximumFractionDigits: 1,
	});
	return { size: inHours ? HOUR : 24 * HOUR, say: (value) => format.format(value) };
}

export function CycleTime({ iterations, zone }: { iterations: readonly PastIteration[]; zone: string }) {
	const rows = iterations.map(cycleTime);
	const { size, say } = unitOf(Math.max(0, ...rows.map((r) => Math.max(r.total, r.median))));
	return (
		<ChartFrame
			chart={{
				title: t("charts.cycle"),
				hint: t("charts.cycle_hint"),
				place: t("charts.iteration"),
				places: iterations.map((it) => placeOfIteration(it, zone)),
				series: [
					...WORK.map((state) => ({
						name: t(`state.${state}`),
						style: `is-${state}`,
						kind: "bar" as const,
						values: rows.map((r) => r.mean[state] / size),
					})),
					{ name: t("charts.median"), style: "is-scope", kind: "dot", values: rows.map((r) => r.median / size) },
				],
				more: [
					{ name: t("charts.mean"), values: rows.map((r) => say(r.total / size)) },
					{ name: t("charts.stories"), values: rows.map((r) => formatNumber(r.stories)) },
				],
				say,
			}}
		/>
	);
}
