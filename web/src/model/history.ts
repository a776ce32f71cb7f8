/**
 * A project's past, as rows for charts. A measure is points or stories; a day is a date in days since 1970-01-01; a
 * time is in milliseconds.
 */
import type { State, Story, StoryType } from "./types";
import { DAY } from "./calendar";

export type Measure = "points" | "counts";

/** From done to undecided: the order in which a flow is stacked. */
export const FLOW: readonly State[] = [
	"accepted",
	"delivered",
	"finished",
	"started",
	"rejected",
	"planned",
	"unstarted",
	"unscheduled",
];

export interface Day {
	day: number;
	points: Record<State, number>;
	counts: Record<State, number>;
}

/** Reads the server's rows for days: the date, and columns named points_STATE and counts_STATE. */
export function readDays(header: readonly string[], data: unknown): Day[] {
	const rows = Array.isArray(data) ? (data as unknown[][]) : [];
	const place = new Map(header.map((name, i) => [name, i]));
	const read = (row: unknown[], measure: Measure) =>
		Object.fromEntries(
			FLOW.map((state) => [state, Number(row[place.get(`${measure}_${state}`) ?? -1] ?? 0)]),
		) as Record<State, number>;
	return rows.map((row) => ({
		day: Date.parse(`${row[place.get("date") ?? 0]}T00:00:00Z`) / DAY,
		points: read(row, "points"),
		counts: read(row, "counts"),
	}));
}

/** What was accepted before the chart begins, which is subtracted. */
function before(days: readonly Day[], measure: Measure): number {
	return days.length ? Math.min(...days.map((d) => d[measure].accepted)) : 0;
}

export interface BurnupRow {
	day: number;
	accepted: number;
	/** All that is accepted, in progress or waiting; the icebox is not decided on. */
	scope: number;
}

/** The first of `days` is the one before the chart's first. */
export function burnup(days: readonly Day[], measure: Measure): BurnupRow[] {
	const base = before(days, measure);
	return days.slice(1).map((d) => {
		const of = d[measure];
		const all = FLOW.reduce((sum, state) => sum + of[state], 0) - of.unscheduled;
		return { day: d.day, accepted: of.accepted - base, scope: all - base };
	});
}

export interface FlowRow {
	day: number;
	by: Record<State, number>;
}

/** As burnup(), by state. */
export function flow(days: readonly Day[], measure: Measure): FlowRow[] {
	const base = before(days, measure);
	return days.slice(1).map((d) => ({ day: d.day, by: { ...d[measure], accepted: d[measure].accepted - base } }));
}

export interface PastStory
	extends Pick<Story, "id" | "name" | "story_type" | "current_state" | "estimate" | "owner_ids"> {
	/** Milliseconds in each state of work; null: it was in none. */
	cycle: Cycle | null;
}

export interface Cycle {
	started: number;
	finished: number;
	delivered: number;
	rejected: number;
}

export type WorkState = keyof Cycle;
export const WORK: readonly WorkState[] = ["started", "finished", "delivered", "rejected"];

export function totalOf(cycle: Cycle): number {
	return WORK.reduce((sum, state) => sum + cycle[state], 0);
}

export interface PastIteration {
	number: number;
	start: number;
	finish: number;
	weeks: number;
	strength: number;
	points: number;
	accepted_points: number;
	/** The velocity in force during the iteration. */
	velocity: number;
	stories: PastStory[];
}

const accepted = (it: PastIteration) => it.stories.filter((s) => s.current_state === "accepted");

/** What an iteration accepted, by type. */
export function byType(it: PastIteration, measure: Measure): Record<StoryType, number> {
	const sums: Record<StoryType, number> = { feature: 0, bug: 0, chore: 0, release: 0 };
	for (const story of accepted(it)) sums[story.story_type] += measure === "points" ? (story.estimate ?? 0) : 1;
	return sums;
}

export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const half = sorted.length >> 1;
	if (sorted.length === 0) return 0;
	return sorted.length % 2 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

export interface CycleRow {
	/** How many accepted stories were in a state of work. */
	stories: number;
	mean: Cycle;
	total: number;
	median: number;
}

/** The mean time that the accepted stories of an iteration spent in each state, and the median of their totals. */
export function cycleTime(it: PastIteration): CycleRow {
	const cycles = accepted(it).flatMap((s) => s.cycle ?? []);
	const n = Math.max(cycles.length, 1);
	const mean = (state: WorkState) => cycles.reduce((sum, c) => sum + c[state], 0) / n;
	const by = {
		started: mean("started"),
		finished: mean("finished"),
		delivered: mean("delivered"),
		rejected: mean("rejected"),
	};
	return { stories: cycles.length, mean: by, total: totalOf(by), median: median(cycles.map(totalOf)) };
}
