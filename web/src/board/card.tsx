/** A story as a line of a panel: type, title, owners, points, and the next step. */
import { useBoard, usePanel } from "./context";
import { CardButtons } from "./card_buttons";
import { shownIds } from "./focus";
import { presentAt } from "./present";
import { ReleaseMark } from "./release";
import { moveMenu } from "./move_menu";
import { Icon } from "../ui/icon";
import { memo } from "../ui/memo";
import { t } from "../text/i18n";
import { open } from "../app/layout";
import { UnsavedMark } from "./unsaved_mark";
import { StoryForm } from "./lazy_parts";
import { blockersOf } from "../model/states";
import type { Story } from "../model/types";
import type { Board } from "./model";

export function pointsText(estimate: number | null): string {
	return estimate === null ? t("unestimated") : t("points", { n: estimate });
}

/** What a reader hears of a card. */
export function cardLabel(story: Story): string {
	return [
		story.name,
		t(`type.${story.story_type}`),
		pointsText(story.estimate),
		t(`state.${story.current_state}`),
	].join(", ");
}

function Labels({ board, story }: { board: Board; story: Story }) {
	const labels = story.label_ids.flatMap((id) => board.store.labels.value.get(id) ?? []);
	const epics = new Set(board.store.epics.value.map((e) => e.label_id));
	return (
		<span class="labels">
			{labels.map((label) => (
				<button
					key={label.id}
					type="button"
					tabIndex={-1}
					class={epics.has(label.id) ? "label is-epic" : "label"}
					onClick={() => open(board.layout, { kind: "label", arg: String(label.id) })}
				>
					{label.name}
				</button>
			))}
		</span>
	);
}

function Owners({ board, story }: { board: Board; story: Story }) {
	const owners = story.owner_ids.flatMap((id) => board.store.members.value.get(id) ?? []);
	return (
		<span class="owners">
			{owners.map((o) => (
				<button
					key={o.id}
					type="button"
					class="avatar"
					tabIndex={-1}
					title={t("owned_by", { name: o.name })}
					onClick={() => open(board.layout, { kind: "person", arg: String(o.id) })}
				>
					<span aria-hidden="true">{o.initials}</span>
					<span class="hidden">{o.name}</span>
				</button>
			))}
		</span>
	);
}

/** Signs of what hangs on it. Like check() and points() it is no component: there are thousands, each with its own watch over signals. */
function marks(story: Story) {
	const blockers = blockersOf(story);
	const reviews = story.reviews.filter((r) => r.status !== "pass").length;
	const comments = story.comment_ids.length;
	return (
		<>
			{blockers > 0 && (
				<span class="mark is-blocked" title={t("blocked_by", { n: blockers })}>
					<Icon name="blocked" size={13} />
					<span class="hidden">{t("blocked_by", { n: blockers })}</span>
				</span>
			)}
			{reviews > 0 && (
				<span class="mark" title={t("reviews_open", { n: reviews })}>
					<Icon name="review" size={13} />
					<span class="hidden">{t("reviews_open", { n: reviews })}</span>
				</span>
			)}
			{comments > 0 && (
				<span class="mark" title={t("comments", { n: comments })}>
					<Icon name="comment" size={13} />
					<span aria-hidden="true">{comments}</span>
					<span class="hidden">{t("comments", { n: comments })}</span>
				</span>
			)}
			{story.story_type === "release" && <ReleaseMark story={story} />}
		</>
	);
}

function points(story: Story) {
	if (story.estimate === null || story.story_type === "release") return <span class="points" />;
	return (
		<span class="points" title={pointsText(story.estimate)}>
			{story.estimate}
		</span>
	);
}

function check(board: Board, id: number) {
	return (
		<input
			type="checkbox"
			class="select"
			tabIndex={-1}
			aria-label={t("select")}
			checked={board.selection.has(id)}
			onClick={(event) => {
				const order = event.shiftKey ? shownIds(event.currentTarget) : null;
				if (order) board.selection.extend(id, order);
				else board.selection.toggle(id);
			}}
		/>
	);
}

function turn(board: Board, id: number, panel: string, isOpen: boolean): void {
	if (isOpen) board.opened.close(id);
	else if (id > 0) board.opened.open(id, panel);
}

const CONTROL = "button, input, a, .form, .title";

/** A click on the title, or anywhere that is no control; the second one of a double click is none. */
function isTurn(event: MouseEvent): boolean {
	const at = (event.target as Element).closest(CONTROL);
	return event.detail < 2 && (!at || at.matches(".title"));
}

function pressed(event: KeyboardEvent): void {
	if (event.key !== "Enter" && event.key !== " ") return;
	event.preventDefault();
	(event.currentTarget as HTMLElement).click();
}

/** Of a longer title the card shows the beginning. */
const LONG = 400;

export const Card = memo(({ id }: { id: number }) => {
	const board = useBoard();
	const panel = usePanel();
	const story = board.store.story(id);
	if (!story) return null;
	const isOpen = board.opened.place(id).value === panel;
	const more = `${story.is_new ? " is-waiting" : ""}${board.selection.has(id) ? " is-selected" : ""}${isOpen ? " is-open" : ""}`;
	return (
		<li
			class={`card type-${story.story_type} state-${story.current_state}${more}`}
			data-story={id}
			aria-label={cardLabel(story)}
			onClick={(event) => isTurn(event) && turn(board, id, panel, isOpen)}
		>
			{check(board, id)}
			{Icon({ name: story.story_type })}
			{points(story)}
			<span class="body">
				{/* A <button> is no inline box: what comes behind it would begin a line of its own. */}
				<span
					role="button"
					class={story.name.length > LONG ? "title is-long" : "title"}
					tabIndex={-1}
					aria-expanded={isOpen}
					onKeyDown={pressed}
				>
					{story.name}
				</span>
				{story.owner_ids.length > 0 && <Owners board={board} story={story} />}
				{marks(story)}
				{!isOpen && <UnsavedMark of={`${board.id}.story.${id}`} />}
				{!isOpen && presentAt(id).value?.(board)}
				{story.label_ids.length > 0 && <Labels board={board} story={story} />}
				<span class="side">
					<span class="state-word">{t(`state.${story.current_state}`)}</span>
					<CardButtons board={board} story={story} />
					{moveMenu(board, story)}
				</span>
			</span>
			{isOpen && <StoryForm id={id} />}
		</li>
	);
});
