/** How to begin, on a project's empty board, and then what comes next: until all is done, or sent away. */
import { useEffect, useState } from "preact/hooks";
import { t } from "../text/i18n";
import { me } from "../app/session";
import { say } from "../app/toast";
import { Icon } from "../ui/icon";
import { startAdding } from "./add_story";
import { useBoard } from "./context";
import type { Board } from "./model";
import { FIRST_STEPS } from "./lazy_parts";

const STEPS = ["add", "estimate", "drag", "start"] as const;
type Step = (typeof STEPS)[number];

/** What has not been done yet. */
function stepsLeft({ store }: Board): Step[] {
	store.tick.value;
	const { done, work, planned, backlog } = store.order.value;
	const isDone: Record<Step, boolean> = {
		add: store.all().length > 0,
		estimate: store.all().some((story) => story.estimate !== null),
		drag: [...done, ...work, ...planned, ...backlog].length > 0,
		start: [...done, ...work].length > 0,
	};
	return STEPS.filter((step) => !isDone[step]);
}

function Ways({ board, isBegun }: { board: Board; isBegun: boolean }) {
	const isOwner = board.store.members.value.get(me.value?.id ?? 0)?.role === "owner";
	return (
		<p class="actions">
			{!isBegun && (
				<button type="button" class="primary" onClick={() => startAdding(board)}>
					{t("first.button")}
				</button>
			)}
			{isOwner && (
				<>
					<a class="button" href={`/projects/${board.id}/import`}>
						{t("first.import")}
					</a>
					<a class="button" href={`/projects/${board.id}/members`}>
						{t("first.invite")}
					</a>
				</>
			)}
		</p>
	);
}

/** All of them, or once something is done what comes next, in one line. */
function Steps({ left }: { left: readonly Step[] }) {
	const next = left[0];
	if (left.length === STEPS.length || !next)
		return (
			<ol>
				{STEPS.map((step) => (
					<li key={step}>{t(`first.${step}`)}</li>
				))}
			</ol>
		);
	return (
		<p class="next-step" role="status">
			<b>{t("first.done", { done: STEPS.length - left.length, n: STEPS.length })}</b> {t(`first.${next}`)}
		</p>
	);
}

export default function FirstSteps() {
	const board = useBoard();
	const key = FIRST_STEPS + board.id;
	const [isOver, setOver] = useState(localStorage.getItem(key) === "over");
	const left = stepsLeft(board);
	const isDone = left.length === 0;
	useEffect(() => {
		if (isOver || isDone) localStorage.setItem(key, "over");
		else localStorage.setItem(key, "begun");
		if (isDone && !isOver) {
			setOver(true);
			say(t("first.all_done"));
		}
	}, [key, isOver, isDone]);
	if (isOver || isDone) return null;
	const isBegun = left.length < STEPS.length;
	return (
		<div class={isBegun ? "first-steps is-begun" : "first-steps"} role="group" aria-label={t("first.title")}>
			<h2>{t("first.title")}</h2>
			<button
				type="button"
				class="quiet icon-only away"
				aria-label={t("first.away")}
				title={t("first.away")}
				onClick={() => setOver(true)}
			>
				<Icon name="close" />
			</button>
			<Steps left={left} />
			<Ways board={board} isBegun={isBegun} />
		</div>
	);
}
