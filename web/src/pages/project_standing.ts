/**
 * The progress of each of a person's projects, for the dashboard: requested for many projects together. The current
 * iteration contains everything that is in progress, so the cost grows with the iterations, not with the projects.
 */
import type * as api from "../api/types.gen";
import { get, post, ROOT } from "../api/http";

export interface Standing {
	number: number;
	finish: number;
	/** The project's time zone. */
	zone: string | undefined;
	velocity: number;
	points: number;
	accepted: number;
	waits: Waits;
}

/** Stories in progress that need this person to act. */
export interface Waits {
	/** Requested by them, and delivered. */
	accept: number;
	/** Open reviews. */
	review: number;
	/** Owned by them, and started or rejected. */
	work: number;
}

/** Projects per request. */
const TOGETHER = 15;
const FIELDS =
	"number,finish,velocity,points,accepted_points," +
	"stories(current_state,owner_ids,requested_by_id,reviews(reviewer_id,status))";

const OWN: readonly unknown[] = ["started", "finished", "rejected"];
const UNDER_WAY: readonly unknown[] = [...OWN, "delivered"];
const OPEN: readonly unknown[] = ["unstarted", "in_review"];

const pathOf = (project: number) => `${ROOT}/projects/${project}/iterations?scope=current&fields=${FIELDS}`;

export function waitsOf(stories: readonly api.Story[], me: number): Waits {
	const waits = { accept: 0, review: 0, work: 0 };
	for (const { current_state, owner_ids, requested_by_id, reviews } of stories) {
		if (!UNDER_WAY.includes(current_state)) continue;
		if (current_state === "delivered" && requested_by_id === me) waits.accept++;
		else if (OWN.includes(current_state) && owner_ids?.includes(me)) waits.work++;
		if (reviews?.some((review) => review.reviewer_id === me && OPEN.includes(review.status))) waits.review++;
	}
	return waits;
}

function read(from: api.Iteration, zone: string | undefined, me: number): Standing {
	return {
		number: from.number,
		finish: Date.parse(from.finish ?? ""),
		zone,
		velocity: from.velocity ?? 0,
		points: from.points ?? 0,
		accepted: from.accepted_points ?? 0,
		waits: waitsOf(from.stories ?? [], me),
	};
}

/** By project; projects that are no longer visible are missing. `ids`: separated by commas. */
export async function loadStandings(ids: string, me: number): Promise<Map<number, Standing>> {
	const projects = ids.split(",").filter(Boolean).map(Number);
	const chunks: number[][] = [];
	for (let at = 0; at < projects.length; at += TOGETHER) chunks.push(projects.slice(at, at + TOGETHER));
	const [all, ...answers] = await Promise.all([
		get<api.Project[]>("/projects", { fields: "id,time_zone" }),
		...chunks.map((some) => post<Record<string, api.Iteration[]>>("/aggregator", some.map(pathOf))),
	]);
	const zones = new Map(all.data.map((project) => [project.id, project.time_zone?.olson_name]));
	const parts = Object.assign({}, ...answers.map((answer) => answer.data)) as Record<string, api.Iteration[]>;
	const found = new Map<number, Standing>();
	for (const id of projects) {
		const part = parts[pathOf(id)];
		if (Array.isArray(part) && part[0]) found.set(id, read(part[0], zones.get(id), me));
	}
	return found;
}

/** The search that finds what waits for them. */
export function searchOf(username: string): string {
	const who = /^[\w.-]+$/.test(username) ? username : JSON.stringify(username);
	return [
		`(requester:${who} state:delivered)`,
		`(owner:${who} state:${OWN.join(",")})`,
		`(reviewer:${who} state:${UNDER_WAY.join(",")} (${OPEN.map((word) => `review_status:${word}`).join(" OR ")}))`,
	].join(" OR ");
}
