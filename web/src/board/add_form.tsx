/** A new story by its title: one line at the top of a panel, open for the next one until it is closed. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { keepTyped } from "./add_story";
import { useBoard } from "./context";
import { t } from "../text/i18n";
import { me } from "../app/session";
import { add } from "../model/commands";
import { readDrafts } from "../model/drafts";
import type { Board } from "./model";
import type { ListName } from "./parts";
import type { State, StoryType } from "../model/types";
import { TYPES } from "../model/states";

function addStory(board: Board, name: string, type: StoryType, state: State): void {
	board.do(
		add(board.store, {
			name,
			story_type: type,
			current_state: state,
			estimate: null,
			story_priority: "none",
			requested_by_id: me.peek()?.id ?? null,
			owner_ids: [],
			label_ids: [],
			comment_ids: [],
			blockers: [],
			reviews: [],
			deadline: null,
			accepted_at: null,
		}),
	);
}

const STATE: Record<ListName, State> = {
	current: "unstarted",
	backlog: "unstarted",
	icebox: "unscheduled",
};

/** The field has the focus while it is there, and gives it back. */
function useFocus() {
	const field = useRef<HTMLTextAreaElement>(null);
	useLayoutEffect(() => {
		const before = document.activeElement as HTMLElement | null;
		field.current?.focus();
		return () => {
			if (before?.isConnected) before.focus();
		};
	}, []);
	return field;
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

/** At the end of a form for something new. */
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

export function AddStoryForm({ to }: { to: ListName }) {
	const board = useBoard();
	const field = useFocus();
	const [text] = useState(() => String(readDrafts(`new.${board.id}`)[to]?.value ?? ""));
	const [type, setType] = useState<StoryType>("feature");
	const keep = (value: string) => keepTyped(board, to, value);
	const close = () => {
		keep("");
		board.adding.value = null;
	};
	const save = () => {
		const name = field.current!.value.trim();
		if (!name) return field.current!.focus();
		addStory(board, name, type, STATE[to]);
		field.current!.value = "";
		keep("");
		field.current!.focus();
	};
	const pressed = (event: KeyboardEvent) => {
		if (event.isComposing) return;
		if (event.key === "Escape") close();
		else if (event.key === "Enter" && !event.shiftKey) save();
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
				save();
			}}
		>
			<label>
				{t("title")}
				<textarea
					ref={field}
					rows={1}
					maxLength={5000}
					defaultValue={text}
					onInput={(event) => keep(event.currentTarget.value)}
					onKeyDown={pressed}
				/>
			</label>
			<AddButtons cancel={close}>
				<TypeSelect type={type} set={setType} />
			</AddButtons>
		</form>
	);
}
