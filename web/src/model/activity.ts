/** What others changed, according to the server: which parts of the project must be reloaded. */
import type * as api from "../api/types.gen";
import { LISTED } from "./lists";

export interface News {
	/** Stories that are new, changed or moved. */
	stories: Set<number>;
	gone: Set<number>;
	labels: boolean;
	epics: boolean;
	/** Settings, members or strengths: the frame of the board. */
	frame: boolean;
	/** An activity of unknown kind: all lists are reloaded. */
	unknown: boolean;
}

interface Change {
	kind?: string;
	change_type?: string;
	id?: number;
	new_values?: Record<string, unknown>;
}

const QUIET = new Set(["file_attachment", "google_attachment", "follower", "task", "reaction", "person"]);
const PARTS = new Set(["comment", "blocker", "review", "pull_request", "branch", "blocking", ...LISTED]);

export function readNews(activities: readonly api.Activity[]): News {
	const news: News = {
		stories: new Set(),
		gone: new Set(),
		labels: false,
		epics: false,
		frame: false,
		unknown: false,
	};
	for (const activity of activities) {
		for (const change of (activity.changes ?? []) as Change[]) readChange(news, change);
		for (const resource of (activity.primary_resources ?? []) as { kind?: string; id?: number }[])
			if (resource.kind === "story" && resource.id && !news.gone.has(resource.id)) news.stories.add(resource.id);
		if (activity.kind === "story_move_from_project_activity")
			for (const change of (activity.changes ?? []) as Change[])
				if (change.kind === "story" && change.id) news.gone.add(change.id);
		if (activity.kind === "project_import_activity" || activity.kind === "model_import_activity") news.unknown = true;
	}
	for (const id of news.gone) news.stories.delete(id);
	return news;
}

function readChange(news: News, change: Change): void {
	const { kind = "", change_type: type, id = 0 } = change;
	if (kind === "story") {
		if (type === "delete") news.gone.add(id);
		else {
			news.gone.delete(id);
			news.stories.add(id);
		}
	} else if (kind === "label") {
		// The counts of labels change with every story; only their names matter here.
		news.labels ||= type !== "update" || "name" in (change.new_values ?? {});
	} else if (kind === "epic") news.epics = true;
	else if (!QUIET.has(kind) && !PARTS.has(kind)) news.frame = true;
}
