/** The parts of a story or an epic, loaded when it is opened: description, tasks, comments and so on. */
import type * as api from "../api/types.gen";
import { LIST_KINDS, type LinkItem, type ListKind, READ_ITEM, readLists } from "./lists";

export interface Task {
	id: number;
	description: string;
	complete: boolean;
}

/** Who requested the import that created something, and when. */
export interface Imported {
	by: string;
	at: string;
}

export interface Comment {
	id: number;
	text: string;
	person_id: number;
	person: string;
	initials: string;
	created_at: string;
	/** If later than created_at, the comment was edited. */
	updated_at: string;
	commit: string;
	imported: Imported | null;
	files: api.FileAttachment[];
}

export interface DetailBlocker {
	id: number;
	description: string;
	resolved: boolean;
}

export interface DetailReview {
	id: number;
	review_type_id: number;
	reviewer_id: number | null;
	status: NonNullable<api.Review["status"]>;
}

/** A pull request or a branch. */
export type CodeLink = LinkItem;

/** Every list is present; an epic simply has no tasks and the like. */
export interface Detail extends Record<ListKind, LinkItem[]> {
	description: string;
	follower_ids: number[];
	created_at: string;
	updated_at: string;
	imported: Imported | null;
	tasks: Task[];
	comments: Comment[];
	blockers: DetailBlocker[];
	reviews: DetailReview[];
	pull_requests: CodeLink[];
	branches: CodeLink[];
	blocked_story_ids: number[];
}

export type Kind = "tasks" | "comments" | "blockers" | "reviews" | "pull_requests" | "branches" | ListKind;

const IMPORTED = "imported_at,imported_by(name)";

export const COMMENT_FIELDS =
	"id,text,person_id,person(id,name,initials),created_at,updated_at,commit_identifier,file_attachments(:default)," +
	IMPORTED;

const CODE = "pull_requests(:default),branches(:default)";

export const STORY_DETAIL =
	`id,description,follower_ids,created_at,updated_at,blocked_story_ids,${IMPORTED},${CODE},` +
	LIST_KINDS.map((kind) => `${kind}(:default),`).join("") +
	`tasks(id,description,complete,position),comments(${COMMENT_FIELDS}),` +
	"blockers(id,description,resolved),reviews(id,review_type_id,reviewer_id,status)";

export const EPIC_DETAIL = `id,description,follower_ids,created_at,updated_at,${CODE},comments(${COMMENT_FIELDS})`;

const readImported = (from: api.Comment | api.Story): Imported | null =>
	from.imported_at ? { by: from.imported_by?.name ?? "", at: from.imported_at } : null;

export function readComment(from: api.Comment): Comment {
	return {
		id: from.id,
		text: from.text ?? "",
		person_id: from.person_id ?? from.person?.id ?? 0,
		person: from.person?.name ?? "",
		initials: from.person?.initials ?? "",
		created_at: from.created_at ?? "",
		updated_at: from.updated_at ?? "",
		commit: from.commit_identifier ?? "",
		imported: readImported(from),
		files: from.file_attachments ?? [],
	};
}

const readTask = (from: api.Task): Task => ({
	id: from.id,
	description: from.description ?? "",
	complete: from.complete ?? false,
});

const readBlocker = (from: api.Blocker): DetailBlocker => ({
	id: from.id,
	description: from.description ?? "",
	resolved: from.resolved ?? false,
});

const readReview = (from: api.Review): DetailReview => ({
	id: from.id,
	review_type_id: from.review_type_id ?? 0,
	reviewer_id: from.reviewer_id ?? null,
	status: from.status ?? "unstarted",
});

function readPull(from: api.PullRequest): CodeLink {
	const url = from.original_url || `${from.host_url ?? ""}${from.owner}/${from.repo}/pull/${from.number}`;
	return {
		id: from.id,
		name: `${from.owner}/${from.repo} #${from.number}`,
		url,
		status: from.status === "unknown" ? "" : (from.status ?? ""),
	};
}

function readBranch(from: api.Branch): CodeLink {
	const url = from.original_url || `${from.host_url ?? ""}${from.owner}/${from.repo}/tree/${from.name}`;
	return { id: from.id, name: `${from.owner}/${from.repo} ${from.name}`, url, status: "" };
}

/** Converts an answer of each kind into the form used here. */
export const READ = {
	tasks: readTask,
	comments: readComment,
	blockers: readBlocker,
	reviews: readReview,
	pull_requests: readPull,
	branches: readBranch,
	...READ_ITEM,
} as const;

const byPosition = (a: api.Task, b: api.Task) => (a.position ?? 0) - (b.position ?? 0);

export function readDetail(from: api.Story & api.Epic): Detail {
	return {
		description: from.description ?? "",
		follower_ids: from.follower_ids ?? [],
		created_at: from.created_at ?? "",
		updated_at: from.updated_at ?? "",
		imported: readImported(from),
		tasks: [...(from.tasks ?? [])].sort(byPosition).map(readTask),
		comments: (from.comments ?? []).map(readComment),
		blockers: (from.blockers ?? []).map(readBlocker),
		reviews: (from.reviews ?? []).map(readReview),
		pull_requests: (from.pull_requests ?? []).map(readPull),
		branches: (from.branches ?? []).map(readBranch),
		...readLists(from),
		blocked_story_ids: from.blocked_story_ids ?? [],
	};
}
