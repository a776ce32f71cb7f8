/** Days and iterations as places of a chart, and the values of series that most charts have. */
import { formatDate, formatDay, t } from "../text/i18n";
import type { PastIteration } from "../model/history";
import type { Place } from "./chart";

const DAY = 86_400_000;

/** A date in days since 1970-01-01. */
export function placeOfDay(day: number): Place {
	return { name: formatDate(day * DAY, "UTC"), short: formatDay(day * DAY, "UTC") };
}

/** "12 – 18 Nov": its last day is the one before it finishes. */
export function datesOf(it: { start: number; finish: number }, zone: string): string {
	return `${formatDay(it.start, zone)} – ${formatDay(it.finish - DAY / 2, zone)}`;
}

export function placeOfIteration(it: PastIteration, zone: string): Place {
	return {
		name: `${t("iteration_n", { number: String(it.number) })}, ${datesOf(it, zone)}`,
		short: String(it.number),
	};
}

/** Where iterations begin among days; `begins` are dates. */
export function marksOf(days: readonly { day: number }[], begins: ReadonlySet<number>): number[] {
	return days.flatMap((d, i) => (begins.has(d.day) ? i : []));
}
