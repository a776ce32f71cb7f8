/** What a board loads from a project, in the order in which it is painted. */
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
/** Stories in the first page: as many as a panel shows, and some more. */
const FIRST = 100;

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

/** What is known about an iteration without its stories. */
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

/** What a board shows first. */
const loadFirst = (id: number) => Promise.all([loadFrame(id), loadCurrent(id)]);

let ahead: { id: number; first: ReturnType<typeof loadFirst> } | null = null;

/** Loads the board while the sign-in is still being checked: most often it is the same person as last time. */
export function askAhead(id: number): void {
	const first = loadFirst(id);
	first.catch(() => {}); // takeFirst() handles the error
	ahead = { id, first };
}

/** What was loaded ahead is taken only once. */
export function takeFirst(id: number): ReturnType<typeof loadFirst> {
	const asked = ahead?.id === id ? ahead.first.catch(() => loadFirst(id)) : loadFirst(id);
	ahead = null;
	return asked;
}

/** Done iterations, newest last; `skip` is counted back from the current one. */
export async function loadDone(
	id: number,
	skip: number,
	count: number,
): Promise<{ iterations: LoadedIteration[]; version: number }> {
	const { data, version } = await get<api.Iteration[]>(`/projects/${id}/iterations`, {
		scope: "done",
		offset: -(skip + count),
		limit: count,
		fields: `${ITERATION_FIELDS},stories(${STORY_FIELDS})`,
	});
	return { iterations: data.map(readIteration), version };
}

/** Future iterations with another length or strength than usual. */
export async function loadOverrides(id: number): Promise<LoadedIteration[]> {
	const { data } = await get<api.Iteration[]>(`/projects/${id}/iterations`, {
		scope: "current_backlog",
		limit: 100,
		fields: ITERATION_FIELDS,
	});
	return data.map(readIteration);
}

/**
 * Loads all stories in some states, in their order. If there are several pages, `show` first gets the stories of the
 * first one; at the end it gets all, with the lowest version of the pages. Once nobody needs them, no page is requested.
 */
export async function loadStates(
	id: number,
	states: string,
	show: (stories: Story[], isAll: boolean, version: number) => void,
	isOver: () => boolean = () => false,
): Promise<void> {
	const page = (offset: number, limit: number): Promise<Reply<api.Story[]>> =>
		get<api.Story[]>(`/projects/${id}/stories`, { with_state: states, limit, offset, fields: STORY_FIELDS });
	const first = await page(0, FIRST);
	if (isOver()) return;
	const offsets = [];
	for (let at = FIRST; at < first.total; at += PAGE) offsets.push(at);
	const others = offsets.map((at) => page(at, PAGE));
	if (others.length > 0) show(first.data.map(readStory), false, first.version);
	const pages = [first, ...(await Promise.all(others))];
	const seen = new Map<number, Story>();
	for (const { data } of pages) for (const story of data) seen.set(story.id, readStory(story));
	show([...seen.values()], true, Math.min(...pages.map((p) => p.version)));
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

/** The current stories with their places, and the project's version then; deleted ones are left out. */
export async function loadStandings(
	id: number,
	ids: readonly number[],
): Promise<{ standings: Standing[]; version: number }> {
	const { data, version } = await get<api.Story[]>(`/projects/${id}/stories/bulk`, {
		ids: ids.join(","),
		fields: STANDING_FIELDS,
	});
	return { standings: data.map(readStanding), version };
}
