/** Days and iterations as places of a chart, and values that most charts share. */
import { formatDate, formatDay, formatDays, t } from "../text/i18n";
import type { PastIteration } from "../model/history";
import type { Place } from "./chart";
import { DAY } from "../model/calendar";

/** `day` is a date, in days since 1970-01-01. */
export function placeOfDay(day: number): Place {
	return { name: formatDate(day * DAY, "UTC"), short: formatDay(day * DAY, "UTC") };
}

/** "12 – 18 Nov": the last day is the one before it finishes. */
export function datesOf(it: { start: number; finish: number }, zone: string): string {
	return formatDays(it.start, it.finish - DAY / 2, zone);
}

export function placeOfIteration(it: PastIteration, zone: string): Place {
	return {
		name: `${t("iteration_n", { number: String(it.number) })}, ${datesOf(it, zone)}`,
		short: String(it.number),
	};
}

/** The indexes of days on which iterations begin; `begins` contains dates. */
export function marksOf(days: readonly { day: number }[], begins: ReadonlySet<number>): number[] {
	return days.flatMap((d, i) => (begins.has(d.day) ? i : []));
}
