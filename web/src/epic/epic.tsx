/** An epic's form. */
import { useMemo } from "preact/hooks";
import { t } from "../text/i18n";
import { say } from "../app/toast";
import { useBoard } from "../board/context";
import { Code } from "../story/code";
import { Comments } from "../story/comments";
import { Conflict } from "../story/conflict";
import { Description } from "../story/description";
import { people } from "../story/fields";
import { FormBar } from "../story/form_bar";
import { History } from "../story/history";
import { useEditor } from "../story/open";
import { WhenHere } from "../story/when_here";
import { DropZone } from "../ui/dropzone";
import { Combobox } from "../ui/combobox";
import { Icon } from "../ui/icon";
import { Menu, type MenuItem } from "../ui/menu";
import { TextArea } from "../ui/textarea";
import { epicCommand, epicEditor, type EpicEditor } from "./epic_editor";

interface Part {
	editor: EpicEditor;
	canWrite: boolean;
}

function Line({ editor, canWrite, field, label, style }: Part & { field: string; label: string; style?: string }) {
	return (
		<div class="field">
			{!style && (
				<span class="field-name" aria-hidden="true">
					{label}
				</span>
			)}
			<TextArea
				label={label}
				value={editor.value<string | undefined>(field) ?? ""}
				change={(value) => editor.set(field, value.replace(/\n/g, " "))}
				maxLength={field === "name" ? 5000 : 255}
				disabled={!canWrite}
				{...(style ? { class: style } : {})}
			/>
			<Conflict editor={editor} field={field} />
		</div>
	);
}

function Followers({ editor, canWrite }: Part) {
	return (
		<div class="field">
			<span class="field-name" aria-hidden="true">
				{t("story.followers")}
			</span>
			<Combobox
				label={t("story.followers")}
				chosen={(editor.value<number[] | undefined>("follower_ids") ?? []).map(String)}
				options={people(editor.board)}
				change={(keys) => editor.set("follower_ids", keys.map(Number))}
				disabled={!canWrite}
			/>
			<Conflict editor={editor} field="follower_ids" />
		</div>
	);
}

function remove(editor: EpicEditor): void {
	const { board, store, id, name } = editor;
	const epics = store.epics.peek();
	editor.close();
	store.epics.value = epics.filter((e) => e.id !== id);
	const command = epicCommand(board, "DELETE", editor.path, {}, name);
	command.held = true;
	board.queue.push(command);
	const release = setTimeout(() => board.queue.release(command), 5_000);
	const undo = () => {
		clearTimeout(release);
		if (!board.queue.cancel(command)) return say(t("undo.late"));
		store.epics.value = epics;
		void board.refreshFrame().catch(() => {}); // what others did to the epics meanwhile
	};
	say(t("did.deleted", { name }), { label: t("undo"), act: undo });
}

function Bar({ editor, canWrite, alone }: Part & { alone: boolean }) {
	const items: MenuItem[] = [{ label: t("delete"), act: () => remove(editor) }];
	const { board, id } = editor;
	return (
		<FormBar editor={editor} canWrite={canWrite} alone={alone}>
			<a href={alone ? `/n/projects/${board.id}/epics/${id}` : `/epic/show/${id}`}>
				{alone ? t("story.in_board") : `#${id}`}
			</a>
			{canWrite && (
				<Menu label={t("epic.actions")} items={items} class="quiet icon-only" align="right">
					<Icon name="more" />
				</Menu>
			)}
		</FormBar>
	);
}

export default function EpicForm({ id, alone = false }: { id: number; alone?: boolean }) {
	const board = useBoard();
	const editor = useMemo(() => epicEditor(board, id), [board, id]);
	useEditor(editor);
	const part = { editor, canWrite: board.canWrite.value };
	return (
		<DropZone
			class="form story epic-form"
			files={(files) => editor.uploads.add(files)}
			hint={t("file.drop")}
			off={!part.canWrite}
		>
			<Bar {...part} alone={alone} />
			{editor.problem.value && <p class="problem">{editor.problem.value}</p>}
			<Line {...part} field="name" label={t("title")} style="story-title" />
			<div class="fields">
				<Line {...part} field="label" label={t("label")} />
				{editor.shown.value && <Followers {...part} />}
			</div>
			<WhenHere editor={editor}>
				{() => (
					<>
						<Description {...part} />
						<Code {...part} />
						<Comments {...part} />
						<History editor={editor} />
					</>
				)}
			</WhenHere>
		</DropZone>
	);
}
