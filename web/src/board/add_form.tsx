/** Adds stories by title: one line at the top of a panel, ready for the next title until it is closed. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { newOf } from "./add_story";
import { useBoard } from "./context";
import { t } from "../text/i18n";
import { me } from "../app/session";
import { warn } from "../app/toast";
import type { Command, Typed } from "../model/command";
import { add } from "../model/commands";
import { keepText, keepTyped, readText } from "../model/drafts";
import { focusCard } from "./focus";
import type { Board } from "./model";
import { SeveralStories, type ListName } from "./lazy_parts";
import { renumbered } from "./roving";
import { blankStory, type State, type Story, type StoryType } from "../model/types";
import { TYPES } from "../model/states";

type Wish = Pick<Story, "name" | "story_type" | "current_state">;

function newStory(board: Board, to: ListName, story: Wish): Command {
	const command = add(board.store, {
		...blankStory(),
		...story,
		requested_by_id: me.peek()?.id ?? null,
	});
	const own = command.ids[0]!;
	command.done = ({ id }) => renumbered(own, id);
	return Object.assign(command, { of: newOf(board), typed: { field: to, text: story.name } });
}

/** Adds stories, the first one on top. Returns the command of the first; null: a title is too long. */
function addStories(board: Board, to: ListName, names: readonly string[], type: StoryType): Command | null {
	if (names.some((name) => [...name].length > LONGEST)) {
		warn(t("title_long", { n: LONGEST }));
		return null;
	}
	const state = STATE[to];
	const commands = names.map((name) => newStory(board, to, { name, story_type: type, current_state: state }));
	const first = commands[0]!;
	// A new story goes to the top of the Icebox, or to the end of the Backlog.
	if (state === "unscheduled") commands.reverse();
	if (names.length === 1) board.do(first);
	else board.doAll({ key: "did.added_many", values: { n: names.length } }, commands);
	return first;
}

/** Maximum length of a title, in characters. */
const LONGEST = 5000;
/** Maximum length of a paste, which may contain many titles. */
const PASTED = 200_000;

const STATE: Record<ListName, State> = {
	current: "unstarted",
	backlog: "unstarted",
	icebox: "unscheduled",
};

/** The field has the focus while it exists; afterwards the card that was added last has it, or what had it before. */
function useFocus() {
	const field = useRef<HTMLTextAreaElement>(null);
	const last = useRef<Command | null>(null);
	useLayoutEffect(() => {
		const before = document.activeElement as HTMLElement | null;
		field.current?.focus();
		return () => {
			const card = document.querySelector(`[data-story="${last.current?.ids[0]}"]`);
			if (card) focusCard(card);
			else if (before?.isConnected) before.focus();
		};
	}, []);
	return { field, last };
}

/** The title as it is typed, stored with each key. A refused one goes back to its list's field, or is there the next time. */
function useTyped(board: Board, to: ListName) {
	const key = newOf(board);
	const read = () => readText(key, to);
	const [typed, setTyped] = useState(read);
	const typing = (value: string) => {
		keepText(key, to, value);
		setTyped(value);
	};
	const takeBack = (refused: Typed) => {
		keepTyped(key, refused);
		setTyped(read());
	};
	board.editors.set(key, { takeBack });
	return [typed, typing] as const;
}

function TypeSelect({ type, set }: { type: StoryType; set: (type: StoryType) => void }) {
	return (
		<select aria-label={t("type")} value={type} onChange={(e) => set(e.currentTarget.value as StoryType)}>
			{TYPES.map((word) => (
				<option key={word} value={word}>
					{t(`type.${word}`)}
				</option>
			))}
		</select>
	);
}

/** The buttons at the end of a form that adds something. */
export function AddButtons({ cancel, children }: { cancel: () => void; children?: ComponentChildren }) {
	return (
		<p class="actions">
			{children}
			<span class="spring" />
			<button type="button" onClick={cancel}>
				{t("cancel")}
			</button>
			<button type="submit" class="primary">
				{t("save")}
			</button>
		</p>
	);
}

const isSeveral = (text: string) => /\S\s*\n\s*\S/.test(text);

export function AddStoryForm({ to }: { to: ListName }) {
	const board = useBoard();
	const { field, last } = useFocus();
	const [typed, typing] = useTyped(board, to);
	const [type, setType] = useState<StoryType>("feature");
	const close = () => {
		typing("");
		board.adding.value = null;
	};
	/** `left` stays in the field. */
	const save = (names: readonly string[], left = "") => {
		const first = names[0] && addStories(board, to, names, type);
		if (first) {
			last.current = first;
			typing(left);
		}
		field.current!.focus();
	};
	const saveOne = () => save([field.current!.value.trim().replace(/\s*\n\s*/g, " ")]);
	const pressed = (event: KeyboardEvent) => {
		if (event.isComposing) return;
		if (event.key === "Escape") close();
		else if (event.key === "Enter" && !event.shiftKey) saveOne();
		else return;
		event.preventDefault();
		event.stopPropagation();
	};
	return (
		<form
			class="add-story"
			aria-label={t("add_story")}
			onSubmit={(event) => {
				event.preventDefault();
				saveOne();
			}}
		>
			<label>
				{t("title")}
				<textarea
					ref={field}
					rows={isSeveral(typed) ? 4 : 1}
					maxLength={PASTED}
					value={typed}
					onInput={(event) => typing(event.currentTarget.value)}
					onKeyDown={pressed}
				/>
			</label>
			{isSeveral(typed) && <SeveralStories text={typed} add={save} />}
			<AddButtons cancel={close}>
				<TypeSelect type={type} set={setType} />
			</AddButtons>
		</form>
	);
}
