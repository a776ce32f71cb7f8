/** The next steps of a story, or, if it has no estimate, the points to choose from. */
import { formatNumber, t } from "../text/i18n";
import { me } from "../app/session";
import { estimate, step } from "../model/commands";
import { needsEstimate, scale, stepsOf, type Step } from "../model/states";
import type { Story } from "../model/types";
import { shownDialog } from "../ui/dialog";
import { RejectDialog } from "./lazy_parts";
import type { Board } from "./model";

/** What a state button does; Reject asks for a reason first. */
export function takeStep(board: Board, id: number, wanted: Step): void {
	const person = me.peek()?.id ?? 0;
	if (wanted.name !== "reject") {
		board.do(step(board.store, id, wanted.to, person));
		return;
	}
	const reject = (comment: string) => board.do(step(board.store, id, wanted.to, person, comment || undefined));
	const draft = `${board.id}.reject.${id}`;
	shownDialog.value = <RejectDialog name={board.store.peek(id)?.name ?? ""} draft={draft} reject={reject} />;
}

function Estimates({ board, story }: { board: Board; story: Story }) {
	return (
		<span class="estimates" role="group" aria-label={t("estimate")}>
			{scale(board.store.project.value!).map((n) => (
				<button
					key={n}
					type="button"
					tabIndex={-1}
					class="estimate"
					aria-label={t("estimate_points", { n })}
					title={t("points", { n })}
					onClick={() => board.do(estimate(board.store, story.id, n))}
				>
					{formatNumber(n)}
				</button>
			))}
		</span>
	);
}

export function CardButtons({ board, story }: { board: Board; story: Story }) {
	const project = board.store.project.value;
	if (!project || !board.canWrite.value) return null;
	if (needsEstimate(project, story) && story.current_state !== "accepted")
		return <Estimates board={board} story={story} />;
	return (
		<>
			{stepsOf(story).map((s) => (
				<button
					key={s.name}
					type="button"
					tabIndex={-1}
					class={`step is-${s.name}`}
					onClick={() => takeStep(board, story.id, s)}
				>
					{t(`step.${s.name}`)}
				</button>
			))}
		</>
	);
}
