/** The tasks of a story: checkboxes named by their text. */
import { useRef } from "preact/hooks";
import { formatNumber, t } from "../text/i18n";
import { Markdown } from "../app/lazy_parts";
import type { Command } from "../model/command";
import type { Task } from "../model/detail";
import { addPart, changePart, moveTask, removePart } from "../model/parts";
import { Menu, type MenuItem } from "../ui/menu";
import { Icon } from "../ui/icon";
import { AddLine, WrittenLine } from "./line";
import { Part } from "./part";
import type { StoryEditor } from "./story_editor";

interface RowProps {
	editor: StoryEditor;
	canWrite: boolean;
	task: Task;
	index: number;
	count: number;
}

function Row(props: RowProps) {
	const { editor, task } = props;
	const change = (body: Partial<Task>) => changePart(editor, "tasks", task.id, body);
	return (
		<WrittenLine
			editor={editor}
			of={{ kind: "tasks", id: task.id }}
			label={t("task.text")}
			value={task.description}
			maxLength={1000}
			save={(description) => change({ description })}
		>
			{(write) => <Shown {...props} change={change} write={write} />}
		</WrittenLine>
	);
}

interface ShownProps extends RowProps {
	change: (body: Partial<Task>) => Command;
	write: () => void;
}

function itemsOf({ editor, task, index, count, write }: ShownProps, move: (to: number) => void): MenuItem[] {
	return [
		{ label: t("part.edit"), act: write },
		{ label: t("part.up"), act: () => move(index - 1), disabled: index === 0 },
		{ label: t("part.down"), act: () => move(index + 1), disabled: index === count - 1 },
		{ label: t("delete"), act: () => editor.board.do(removePart(editor, "tasks", task.id), true) },
	];
}

function Shown(props: ShownProps) {
	const { editor, canWrite, task, index, count, change } = props;
	const box = useRef<HTMLInputElement>(null);
	const waits = task.id < 0;
	const move = (to: number) => editor.board.do(moveTask(editor, task.id, to), true);
	const pressed = (event: KeyboardEvent) => {
		const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
		if (!event.altKey || !by || index + by < 0 || index + by >= count || !canWrite) return;
		move(index + by);
		event.preventDefault();
		event.stopPropagation();
		requestAnimationFrame(() => box.current?.focus());
	};
	return (
		<li class={task.complete ? "line is-done" : "line"}>
			<input
				type="checkbox"
				ref={box}
				aria-label={task.description}
				checked={task.complete}
				disabled={!canWrite || waits}
				onChange={(event) => editor.board.do(change({ complete: event.currentTarget.checked }), true)}
				onKeyDown={pressed}
			/>
			<span class="line-text">
				<Markdown text={task.description} />
			</span>
			{canWrite && !waits && (
				<Menu
					label={t("part.menu", { name: task.description })}
					items={itemsOf(props, move)}
					class="quiet icon-only"
					align="right"
				>
					<Icon name="more" />
				</Menu>
			)}
		</li>
	);
}

export function Tasks({ editor, canWrite }: { editor: StoryEditor; canWrite: boolean }) {
	const { tasks } = editor.shown.value!;
	if (!editor.store.project.value?.enable_tasks) return null;
	const add = (description: string) => addPart(editor, "tasks", { description }, { description, complete: false });
	const done = tasks.filter((task) => task.complete).length;
	const tools = tasks.length > 0 && (
		<span class="hint">{t("task.done", { done, total: formatNumber(tasks.length) })}</span>
	);
	return (
		<Part title={t("story.tasks")} tools={tools}>
			<ul class="part-lines">
				{tasks.map((task, index) => (
					<Row key={task.id} editor={editor} canWrite={canWrite} task={task} index={index} count={tasks.length} />
				))}
			</ul>
			{canWrite && <AddLine editor={editor} kind="tasks" label={t("task.add")} maxLength={1000} add={add} />}
		</Part>
	);
}
