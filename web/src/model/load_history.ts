/** What an overview loads from a project: days, iterations with the stories done in them, overrides. */
import type * as api from "../api/types.gen";
import { get } from "../api/http";
import { readProject, readStory, type Project } from "./types";
import { DAY, type Override } from "./calendar";
import { readFigures } from "./load";
import { readDays, type Cycle, type Day, type PastIteration, type PastStory } from "./history";

/** Iterations per request; few, since each comes with its stories. */
const PAGE = 10;

export interface Frame {
	project: Project;
	/** The standard deviation of the velocity, in points. */
	deviation: number;
	/** In per cent. */
	volatility: number;
	people: Map<number, string>;
}

const PROJECT_FIELDS =
	":default,current_velocity,current_volatility,current_standard_deviation,iteration_override_numbers," +
	"memberships(person(id,name))";

export async function loadFrame(id: number, signal: AbortSignal): Promise<Frame> {
	const { data } = await get<api.Project>(`/projects/${id}`, { fields: PROJECT_FIELDS }, { signal });
	return {
		project: readProject(data),
		deviation: data.current_standard_deviation ?? 0,
		volatility: data.current_volatility ?? 0,
		people: new Map((data.memberships ?? []).map((m) => [m.person?.id ?? 0, m.person?.name ?? ""])),
	};
}

const ITERATION_FIELDS =
	"number,start,finish,length,team_strength,points,accepted_points,velocity," +
	"stories(id,name,story_type,current_state,estimate,owner_ids," +
	"cycle_time_details(total_cycle_time,started_time,finished_time,delivered_time,rejected_time))";

function readCycle(from: api.CycleTimeDetails | undefined): Cycle | null {
	if (from?.total_cycle_time === undefined) return null;
	return {
		started: from.started_time ?? 0,
		finished: from.finished_time ?? 0,
		delivered: from.delivered_time ?? 0,
		rejected: from.rejected_time ?? 0,
	};
}

function readPast(from: api.Story): PastStory {
	return { ...readStory(from), cycle: readCycle(from.cycle_time_details) };
}

function readIteration(from: api.Iteration): PastIteration {
	return {
		...readFigures(from),
		weeks: from.length ?? 1,
		accepted_points: from.accepted_points ?? 0,
		stories: (from.stories ?? []).map(readPast),
	};
}

/** The last `count` iterations up to the current one, oldest first; the project must have that many. */
export async function loadIterations(id: number, count: number, signal: AbortSignal): Promise<PastIteration[]> {
	const found: PastIteration[] = [];
	while (found.length < count) {
		const limit = Math.min(PAGE, count - found.length);
		const back = found.length + limit - 1;
		// An offset of 0 would count from the project's first iteration.
		const where = back === 0 ? { scope: "current" } : { scope: "done_current", offset: -back, limit };
		const { data } = await get<api.Iteration[]>(
			`/projects/${id}/iterations`,
			{ ...where, fields: ITERATION_FIELDS },
			{ signal },
		);
		found.unshift(...data.map(readIteration));
		if (data.length < limit) break;
	}
	return found;
}

const dateOf = (day: number) => new Date(day * DAY).toISOString().slice(0, 10);

/** From a date until today: at most 366 days. */
export async function loadDays(id: number, first: number, signal: AbortSignal): Promise<Day[]> {
	const { data } = await get<api.DailyHistoryContainer>(
		`/projects/${id}/history/days`,
		{ start_date: dateOf(first) },
		{ signal },
	);
	return readDays(data.header ?? [], data.data);
}

export interface Iteration extends PastIteration {
	days: Day[];
	rejection_rate: number;
	bugs_created: number;
}

/** One iteration, with its days and totals. */
export async function loadIteration(id: number, number: number, signal: AbortSignal): Promise<Iteration> {
	const [iteration, days] = await Promise.all([
		get<api.Iteration>(`/projects/${id}/iterations/${number}`, { fields: `${ITERATION_FIELDS},analytics` }, { signal }),
		get<api.DailyHistoryContainer>(`/projects/${id}/history/iterations/${number}/days`, {}, { signal }),
	]);
	return {
		...readIteration(iteration.data),
		days: readDays(days.data.header ?? [], days.data.data),
		rejection_rate: iteration.data.analytics?.rejection_rate ?? 0,
		bugs_created: iteration.data.analytics?.bugs_created ?? 0,
	};
}

export interface Coming {
	overrides: Map<number, Override>;
	/** Waiting stories that need an estimate and have none. */
	unestimated: number;
}

/** Everything else that determines when the backlog will be done. */
export async function loadComing(project: Project, signal: AbortSignal): Promise<Coming> {
	const { id } = project;
	const special = project.iteration_override_numbers.some((n) => n >= project.current_iteration_number);
	const types = project.bugs_and_chores_are_estimatable ? "feature,bug,chore" : "feature";
	const [iterations, unestimated] = await Promise.all([
		special
			? get<api.Iteration[]>(
					`/projects/${id}/iterations`,
					{ scope: "current_backlog", limit: 100, fields: "number,length,team_strength" },
					{ signal },
				)
			: { data: [] },
		get<api.Story[]>(
			`/projects/${id}/stories`,
			{ filter: `type:${types} state:unstarted,planned estimate:-1`, limit: 1 },
			{ signal },
		),
	]);
	return {
		unestimated: unestimated.total,
		overrides: new Map(
			iterations.data.map((it) => [
				it.number,
				{ number: it.number, weeks: it.length ?? 0, strength: it.team_strength ?? -1 },
			]),
		),
	};
}
