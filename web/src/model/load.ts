/** What a board loads of a project, in the order in which it is painted. */
import type * as api from "../api/types.gen";
import { get, type Reply } from "../api/http";
import {
	readMember,
	readProject,
	readStory,
	STORY_FIELDS,
	type Epic,
	type Label,
	type Member,
	type Project,
	type Story,
} from "./types";
import { sectionOf, type Section } from "./order";

const PAGE = 500;

export interface Frame {
	project: Project;
	labels: Label[];
	epics: Epic[];
	members: Member[];
	reviewTypes: { id: number; name: string }[];
}

const PROJECT_FIELDS =
	":default,current_velocity,iteration_override_numbers,labels(id,name)," +
	"epics(id,name,label_id),memberships(role,person(id,name,initials,username)),review_types(id,name,hidden)";

export async function loadFrame(id: number): Promise<Frame & { version: number }> {
	const { data, version } = await get<api.Project>(`/projects/${id}`, { fields: PROJECT_FIELDS });
	return {
		version: version || (data.version ?? 0),
		project: readProject(data),
		labels: (data.labels ?? []).map((l) => ({ id: l.id, name: l.name ?? "" })),
		epics: (data.epics ?? []).map((e) => ({
			id: e.id,
			name: e.name ?? "",
			label_id: e.label_id ?? null,
		})),
		members: (data.memberships ?? []).map(readMember),
		reviewTypes: (data.review_types ?? []).map((r) => ({ id: r.id, name: r.name ?? "" })),
	};
}

export interface LoadedIteration {
	number: number;
	start: number;
	finish: number;
	length: number;
	strength: number;
	points: number;
	velocity: number;
	stories: Story[];
}

const ITERATION_FIELDS = "number,start,finish,length,team_strength,points,velocity";

/** What is known of an iteration without its stories. */
export function readFigures(from: api.Iteration) {
	return {
		number: from.number,
		start: Date.parse(from.start ?? ""),
		finish: Date.parse(from.finish ?? ""),
		strength: from.team_strength ?? 1,
		points: from.points ?? 0,
		velocity: from.velocity ?? 0,
	};
}

function readIteration(from: api.Iteration): LoadedIteration {
	return { ...readFigures(from), length: from.length ?? 1, stories: (from.stories ?? []).map(readStory) };
}

export async function loadCurrent(id: number): Promise<{ iteration: LoadedIteration; version: number }> {
	const { data, version } = await get<api.Iteration[]>(`/projects/${id}/iterations`, {
		scope: "current",
		fields: `${ITERATION_FIELDS},stories(${STORY_FIELDS})`,
	});
	return { iteration: readIteration(data[0] ?? { number: 1 }), version };
}

/** Done iterations, newest last; `skip` counts back from the current one. */
export async function loadDone(id: number, skip: number, count: number): Promise<LoadedIteration[]> {
	const { data } = await get<api.Iteration[]>(`/projects/${id}/iterations`, {
		scope: "done",
		offset: -(skip + count),
		limit: count,
		fields: `${ITERATION_FIELDS},stories(${STORY_FIELDS})`,
	});
	return data.map(readIteration);
}

/** Overridden lengths and strengths of future iterations. */
export async function loadOverrides(id: number): Promise<LoadedIteration[]> {
	const { data } = await get<api.Iteration[]>(`/projects/${id}/iterations`, {
		scope: "current_backlog",
		limit: 100,
		fields: ITERATION_FIELDS,
	});
	return data.map(readIteration);
}

/** All stories of some states in their order; the lowest version of the pages. */
export async function loadStates(id: number, states: string): Promise<{ stories: Story[]; version: number }> {
	const page = (offset: number): Promise<Reply<api.Story[]>> =>
		get<api.Story[]>(`/projects/${id}/stories`, {
			with_state: states,
			limit: PAGE,
			offset,
			fields: STORY_FIELDS,
		});
	const first = await page(0);
	const offsets = [];
	for (let at = PAGE; at < first.total; at += PAGE) offsets.push(at);
	const pages = [first, ...(await Promise.all(offsets.map(page)))];
	const seen = new Map<number, Story>();
	for (const { data } of pages) for (const story of data) seen.set(story.id, readStory(story));
	return { stories: [...seen.values()], version: Math.min(...pages.map((p) => p.version)) };
}

export interface Standing {
	story: Story;
	section: Section;
	after: number | null;
	before: number | null;
}

export function readStanding(from: api.Story): Standing {
	const story = readStory(from);
	return {
		story,
		section: sectionOf(story.current_state),
		after: from.after_id ?? null,
		before: from.before_id ?? null,
	};
}

export const STANDING_FIELDS = `${STORY_FIELDS},after_id,before_id`;

/** The current stories with their places; deleted ones are left out. */
export async function loadStories(id: number, ids: readonly number[]): Promise<Standing[]> {
	const { data } = await get<api.Story[]>(`/projects/${id}/stories/bulk`, {
		ids: ids.join(","),
		fields: STANDING_FIELDS,
	});
	return data.map(readStanding);
}
