/** Points accepted in each iteration, and the velocity used for planning. */
import { formatNumber, t } from "../text/i18n";
import type { PastIteration } from "../model/history";
import { ChartFrame } from "./frame";
import { placeOfIteration } from "./places";

interface VelocityProps {
	iterations: readonly PastIteration[];
	zone: string;
	velocity: number;
	deviation: number;
}

export function VelocityChart({ iterations, zone, velocity, deviation }: VelocityProps) {
	return (
		<ChartFrame
			chart={{
				title: t("velocity"),
				hint: t(deviation > 0 ? "charts.velocity_hint" : "charts.velocity_even", { velocity, deviation }),
				place: t("charts.iteration"),
				places: iterations.map((it) => placeOfIteration(it, zone)),
				series: [
					{
						name: t("charts.accepted_points"),
						style: "is-accepted",
						kind: "bar",
						values: iterations.map((it) => it.accepted_points),
					},
					{ name: t("charts.in_force"), style: "is-scope", kind: "line", values: iterations.map((it) => it.velocity) },
				],
				band: deviation > 0 ? { low: Math.max(velocity - deviation, 0), high: velocity + deviation } : undefined,
				more: [
					{ name: t("strength"), values: iterations.map((it) => `${formatNumber(it.strength * 100)} %`) },
					{ name: t("charts.weeks"), values: iterations.map((it) => formatNumber(it.weeks)) },
				],
				say: formatNumber,
			}}
		/>
	);
}
