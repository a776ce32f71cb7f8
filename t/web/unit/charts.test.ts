// What charts and reports count, and when a backlog is done; the expected numbers were worked out by hand.
import assert from "node:assert/strict";
import { test } from "node:test";
import { named, stack, step, ticks } from "../src/charts/scale";
import { Calendar, type Override } from "../src/model/calendar";
import { readStory } from "../src/model/types";
import { endAt, forecast, sums, type Now } from "../src/model/forecast";
import {
	burnup,
	byType,
	cycleTime,
	flow,
	median,
	readDays,
	type PastIteration,
	type PastStory,
} from "../src/model/history";
import { makePlan, type PlanStory } from "../src/model/plan";
import { byPerson, byState } from "../src/model/report";

const STATES = ["accepted", "delivered", "finished", "started", "rejected", "planned", "unstarted", "unscheduled"];
const header = ["date", ...STATES.map((s) => `points_${s}`), ...STATES.map((s) => `counts_${s}`)];
const days = readDays(header, [
	["2024-03-03", 10, 0, 0, 2, 0, 0, 8, 5, 4, 0, 0, 1, 0, 0, 3, 2],
	["2024-03-04", 12, 0, 1, 0, 0, 0, 9, 3, 5, 0, 1, 0, 0, 0, 3, 1],
	["2024-03-05", 13, 2, 0, 0, 1, 0, 6, 3, 6, 1, 0, 0, 1, 0, 1, 1],
]);
const FOURTH = 19786; // 2024-03-04 in days since 1970

test("days are read by the names of their columns", () => {
	assert.equal(days[1]!.day, FOURTH);
	assert.equal(days[1]!.points.finished, 1);
	assert.equal(days[1]!.counts.accepted, 5);
	const turned = readDays(["counts_started", "date", "news"], [[7, "2024-03-04", 1]]);
	assert.deepEqual([turned[0]!.day, turned[0]!.counts.started, turned[0]!.points.started], [FOURTH, 7, 0]);
	assert.deepEqual(readDays(header, null), []);
});

test("burnup begins at what was accepted before, without the icebox", () => {
	assert.deepEqual(burnup(days, "points"), [
		{ day: FOURTH, accepted: 2, scope: 12 },
		{ day: FOURTH + 1, accepted: 3, scope: 12 },
	]);
	assert.deepEqual(
		burnup(days, "counts").map((r) => [r.accepted, r.scope]),
		[
			[1, 5],
			[2, 5],
		],
	);
	assert.deepEqual(burnup([], "points"), []);
});

test("what stops being accepted never counts below nothing", () => {
	const back = readDays(
		["date", "points_accepted"],
		[
			["2024-03-03", 5],
			["2024-03-04", 3],
			["2024-03-05", 4],
		],
	);
	assert.deepEqual(
		burnup(back, "points").map((r) => r.accepted),
		[0, 1],
	);
});

test("flow is the same by state", () => {
	const rows = flow(days, "points");
	assert.deepEqual(rows[1]!.by, {
		accepted: 3,
		delivered: 2,
		finished: 0,
		started: 0,
		rejected: 1,
		planned: 0,
		unstarted: 6,
		unscheduled: 3,
	});
});

const HOUR = 3_600_000;

function story(id: number, more: Partial<PastStory>): PastStory {
	const accepted = readStory({ id, name: `Story ${id}`, current_state: "accepted" });
	return { ...accepted, estimate: 1, cycle: null, ...more };
}

const iteration: PastIteration = {
	number: 3,
	start: 0,
	finish: 0,
	weeks: 1,
	strength: 1,
	points: 8,
	accepted_points: 5,
	velocity: 6,
	stories: [
		story(1, {
			estimate: 3,
			owner_ids: [1, 2],
			cycle: { started: 2 * HOUR, finished: HOUR, delivered: 3 * HOUR, rejected: 0 },
		}),
		story(2, {
			estimate: 2,
			owner_ids: [2],
			cycle: { started: 4 * HOUR, finished: HOUR, delivered: HOUR, rejected: 4 * HOUR },
		}),
		story(3, { story_type: "bug", estimate: null, cycle: { started: HOUR, finished: 0, delivered: 0, rejected: 0 } }),
		story(4, { story_type: "chore", estimate: null, owner_ids: [1] }),
		story(5, {
			estimate: 3,
			current_state: "started",
			owner_ids: [1],
			cycle: { started: 99 * HOUR, finished: 0, delivered: 0, rejected: 0 },
		}),
	],
};

test("accepted points and stories by type", () => {
	assert.deepEqual(byType(iteration, "points"), { feature: 5, bug: 0, chore: 0, release: 0 });
	assert.deepEqual(byType(iteration, "counts"), { feature: 2, bug: 1, chore: 1, release: 0 });
});

test("cycle time is of what was accepted and worked on", () => {
	const row = cycleTime(iteration);
	assert.equal(row.stories, 3);
	assert.equal(row.mean.started, (7 / 3) * HOUR);
	assert.equal(row.mean.rejected, (4 / 3) * HOUR);
	assert.ok(Math.abs(row.total - (17 / 3) * HOUR) < 1);
	assert.equal(row.median, 6 * HOUR); // of 6, 10 and 1
	assert.deepEqual(cycleTime({ ...iteration, stories: [] }).total, 0);
});

test("median", () => {
	assert.deepEqual([median([]), median([4]), median([10, 2]), median([9, 1, 5])], [0, 4, 6, 5]);
});

test("a report by state and by person", () => {
	assert.deepEqual(byState(iteration.stories), [
		{ state: "started", stories: 1, points: 3 },
		{ state: "accepted", stories: 4, points: 5 },
	]);
	assert.deepEqual(byPerson(iteration.stories), [
		{ person: 1, stories: 3, points: 6, accepted_stories: 2, accepted_points: 3 },
		{ person: 2, stories: 2, points: 5, accepted_stories: 2, accepted_points: 5 },
		{ person: null, stories: 1, points: 0, accepted_stories: 1, accepted_points: 0 },
	]);
});

const MONDAY = 19786; // 2024-03-04
const at = (day: number) => day * 86_400_000;
const none: ReadonlyMap<number, Override> = new Map();
const now: Now = {
	zone: "UTC",
	iteration_length: 1,
	automatic_planning: true,
	number: 10,
	day: MONDAY,
	overrides: none,
	taken: 4,
	waiting: 30,
};

test("a backlog is done when the velocity has room for it", () => {
	// 30 points wait; at a velocity of 10, this iteration still takes 6, the next two 10 each, the fourth the last 4.
	assert.deepEqual(endAt(now, 10), { number: 13, finish: at(MONDAY + 28) });
	assert.equal(endAt({ ...now, waiting: 6 }, 10)!.number, 10);
	assert.equal(endAt({ ...now, taken: 12 }, 10)!.number, 13); // what it holds beyond its velocity does not count
	assert.equal(endAt({ ...now, automatic_planning: false, taken: 0 }, 10)!.number, 13); // nothing is pulled
	assert.equal(endAt({ ...now, waiting: 0, taken: 50 }, 10)!.number, 10);
	assert.equal(endAt(now, 0), null);
	assert.equal(endAt({ ...now, waiting: 1e6 }, 1), null);
});

test("overrides lengthen the way", () => {
	const overrides = new Map([
		[11, { number: 11, weeks: 0, strength: 0 }],
		[12, { number: 12, weeks: 2, strength: 0.5 }],
	]);
	// 6 now, 0, then 10 in two weeks of half the team, 10, and the last 4: iterations 10 to 14, six weeks.
	assert.deepEqual(endAt({ ...now, overrides }, 10), { number: 14, finish: at(MONDAY + 42) });
});

test("the range is the velocity's deviation to each side", () => {
	const { early, likely, late } = forecast(now, 10, 5);
	// 15: 11, then 19 in two. 5: 1, then 29 in six.
	assert.deepEqual([early!.number, likely!.number, late!.number], [12, 13, 16]);
	const wild = forecast(now, 10, 10);
	assert.deepEqual([wild.early!.number, wild.late], [11, null]);
	const even = forecast(now, 10, 0);
	assert.deepEqual(even.early, even.late);
});

test("what waits and what is taken depends on who plans", () => {
	const today = readDays(header, [["2024-03-04", 90, 1, 2, 3, 4, 5, 6, 7]])[0]!;
	assert.deepEqual(sums(today, 8, true), { taken: 18, waiting: 11 });
	assert.deepEqual(sums(today, 8, false), { taken: 23, waiting: 6 });
});

/** Pseudo-random numbers from 0 to n - 1, the same ones each time. */
function dice(seed: number): (n: number) => number {
	let x = seed;
	return (n) => {
		x = (Math.imul(x, 1103515245) + 12345) >>> 0;
		return (x >>> 8) % n;
	};
}

test("a forecast ends where the plan ends", () => {
	for (let seed = 1; seed <= 200; seed++) {
		const roll = dice(seed);
		const stories: PlanStory[] = Array.from({ length: 1 + roll(60) }, (_, i) => ({
			id: i + 1,
			current_state: (["accepted", "started", "unstarted", "unstarted", "unstarted"] as const)[roll(5)]!,
			estimate: roll(6) === 0 ? 8 : 1 + roll(4),
			accepted: at(MONDAY) + 1,
		}));
		const overrides = new Map<number, Override>();
		for (let n = 2; n < 12; n++)
			if (roll(4) === 0) overrides.set(n, { number: n, weeks: roll(3), strength: roll(5) / 2 - 0.5 });
		const calendar = new Calendar("Europe/Berlin", 1, overrides);
		const velocity = 1 + roll(15);
		const rules = {
			iteration_length: 1,
			initial_velocity: 10,
			velocity_averaged_over: 3,
			automatic_planning: roll(2) === 0,
		};
		const plan = makePlan(calendar, rules, [calendar.span(1, MONDAY)], stories, {
			points: velocity,
			deviation: 0,
			volatility: 0,
		});
		const of = (state: string) =>
			stories.filter((s) => s.current_state === state).reduce((sum, s) => sum + (s.estimate ?? 0), 0);
		if (of("unstarted") === 0) continue;
		const end = endAt(
			{
				zone: "Europe/Berlin",
				iteration_length: 1,
				automatic_planning: rules.automatic_planning,
				number: 1,
				day: MONDAY,
				overrides,
				taken: of("accepted") + of("started"),
				waiting: of("unstarted"),
			},
			velocity,
		);
		const last = plan.iterations[plan.iterations.length - 1]!.span;
		assert.deepEqual(end, { number: last.number, finish: last.finish }, `seed ${seed}`);
	}
});

test("round steps of an axis", () => {
	assert.deepEqual(ticks(41), [0, 10, 20, 30, 40, 50]);
	assert.deepEqual(ticks(3), [0, 1, 2, 3]);
	assert.deepEqual(ticks(0.9), [0, 0.2, 0.4, 0.6, 0.8, 1]);
	assert.deepEqual(ticks(1000, 5), [0, 200, 400, 600, 800, 1000]);
	assert.equal(step(7, 5), 2);
	assert.equal(step(3, 5, 1), 1);
});

test("names on an axis leave each other room, and the last one is there", () => {
	assert.deepEqual(named(4, 400, 50), [0, 1, 2, 3]);
	assert.deepEqual(named(10, 200, 60), [0, 3, 6, 9]);
	assert.deepEqual(named(0, 200, 60), []);
});

test("series on one another", () => {
	assert.deepEqual(
		stack([
			[1, 2],
			[3, 0],
		]),
		[
			{ low: [0, 0], high: [1, 2] },
			{ low: [1, 2], high: [4, 2] },
		],
	);
	assert.deepEqual(stack([]), []);
});
