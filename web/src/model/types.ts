/**
 * What the board stores about a project. The server leaves out empty values; here everything is present, so that
 * stories can be compared field by field.
 */
import type * as api from "../api/types.gen";

export type StoryType = NonNullable<api.Story["story_type"]>;
export type State = NonNullable<api.Story["current_state"]>;
export type Priority = NonNullable<api.Story["story_priority"]>;

export interface Blocker {
	id: number;
	description: string;
	resolved: boolean;
}

export interface Review {
	id: number;
	review_type_id: number;
	reviewer_id: number | null;
	status: NonNullable<api.Review["status"]>;
}

export interface Story {
	id: number;
	name: string;
	story_type: StoryType;
	current_state: State;
	estimate: number | null;
	story_priority: Priority;
	requested_by_id: number | null;
	owner_ids: number[];
	label_ids: number[];
	comment_ids: number[];
	blockers: Blocker[];
	reviews: Review[];
	deadline: string | null;
	accepted_at: string | null;
	/** True while the server has not answered yet. */
	is_new: boolean;
}

export interface Label {
	id: number;
	name: string;
}

export interface Epic {
	id: number;
	name: string;
	label_id: number | null;
}

export interface Member {
	id: number;
	name: string;
	initials: string;
	username: string;
	role: "owner" | "member" | "viewer";
}

export interface Project {
	id: number;
	name: string;
	description: string;
	account_id: number;
	point_scale: string;
	bugs_and_chores_are_estimatable: boolean;
	automatic_planning: boolean;
	enable_tasks: boolean;
	iteration_length: number;
	initial_velocity: number;
	velocity_averaged_over: number;
	week_start_day: string;
	time_zone: string;
	current_velocity: number;
	current_iteration_number: number;
	iteration_override_numbers: number[];
	show_priority: boolean;
	public: boolean;
}

/** The fields of a card; descriptions and comments are loaded when a story is opened. */
export const STORY_FIELDS =
	"id,name,story_type,current_state,estimate,story_priority,requested_by_id,owner_ids,label_ids," +
	"comment_ids,deadline,accepted_at,blockers(id,description,resolved)," +
	"reviews(id,review_type_id,reviewer_id,status)";

export function readStory(from: api.Story): Story {
	return {
		id: from.id,
		name: from.name ?? "",
		story_type: from.story_type ?? "feature",
		current_state: from.current_state ?? "unscheduled",
		estimate: from.estimate ?? null,
		story_priority: from.story_priority ?? "none",
		requested_by_id: from.requested_by_id ?? null,
		owner_ids: from.owner_ids ?? [],
		label_ids: from.label_ids ?? [],
		comment_ids: from.comment_ids ?? [],
		blockers: (from.blockers ?? []).map((b) => ({
			id: b.id,
			description: b.description ?? "",
			resolved: b.resolved ?? false,
		})),
		reviews: (from.reviews ?? []).map((r) => ({
			id: r.id,
			review_type_id: r.review_type_id ?? 0,
			reviewer_id: r.reviewer_id ?? null,
			status: r.status ?? "unstarted",
		})),
		deadline: from.deadline ?? null,
		accepted_at: from.accepted_at ?? null,
		is_new: false,
	};
}

/** A story of which nothing is said. */
export function blankStory(): Omit<Story, "id" | "is_new"> {
	const { id: _i, is_new: _n, ...story } = readStory({ id: 0 });
	return story;
}

export function readProject(from: api.Project): Project {
	return {
		id: from.id,
		name: from.name ?? "",
		description: from.description ?? "",
		account_id: from.account_id ?? 0,
		point_scale: from.point_scale ?? "0,1,2,3",
		bugs_and_chores_are_estimatable: from.bugs_and_chores_are_estimatable ?? false,
		automatic_planning: from.automatic_planning ?? true,
		enable_tasks: from.enable_tasks ?? true,
		iteration_length: from.iteration_length ?? 1,
		initial_velocity: from.initial_velocity ?? 10,
		velocity_averaged_over: from.velocity_averaged_over ?? 3,
		week_start_day: from.week_start_day ?? "Monday",
		time_zone: from.time_zone?.olson_name ?? "UTC",
		current_velocity: from.current_velocity ?? from.initial_velocity ?? 10,
		current_iteration_number: from.current_iteration_number ?? 1,
		iteration_override_numbers: from.iteration_override_numbers ?? [],
		show_priority: from.show_story_priority ?? false,
		public: from.public ?? false,
	};
}

export function readMember(from: api.ProjectMembership): Member {
	return {
		id: from.person?.id ?? from.person_id ?? 0,
		name: from.person?.name ?? "",
		initials: from.person?.initials ?? "",
		username: from.person?.username ?? "",
		role: from.role ?? "member",
	};
}

/** Whether both look the same on a card. */
export function sameStory(a: Story, b: Story): boolean {
	return a === b || JSON.stringify(a) === JSON.stringify(b);
}
