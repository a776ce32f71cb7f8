/** A story's form: all fields and parts. */
import { useEffect, useMemo, useRef } from "preact/hooks";
import { CardButtons } from "../board/card_buttons";
import { useBoard } from "../board/context";
import { presentAt } from "../board/present";
import { t } from "../text/i18n";
import { Actions } from "./actions";
import { Blockers } from "./blockers";
import { Code } from "./code";
import { Comments } from "./comments";
import { Conflict } from "./conflict";
import { Description } from "./description";
import { Fields } from "./fields";
import { FormBar } from "./form_bar";
import { Imported } from "./imported";
import { History } from "./history";
import { Lists } from "./lists";
import { rehome, useEditor } from "./open";
import { refocus } from "./refocus";
import { Reviews } from "./reviews";
import { storyEditor, type StoryEditor } from "./story_editor";
import { Tasks } from "./tasks";
import { WhenHere } from "./when_here";
import { DropZone } from "../ui/dropzone";
import { TextArea } from "../ui/textarea";

function Title({ editor, canWrite }: { editor: StoryEditor; canWrite: boolean }) {
	const pressed = (event: KeyboardEvent) => {
		if (event.key !== "Enter" || event.isComposing || event.ctrlKey || event.metaKey) return;
		event.preventDefault();
		editor.save();
		editor.close();
	};
	return (
		<div class="field">
			<TextArea
				label={t("title")}
				class="story-title"
				value={editor.value<string>("name")}
				change={(value) => editor.set("name", value.replace(/\n/g, " "))}
				maxLength={5000}
				disabled={!canWrite}
				keyDown={pressed}
			/>
			<Conflict editor={editor} field="name" />
		</div>
	);
}

function Hanging(parts: { editor: StoryEditor; canWrite: boolean }) {
	return (
		<>
			<Blockers {...parts} />
			<Tasks {...parts} />
			<Reviews {...parts} />
			<Code {...parts} />
			<Lists {...parts} />
			<Comments {...parts} />
			<History editor={parts.editor} />
		</>
	);
}

/** The description comes first; its space is reserved until it is here. */
function About({ editor, canWrite }: { editor: StoryEditor; canWrite: boolean }) {
	const { value: shown } = editor.shown;
	if (!shown) return editor.failed.value ? null : <div class="part is-coming" />;
	return (
		<>
			<Imported from={shown.imported} />
			<Description editor={editor} canWrite={canWrite} />
		</>
	);
}

/** Keys pressed in a field must not act on the card. */
const stop = (event: Event) => event.stopPropagation();

export default function StoryForm({ id, alone = false }: { id: number; alone?: boolean }) {
	const board = useBoard();
	const editor = useMemo(() => storyEditor(board, id), [board, id]);
	const form = useRef<HTMLDivElement>(null);
	useEditor(editor);
	const canWrite = board.canWrite.value;
	// It is known only after the first stories whether the user may edit: only then is there a field.
	useEffect(() => refocus(editor, form.current!), [editor, canWrite]);
	useEffect(
		() => () => {
			if (!alone) setTimeout(() => rehome(board, id), 0);
		},
		[alone, board, id],
	);
	const story = board.store.story(id);
	if (!story) return null;
	const pressed = (event: KeyboardEvent) => {
		if (event.key !== "Escape" || alone || event.defaultPrevented) return;
		event.preventDefault();
		const card = form.current!.closest(".card");
		editor.close();
		card?.querySelector<HTMLElement>(".title")?.focus();
	};
	return (
		<DropZone
			class="form story"
			node={form}
			files={(files) => editor.uploads.add(files)}
			hint={t("file.drop")}
			off={!canWrite}
			onPointerDown={stop}
			onDblClick={stop}
			onKeyDown={pressed}
		>
			<FormBar editor={editor} canWrite={canWrite} alone={alone}>
				{presentAt(id).value?.(board)}
				{alone && <CardButtons board={board} story={story} />}
				<Actions editor={editor} canWrite={canWrite} alone={alone} />
			</FormBar>
			{editor.problem.value && <p class="problem">{editor.problem.value}</p>}
			<Title editor={editor} canWrite={canWrite} />
			<About editor={editor} canWrite={canWrite} />
			<Fields editor={editor} canWrite={canWrite} />
			<WhenHere editor={editor}>{() => <Hanging editor={editor} canWrite={canWrite} />}</WhenHere>
		</DropZone>
	);
}
