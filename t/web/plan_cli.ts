// The client's plans of projects: reads a JSON list on stdin, writes one to stdout. For test_plan.py.
import { readFileSync } from "node:fs";
import { Calendar, localDay, type Override } from "./src/model/calendar";
import { makePlan, type PlanRules, type PlanStory } from "./src/model/plan";

interface Given {
	zone: string;
	rules: PlanRules;
	velocity: number;
	number: number;
	start: string;
	overrides: Override[];
	stories: { id: number; current_state: PlanStory["current_state"]; estimate?: number; accepted_at?: string }[];
}

const plans = (JSON.parse(readFileSync(0, "utf8")) as Given[]).map((p) => {
	const calendar = new Calendar(p.zone, p.rules.iteration_length, new Map(p.overrides.map((o) => [o.number, o])));
	const span = calendar.span(p.number, localDay(p.zone, Date.parse(p.start)));
	const stories = p.stories.map((s) => ({
		id: s.id,
		current_state: s.current_state,
		estimate: s.estimate ?? null,
		accepted: s.accepted_at ? Date.parse(s.accepted_at) : 0,
	}));
	const given = { points: p.velocity, deviation: 0, volatility: 0 };
	return makePlan(calendar, p.rules, [span], stories, given).iterations.map((it) => ({
		number: it.span.number,
		start: new Date(it.span.start).toISOString().replace(".000Z", "Z"),
		finish: new Date(it.span.finish).toISOString().replace(".000Z", "Z"),
		points: it.points,
		story_ids: it.ids,
	}));
});
console.log(JSON.stringify(plans));
