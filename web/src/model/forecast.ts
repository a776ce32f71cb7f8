/**
 * When the waiting stories will be done: at the velocity, and at the velocity of better and worse iterations. The
 * packing rules are those of t/planning/README.md: unused capacity is added to the next iteration, so that only the
 * sum of waiting points matters.
 */
import { midnight, type Override } from "./calendar";
import type { Day } from "./history";
import { NEARLY } from "./velocity";

/** The forecast ends after ten years. */
const WEEKS_MOST = 520;

export interface Now {
	zone: string;
	iteration_length: number;
	automatic_planning: boolean;
	/** `number` and `day` are those of the current iteration; `day` is the date on which it begins. */
	number: number;
	day: number;
	overrides: ReadonlyMap<number, Override>;
	/** Points that are accepted in the current iteration or in progress; `waiting`: points that wait. */
	taken: number;
	waiting: number;
}

/** The iteration in which the last waiting story is done. */
export interface End {
	number: number;
	/** The instant at which it ends, exclusive. */
	finish: number;
}

/** The waiting points, and those in the current iteration, by today's states. */
export function sums(today: Day, acceptedNow: number, automatic: boolean): { taken: number; waiting: number } {
	const { started, finished, delivered, rejected, planned, unstarted } = today.points;
	const progress = started + finished + delivered + rejected;
	return automatic
		? { taken: acceptedNow + progress, waiting: planned + unstarted }
		: { taken: acceptedNow + progress + planned, waiting: unstarted };
}

/** With `more` points (or, below 0, fewer) than the velocity in each usual iteration. Null: not within ten years. */
export function endAt(now: Now, velocity: number, more = 0): End | null {
	let { number, day } = now;
	const first = day;
	let room = 0;
	for (;;) {
		const o = now.overrides.get(number);
		const weeks = o && o.weeks > 0 ? o.weeks : now.iteration_length;
		const strength = o && o.strength >= 0 ? o.strength : 1;
		const part = (strength * weeks) / now.iteration_length;
		const capacity = Math.max(Math.floor(velocity * part + NEARLY) + more * part, 0);
		if (number > now.number) room += capacity;
		else if (now.automatic_planning) room = Math.max(capacity - now.taken, 0);
		if (now.waiting <= room + NEARLY) return { number, finish: midnight(now.zone, day + weeks * 7) };
		if (day - first > WEEKS_MOST * 7) return null;
		number++;
		day += weeks * 7;
	}
}

export interface Forecast {
	likely: End | null;
	early: End | null;
	late: End | null;
}

/** The range is one standard deviation of the velocity in each direction. */
export function forecast(now: Now, velocity: number, deviation: number): Forecast {
	return {
		likely: endAt(now, velocity),
		early: endAt(now, velocity, deviation),
		late: endAt(now, velocity, -deviation),
	};
}
