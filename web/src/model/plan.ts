/**
 * From stories to iterations: what is in the current one, and how the backlog is divided. It needs no clock and no
 * server; the rules are those of t/planning/README.md, whose cases test it.
 */
import { type Calendar, spanOf, type Span } from "./calendar";
import type { State } from "./types";
import { effective, findVelocity, NEARLY, type Velocity, type VelocityRules } from "./velocity";

/** This many iterations after the current one, the last iteration takes everything that is left. */
const BACKLOG_MOST = 5000;

export interface PlanStory {
	id: number;
	current_state: State;
	estimate: number | null;
	/** The time of acceptance; used only if the story is accepted. */
	accepted: number;
}

export interface Iteration {
	span: Span;
	ids: number[];
	points: number;
	accepted_points: number;
	effective_points: number;
	velocity: number;
}

export interface PlanRules extends VelocityRules {
	automatic_planning: boolean;
}

export interface Plan {
	velocity: Velocity;
	iterations: Iteration[];
	/** The index of the current iteration. */
	current: number;
}

type Part = "accepted" | "progress" | "planned" | "waiting" | "icebox";

export function partOf(state: State, automatic: boolean): Part {
	switch (state) {
		case "accepted":
			return "accepted";
		case "unscheduled":
			return "icebox";
		case "unstarted":
			return "waiting";
		case "planned":
			// If it is left over from manual planning, it counts as unstarted.
			return automatic ? "waiting" : "planned";
		default:
			return "progress";
	}
}

export function capacity(rules: VelocityRules, span: Span, velocity: number): number {
	return Math.floor((velocity * span.strength * span.weeks) / rules.iteration_length + NEARLY);
}

const weight = (story: PlanStory) => Math.max(story.estimate ?? 0, 0);

function empty(span: Span, velocity: number): Iteration {
	return { span, ids: [], points: 0, accepted_points: 0, effective_points: 0, velocity };
}

/** Puts waiting stories after those in the last of `iterations`, and adds further iterations. */
function placeWaiting(
	calendar: Calendar,
	rules: PlanRules,
	velocity: number,
	waiting: readonly PlanStory[],
	iterations: Iteration[],
): void {
	let it = iterations[iterations.length - 1]!;
	const current = it.span.number;
	let open = rules.automatic_planning;
	let room = open ? capacity(rules, it.span, velocity) - it.points : 0;
	for (const story of waiting) {
		const w = weight(story);
		while (!open || it.span.strength <= 0 || w > room + NEARLY) {
			if (it.span.number - current >= BACKLOG_MOST) break;
			it = empty(calendar.next(it.span), velocity);
			iterations.push(it);
			open = true;
			// With a velocity of 0, the backlog would never end.
			room = Math.max(room, 0) + capacity(rules, it.span, velocity > 0 ? velocity : 1);
		}
		room -= w;
		it.ids.push(story.id);
		it.points += w;
	}
}

/**
 * The iterations of `spans`, the last of which is the current one, and the backlog. Stories must be in the project's
 * order. If no velocity is given, it is computed from the stories, which then must be complete.
 */
export function makePlan(
	calendar: Calendar,
	rules: PlanRules,
	spans: readonly Span[],
	stories: readonly PlanStory[],
	given?: Velocity,
): Plan {
	const current = spans.length - 1;
	const parts: Record<Part, PlanStory[]> = {
		accepted: [],
		progress: [],
		planned: [],
		waiting: [],
		icebox: [],
	};
	for (const story of stories) parts[partOf(story.current_state, rules.automatic_planning)].push(story);

	const iterations = spans.map((span) => empty(span, 0));
	for (const story of parts.accepted.sort((a, b) => a.accepted - b.accepted)) {
		const it = iterations[spanOf(spans, story.accepted)]!;
		it.ids.push(story.id);
		it.points += weight(story);
		it.accepted_points += weight(story);
	}
	const accepted = iterations.map((it) => it.accepted_points);
	const velocity = given ?? findVelocity(rules, spans, accepted, current);
	iterations.forEach((it, i) => {
		it.velocity = i < current ? findVelocity(rules, spans, accepted, i).points : velocity.points;
	});
	const now = iterations[current]!;
	for (const story of [...parts.progress, ...parts.planned]) {
		now.ids.push(story.id);
		now.points += weight(story);
	}
	placeWaiting(calendar, rules, velocity.points, parts.waiting, iterations);
	for (const it of iterations) it.effective_points = effective(it.span, it.points);
	return { velocity, iterations, current };
}

/** Iterations that did not change stay the same objects, so that they are not rendered again. */
export function keptPlan(old: Plan | null, plan: Plan): Plan {
	if (!old) return plan;
	const iterations = plan.iterations.map((it, i) => {
		const was = old.iterations[i];
		const same =
			was &&
			was.points === it.points &&
			was.accepted_points === it.accepted_points &&
			was.velocity === it.velocity &&
			was.span.number === it.span.number &&
			was.span.start === it.span.start &&
			was.span.finish === it.span.finish &&
			was.span.strength === it.span.strength &&
			was.ids.length === it.ids.length &&
			was.ids.every((id, n) => id === it.ids[n]);
		return same ? was : it;
	});
	return { ...plan, iterations };
}
