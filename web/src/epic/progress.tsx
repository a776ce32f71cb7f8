/** How much of an epic is done: accepted, in progress, and total, in points. */
import { signal, type Signal } from "@preact/signals";
import { get } from "../api/http";
import type * as api from "../api/types.gen";
import { formatDate, t } from "../text/i18n";
import { useBoard } from "../board/context";
import type { Board } from "../board/model";
import type { Epic, Story } from "../model/types";

export interface Past {
	points: number;
	stories: number;
	projected: string;
}

/** What past iterations contain of each epic. */
const pasts = new WeakMap<Board, Signal<ReadonlyMap<number, Past>>>();

export function pastOf(board: Board): Signal<ReadonlyMap<number, Past>> {
	let past = pasts.get(board);
	if (!past) pasts.set(board, (past = signal(new Map())));
	return past;
}

const FIELDS = "id,past_done_story_estimates,past_done_stories_count,projected_completion";

export async function loadPast(board: Board): Promise<void> {
	const { data } = await get<api.Epic[]>(`/projects/${board.id}/epics`, { fields: FIELDS });
	pastOf(board).value = new Map(
		data.map((e) => [
			e.id,
			{
				points: e.past_done_story_estimates ?? 0,
				stories: e.past_done_stories_count ?? 0,
				projected: e.projected_completion ?? "",
			},
		]),
	);
}

export interface Progress {
	accepted: number;
	started: number;
	total: number;
	stories: number;
}

const STARTED = new Set(["started", "finished", "delivered", "rejected"]);

/** `ids`: the stories of the board, without those of past iterations. */
export function progressOf(
	epic: Epic,
	ids: readonly number[],
	look: (id: number) => Story | undefined,
	past?: Past,
): Progress {
	const sum = { accepted: past?.points ?? 0, started: 0, total: past?.points ?? 0, stories: past?.stories ?? 0 };
	for (const id of ids) {
		const story = look(id);
		if (!story || !epic.label_id || !story.label_ids.includes(epic.label_id)) continue;
		const points = story.estimate ?? 0;
		sum.stories++;
		sum.total += points;
		if (story.current_state === "accepted") sum.accepted += points;
		else if (STARTED.has(story.current_state)) sum.started += points;
	}
	return sum;
}

export function ProgressBar({ progress, projected }: { progress: Progress; projected: string }) {
	const zone = useBoard().store.project.value?.time_zone;
	const { accepted, started, total, stories } = progress;
	const part = (points: number) => `${total > 0 ? (100 * points) / total : 0}%`;
	const done = t("points_of", { done: accepted, n: total });
	return (
		<div class="epic-progress">
			<div
				class="bar"
				role="progressbar"
				aria-label={done}
				aria-valuenow={accepted}
				aria-valuemin={0}
				aria-valuemax={total}
			>
				<span class="is-accepted" style={{ width: part(accepted) }} />
				<span class="is-started" style={{ width: part(started) }} />
			</div>
			<span class="hint">
				{done} · {t("epic.stories", { n: stories })}
				{projected && ` · ${t("epic.projected", { day: formatDate(Date.parse(projected), zone) })}`}
			</span>
		</div>
	);
}
