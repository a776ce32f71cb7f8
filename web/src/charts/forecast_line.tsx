/** When the backlog will be done, in words. */
import { formatDate, t } from "../text/i18n";
import type { Frame } from "../model/load_history";
import { forecast, type Now } from "../model/forecast";
import { DAY } from "../model/calendar";

/** The sentence about the end date, without the explanation. */
function sentence(frame: Frame, now: Now): string {
	const velocity = frame.project.current_velocity;
	const { likely, early, late } = forecast(now, velocity, frame.deviation);
	const last = (at: number) => formatDate(at - DAY / 2, now.zone);
	if (now.waiting === 0) return t("charts.done_none");
	const values = { n: now.waiting, velocity };
	if (!likely)
		return early ? t("charts.done_open", { ...values, early: last(early.finish) }) : t("charts.done_never", values);
	if (!late)
		return t("charts.done_late", { ...values, early: last((early ?? likely).finish), likely: last(likely.finish) });
	if (!early || early.finish === late.finish) return t("charts.done_by", { ...values, likely: last(likely.finish) });
	return t("charts.done_range", {
		...values,
		early: last(early.finish),
		late: last(late.finish),
		likely: last(likely.finish),
	});
}

interface ForecastProps {
	frame: Frame;
	now: Now;
	unestimated: number;
}

export function ForecastLine({ frame, now, unestimated }: ForecastProps) {
	const { deviation, volatility, project } = frame;
	const values = { n: project.current_velocity, deviation, volatility: Math.round(volatility) };
	return (
		<section class="forecast" aria-label={t("charts.forecast")}>
			<p class="forecast-line">{sentence(frame, now)}</p>
			<p class="hint">
				{deviation > 0 ? t("charts.why", values) : t("charts.why_even", values)}
				{unestimated > 0 && ` ${t("charts.unestimated", { n: unestimated })}`}
			</p>
		</section>
	);
}
