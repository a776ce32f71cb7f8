// The client's planner and the cases that any implementation of the rules must pass.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Calendar, firstDay, localDay, WEEK_DAYS, type Override } from "../src/model/calendar";
import { makePlan, type PlanStory } from "../src/model/plan";
import type { State } from "../src/model/types";

const folder = process.env.PLANNING_CASES!;
const DAY = 86_400_000;

interface Case {
	name: string;
	settings: Map<string, string>;
	overrides: Map<number, Override>;
	stories: PlanStory[];
	expects: string[][];
	iterations: string[][];
}

function overrideOf([number, ...pairs]: string[]): Override {
	const values = Object.fromEntries(pairs.map((pair) => pair.split("=")));
	return {
		number: Number(number),
		weeks: Number(values.length ?? 0),
		strength: Number(values.team_strength ?? -1),
	};
}

function storiesOf([ids, , state, estimate, accepted]: string[]): PlanStory[] {
	const [first, last = first] = ids!.split("-").map(Number);
	const stories: PlanStory[] = [];
	for (let id = first!; id <= last!; id++)
		stories.push({
			id,
			current_state: state as State,
			estimate: estimate === "-" ? null : Number(estimate),
			accepted: accepted ? Date.parse(accepted) : 0,
		});
	return stories;
}

function readCases(text: string): Case[] {
	const cases: Case[] = [];
	for (const line of text.split("\n")) {
		if (!line.trim() || line.startsWith("#")) continue;
		const [word, ...rest] = line.trim().split(/ +/);
		if (word === "case")
			cases.push({
				name: rest[0]!,
				settings: new Map(),
				overrides: new Map(),
				stories: [],
				expects: [],
				iterations: [],
			});
		const made = cases[cases.length - 1]!;
		if (word === "override") {
			const override = overrideOf(rest);
			made.overrides.set(override.number, override);
		} else if (word === "story") made.stories.push(...storiesOf(rest));
		else if (word === "expect") made.expects.push(rest);
		else if (word === "iteration") made.iterations.push(rest);
		else made.settings.set(word!, rest.join(" "));
	}
	return cases;
}

function planOf(c: Case) {
	const get = (name: string, other: string) => c.settings.get(name) ?? other;
	const zone = get("time_zone", "UTC");
	const now = Date.parse(get("now", ""));
	const accepted = c.stories.filter((s) => s.current_state === "accepted").map((s) => localDay(zone, s.accepted));
	const start = c.settings.get("start_date");
	const first = firstDay(
		WEEK_DAYS.indexOf(get("week_start_day", "Monday")),
		start ? Date.parse(`${start}T00:00:00Z`) / DAY : null,
		accepted.length ? Math.min(...accepted) : null,
		localDay(zone, Date.parse(get("created_at", get("now", "")))),
	);
	const rules = {
		iteration_length: Number(get("iteration_length", "1")),
		initial_velocity: Number(get("initial_velocity", "10")),
		velocity_averaged_over: Number(get("velocity_averaged_over", "3")),
		automatic_planning: get("automatic_planning", "yes") === "yes",
	};
	const calendar = new Calendar(zone, rules.iteration_length, c.overrides);
	return makePlan(calendar, rules, calendar.upTo(now, first), c.stories);
}

type Made = ReturnType<typeof planOf>;

const instant = (at: number) => new Date(at).toISOString().replace(".000Z", "Z");

function completion(plan: Made, id: number): string {
	const found = plan.iterations.find((it) => it.ids.includes(id));
	return found ? instant(found.span.finish) : "-";
}

function checkExpect(plan: Made, [what, a, b]: string[]): void {
	const near = (value: number) => assert.ok(Math.abs(value - Number(a)) < 0.001, `${what}: ${value}, not ${a}`);
	if (what === "current") assert.equal(plan.iterations[plan.current]!.span.number, Number(a));
	else if (what === "velocity") assert.equal(plan.velocity.points, Number(a));
	else if (what === "iterations") assert.equal(plan.iterations.length, Number(a));
	else if (what === "start_time") assert.equal(instant(plan.iterations[0]!.span.start), a);
	else if (what === "standard_deviation") near(plan.velocity.deviation);
	else if (what === "volatility") near(plan.velocity.volatility);
	else if (what === "completion") assert.equal(completion(plan, Number(a)), b);
	else assert.fail(`what is "expect ${what}"?`);
}

function checkIteration(plan: Made, words: string[]): void {
	const [number, scope, start, finish] = words;
	const colon = words.indexOf(":");
	const it = plan.iterations[Number(number) - 1];
	assert.ok(it, `there is no iteration ${number}`);
	const at = Number(number) - 1;
	assert.equal(at < plan.current ? "done" : at === plan.current ? "current" : "backlog", scope);
	if (start !== "-") assert.equal(instant(it.span.start), start);
	if (finish !== "-") assert.equal(instant(it.span.finish), finish);
	const ids = words.slice(colon + 1).flatMap((word) => {
		const [first, last = first] = word.split("-").map(Number);
		return Array.from({ length: last! - first! + 1 }, (_, i) => first! + i);
	});
	assert.deepEqual(it.ids, ids, `stories of iteration ${number}`);
	const values: Record<string, number> = {
		length: it.span.weeks,
		team_strength: it.span.strength,
		points: it.points,
		accepted: it.accepted_points,
		effective: it.effective_points,
		velocity: it.velocity,
	};
	for (const pair of words.slice(4, colon)) {
		const [name, value] = pair.split("=");
		assert.ok(Math.abs(values[name!]! - Number(value)) < 0.001, `${name} of ${number}: ${values[name!]}, not ${value}`);
	}
}

let count = 0;
for (const file of readdirSync(folder).filter((name) => name.endsWith(".case")))
	for (const c of readCases(readFileSync(join(folder, file), "utf8"))) {
		count++;
		test(`${file}: ${c.name}`, () => {
			const plan = planOf(c);
			for (const words of c.expects) checkExpect(plan, words);
			for (const words of c.iterations) checkIteration(plan, words);
		});
	}

test("there are cases", () => assert.ok(count > 50, `${count} only`));
