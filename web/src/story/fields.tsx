/** The fields of a story that are chosen rather than typed. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { formatDate, formatNumber, t, type Key } from "../text/i18n";
import type { Board } from "../board/model";
import { DAY, localDay, midnight } from "../model/calendar";
import { isEstimatable, scale, statesOf, TYPES } from "../model/states";
import type { Project, StoryType } from "../model/types";
import { Combobox } from "../ui/combobox";
import type { Option } from "../ui/listbox";
import { Conflict } from "./conflict";
import { useDoneNumber } from "./done_number";
import type { StoryEditor } from "./story_editor";

interface Part {
	editor: StoryEditor;
	canWrite: boolean;
}

const PRIORITIES = ["none", "p0", "p1", "p2", "p3"] as const;

interface RowProps extends Part {
	label: string;
	field: string;
	words?: (value: unknown) => string;
	children: ComponentChildren;
}

/** A label, the choice, and whether somebody else chose something different. */
function Row({ editor, label, field, words, children }: RowProps) {
	return (
		<div class="field">
			<span class="field-name" aria-hidden="true">
				{label}
			</span>
			{children}
			<Conflict editor={editor} field={field} {...(words ? { words } : {})} />
		</div>
	);
}

interface ChoiceProps extends Part {
	label: string;
	field: string;
	options: readonly Option[];
	/** Converts an option's key into the field's value. */
	read?: (key: string) => unknown;
}

function Choice({ label, field, options, read = (key) => key, ...part }: ChoiceProps) {
	const { editor, canWrite } = part;
	const words = (value: unknown) => options.find((o) => o.key === String(value ?? ""))?.text ?? "–";
	const value = String(editor.value(field) ?? "");
	return (
		<Row {...part} label={label} field={field} words={words}>
			<select
				aria-label={label}
				value={value}
				disabled={!canWrite}
				onChange={(event) => editor.set(field, read(event.currentTarget.value))}
			>
				{!options.some((o) => o.key === value) && <option value={value}>{value ? t("story.left") : "–"}</option>}
				{options.map((o) => (
					<option key={o.key} value={o.key}>
						{o.text}
					</option>
				))}
			</select>
		</Row>
	);
}

/** Members by id. */
export function people(board: Board, writers = false): Option[] {
	return [...board.store.members.value.values()]
		.filter((m) => !writers || m.role !== "viewer")
		.map((m) => ({ key: String(m.id), text: m.name, hint: m.username }));
}

function People({ label, field, ...part }: Part & { label: string; field: string }) {
	const { editor, canWrite } = part;
	const ids = (editor.value<number[]>(field) ?? []).map(String);
	const members = people(editor.board, field === "owner_ids");
	const left = ids.filter((id) => !members.some((p) => p.key === id));
	const options = [...members, ...left.map((key) => ({ key, text: t("story.left") }))];
	const words = (value: unknown) =>
		((value as number[]) ?? []).map((id) => options.find((o) => o.key === String(id))?.text ?? id).join(", ") || "–";
	return (
		<Row {...part} label={label} field={field} words={words}>
			<Combobox
				label={label}
				chosen={ids}
				options={options}
				change={(keys) => editor.set(field, keys.map(Number))}
				disabled={!canWrite}
			/>
		</Row>
	);
}

function Labels(part: Part) {
	const { editor, canWrite } = part;
	const options = [...editor.store.labels.value.values()].map((l) => ({ key: l.name, text: l.name }));
	return (
		<Row {...part} label={t("story.labels")} field="labels" words={(value) => (value as string[]).join(", ") || "–"}>
			<Combobox
				label={t("story.labels")}
				chosen={editor.value<string[]>("labels")}
				options={options}
				change={(names) => editor.set("labels", names)}
				create={(text) => text.toLowerCase().replace(/,/g, " ").trim()}
				disabled={!canWrite}
			/>
		</Row>
	);
}

/** A day in the project's zone. */
function Deadline({ project, ...part }: Part & { project: Project }) {
	const { editor, canWrite } = part;
	const zone = project.time_zone;
	const at = editor.value<string | null>("deadline");
	const day = at ? new Date(localDay(zone, Date.parse(at)) * DAY).toISOString().slice(0, 10) : "";
	const change = (text: string) => {
		const time = Date.parse(`${text}T00:00:00Z`);
		const iso = Number.isNaN(time) ? null : new Date(midnight(zone, time / DAY)).toISOString();
		editor.set("deadline", iso?.replace(".000Z", "Z") ?? null);
	};
	const words = (value: unknown) => (value ? formatDate(Date.parse(String(value)), zone) : "–");
	return (
		<Row {...part} label={t("story.deadline")} field="deadline" words={words}>
			<input
				type="date"
				aria-label={t("story.deadline")}
				value={day}
				disabled={!canWrite}
				onChange={(event) => change(event.currentTarget.value)}
			/>
		</Row>
	);
}

function Iteration({ editor }: Part) {
	const { store } = editor;
	const found = store.plan.value?.iterations.find((it) => it.ids.includes(editor.id));
	const zone = store.project.value?.time_zone;
	const story = store.story(editor.id);
	const days = (start: number, finish: number) => `${formatDate(start, zone)} – ${formatDate(finish - DAY / 2, zone)}`;
	const number = useDoneNumber(store, !found && story?.accepted_at ? Date.parse(story.accepted_at) : null);
	let text = t("story.no_iteration");
	if (found) text = `${formatNumber(found.span.number)} · ${days(found.span.start, found.span.finish)}`;
	else if (story?.accepted_at) {
		const day = t("story.accepted_on", { day: formatDate(Date.parse(story.accepted_at), zone) });
		text = number === null ? day : `${formatNumber(number)} · ${day}`;
	}
	return (
		<div class="field">
			<span class="field-name">{t("story.iteration")}</span>
			<span class="fixed">{text}</span>
		</div>
	);
}

const numbered = (key: string) => (key === "" ? null : Number(key));

export function Fields(part: Part) {
	const { editor } = part;
	const id = useId();
	const project = editor.store.project.value;
	if (!project) return null;
	const type = editor.value<StoryType>("story_type");
	const points: Option[] = [
		{ key: "", text: t("unestimated") },
		...scale(project).map((n) => ({ key: String(n), text: t("points", { n }) })),
	];
	const word = (prefix: string) => (key: string) => ({ key, text: t(`${prefix}.${key}` as Key) });
	return (
		<div class="fields" role="group" aria-labelledby={id}>
			<span class="hidden" id={id}>
				{t("story.fields")}
			</span>
			<Choice {...part} label={t("type")} field="story_type" options={TYPES.map(word("type"))} />
			<Choice {...part} label={t("state")} field="current_state" options={statesOf(project, type).map(word("state"))} />
			{isEstimatable(project, type) && (
				<Choice {...part} label={t("estimate")} field="estimate" options={points} read={numbered} />
			)}
			<Choice {...part} label={t("story.priority")} field="story_priority" options={PRIORITIES.map(word("priority"))} />
			<Choice
				{...part}
				label={t("story.requester")}
				field="requested_by_id"
				options={people(editor.board)}
				read={Number}
			/>
			{type === "release" && <Deadline {...part} project={project} />}
			<People {...part} label={t("story.owners")} field="owner_ids" />
			<Labels {...part} />
			{editor.shown.value && <People {...part} label={t("story.followers")} field="follower_ids" />}
			<Iteration {...part} />
		</div>
	);
}
