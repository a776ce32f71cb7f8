/** A release: when it is due, its projected completion, and whether that is too late. */
import { formatDue, t } from "../text/i18n";
import type { Iteration } from "../model/plan";
import type { Story } from "../model/types";
import { Icon } from "../ui/icon";
import { useBoard } from "./context";
import type { Board } from "./model";
import { DAY } from "../model/calendar";

/** The iteration that contains a story that is not accepted; null: it is in the icebox. */
export function iterationOf(board: Board, id: number): Iteration | null {
	return board.store.plan.value?.iterations.find((it) => it.ids.includes(id)) ?? null;
}

/** Late: due before its iteration even begins. At risk: due before that iteration is over. */
export function riskOf(story: Story, it: Iteration | null): "late" | "risk" | "" {
	if (story.deadline === null || it === null) return "";
	const due = Date.parse(story.deadline);
	if (it.span.start > due) return "late";
	return it.span.finish - DAY > due ? "risk" : "";
}

export function ReleaseMark({ story }: { story: Story }) {
	const board = useBoard();
	const zone = board.store.project.value?.time_zone;
	const it = story.current_state === "accepted" ? null : iterationOf(board, story.id);
	const risk = riskOf(story, it);
	return (
		<span class={risk ? "mark is-late" : "mark"}>
			{risk && <Icon name="blocked" size={13} />}
			{[
				story.deadline && t("release.due", { day: formatDue(Date.parse(story.deadline), zone) }),
				it && t("release.projected", { day: formatDue(it.span.finish, zone) }),
				risk && t(`release.${risk}`),
			]
				.filter(Boolean)
				.join(" · ")}
		</span>
	);
}
