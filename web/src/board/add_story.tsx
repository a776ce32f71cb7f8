/** A new story by its title: one line at the top of a panel, open for the next one until it is closed. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useBoard } from "./context";
import { t } from "../text/i18n";
import { me } from "../app/session";
import { open } from "../app/layout";
import { add } from "../model/commands";
import { keepDrafts, readDrafts } from "../model/drafts";
import type { Board } from "./model";
import type { State, StoryType } from "../model/types";
import { TYPES } from "../model/states";

/** Opens the line: in the Icebox if it is shown, otherwise in another panel. */
export function startAdding(board: Board): void {
	const shown = new Set(board.layout.peek().panels.map((p) => p.kind));
	const to = (["icebox", "backlog"] as const).find((kind) => shown.has(kind)) ?? "icebox";
	open(board.layout, { kind: to });
	board.adding.value = to;
	document.querySelector<HTMLElement>(".add-story textarea")?.focus();
}

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

type ListName = "current" | "backlog" | "icebox";

const STATE: Record<ListName, State> = {
	current: "unstarted",
	backlog: "unstarted",
	icebox: "unscheduled",
};

/** Whether a new one is typed in this list, what of it is kept, and the focus, which goes back afterwards. */
function useAdding(board: Board, to: ListName) {
	const field = useRef<HTMLTextAreaElement>(null);
	const key = `new.${board.id}`;
	const isOpen = board.adding.value === to;
	useLayoutEffect(() => {
		if (readDrafts(key)[to]) board.adding.value ??= to;
	}, [board, key, to]);
	useLayoutEffect(() => {
		const before = document.activeElement as HTMLElement | null;
		field.current?.focus();
		return () => isOpen && before?.isConnected && before.focus();
	}, [isOpen]);
	const text = isOpen ? String(readDrafts(key)[to]?.value ?? "") : "";
	const keep = (value: string) => keepDrafts(key, value ? { [to]: { value, base: "" } } : {});
	return { isOpen, field, text, keep };
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

export function AddStory({ to }: { to: ListName }) {
	const board = useBoard();
	const { isOpen, field, text, keep } = useAdding(board, to);
	const [type, setType] = useState<StoryType>("feature");
	if (!isOpen) return null;
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
