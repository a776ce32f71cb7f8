/** Of a release: when it is due, when it will be there as things stand, and whether that is too late. */
import { formatDay, t } from "../app/i18n";
import type { Iteration } from "../model/plan";
import type { Story } from "../model/types";
import { Icon } from "../ui/icon";
import type { Board } from "./model";

/** The iteration that holds a story which is not accepted; null: the icebox. */
export function iterationOf(board: Board, id: number): Iteration | null {
	return board.store.plan.value?.iterations.find((it) => it.ids.includes(id)) ?? null;
}

/** Due before the iteration that holds it even begins. */
export function isLate(story: Story, it: Iteration | null): boolean {
	return story.deadline !== null && it !== null && it.span.start > Date.parse(story.deadline);
}

export function ReleaseMark({ board, story }: { board: Board; story: Story }) {
	const zone = board.store.project.value?.time_zone;
	const it = story.current_state === "accepted" ? null : iterationOf(board, story.id);
	const late = isLate(story, it);
	return (
		<span class={late ? "mark is-late" : "mark"}>
			{late && <Icon name="blocked" size={13} />}
			{[
				story.deadline && t("release.due", { day: formatDay(Date.parse(story.deadline), zone) }),
				it && t("release.projected", { day: formatDay(it.span.finish, zone) }),
				late && t("release.late"),
			]
				.filter(Boolean)
				.join(" · ")}
		</span>
	);
}
