/**
 * Which iterations there are and when: weeks that begin at local midnight in the project's zone. Instants are
 * milliseconds since 1970 UTC, dates are days since 1970-01-01. The rules are those of t/planning/README.md.
 */

/** Milliseconds of a day. */
export const DAY = 86_400_000;

export interface Span {
	number: number;
	weeks: number;
	strength: number;
	/** The local date on which it begins. */
	day: number;
	start: number;
	/** When the next one begins. */
	finish: number;
}

/** weeks 0: the usual length; strength below 0: the whole team. */
export interface Override {
	number: number;
	weeks: number;
	strength: number;
}

export const WEEK_DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

const formats = new Map<string, Intl.DateTimeFormat>();

function format(zone: string): Intl.DateTimeFormat {
	let made = formats.get(zone);
	if (!made) {
		made = new Intl.DateTimeFormat("en-US", {
			timeZone: zone,
			hourCycle: "h23",
			year: "numeric",
			month: "numeric",
			day: "numeric",
			hour: "numeric",
			minute: "numeric",
			second: "numeric",
		});
		formats.set(zone, made);
	}
	return made;
}

/** The local time in the zone, as if it were UTC. */
function wall(zone: string, at: number): number {
	const part: Record<string, number> = {};
	for (const { type, value } of format(zone).formatToParts(at)) part[type] = Number(value);
	const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
	return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The local date of an instant. */
export function localDay(zone: string, at: number): number {
	return Math.floor(wall(zone, at) / DAY);
}

/**
 * The instant at which a local date begins. If clocks go forward at midnight, midnight does not exist on that date;
 * then it is the moment of the change.
 */
export function midnight(zone: string, day: number): number {
	const wanted = day * DAY;
	const early = wanted - (wall(zone, wanted - DAY) - (wanted - DAY));
	const late = wanted - (wall(zone, wanted + DAY) - (wanted + DAY));
	for (const at of [Math.min(early, late), Math.max(early, late)]) if (wall(zone, at) === wanted) return at;
	return early;
}

/** The date on which iteration 1 begins. Dates may be null; then the date of creation is used. */
export function firstDay(
	weekStart: number,
	startDate: number | null,
	firstAccepted: number | null,
	created: number,
): number {
	let day = startDate ?? created;
	if (firstAccepted !== null && firstAccepted < day) day = firstAccepted;
	const weekday = (((day + 4) % 7) + 7) % 7;
	return day - ((weekday - weekStart + 7) % 7);
}

/** Steps from one iteration to the next. */
export class Calendar {
	private readonly midnights = new Map<number, number>();

	constructor(
		readonly zone: string,
		/** The usual length in weeks, for iterations without an override. */
		readonly length: number,
		readonly overrides: ReadonlyMap<number, Override>,
	) {}

	private midnight(day: number): number {
		let at = this.midnights.get(day);
		if (at === undefined) {
			at = midnight(this.zone, day);
			this.midnights.set(day, at);
		}
		return at;
	}

	span(number: number, day: number): Span {
		const o = this.overrides.get(number);
		const weeks = o && o.weeks > 0 ? o.weeks : this.length;
		return {
			number,
			weeks,
			strength: o && o.strength >= 0 ? o.strength : 1,
			day,
			start: this.midnight(day),
			finish: this.midnight(day + weeks * 7),
		};
	}

	next(span: Span): Span {
		return this.span(span.number + 1, span.day + span.weeks * 7);
	}

	/** Iterations 1 to the current one, which is the first that has not finished at `now`. */
	upTo(now: number, first: number): Span[] {
		let span = this.span(1, first);
		const spans = [span];
		while (span.finish <= now) {
			span = this.next(span);
			spans.push(span);
		}
		return spans;
	}
}

/** The index in `spans` of the iteration in which something accepted at that time counts. */
export function spanOf(spans: readonly Span[], acceptedAt: number): number {
	let low = 0;
	let high = spans.length - 1;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (acceptedAt < spans[middle]!.finish) high = middle;
		else low = middle + 1;
	}
	return low;
}
