/** What blocks a story, and which stories it blocks. */
import { t } from "../text/i18n";
import { Markdown } from "../app/lazy_parts";
import type { Command } from "../model/command";
import type { DetailBlocker } from "../model/detail";
import { addPart, changePart, removePart } from "../model/parts";
import { Icon } from "../ui/icon";
import { Menu, type MenuItem } from "../ui/menu";
import { AddLine, WrittenLine } from "./line";
import { Part } from "./part";
import { mentionable, storyHref } from "./references";
import type { StoryEditor } from "./story_editor";

interface Props {
	editor: StoryEditor;
	canWrite: boolean;
}

interface RowProps extends Props {
	blocker: DetailBlocker;
}

function Row(props: RowProps) {
	const { editor, blocker } = props;
	const change = (body: Partial<DetailBlocker>) => changePart(editor, "blockers", blocker.id, body);
	return (
		<WrittenLine
			editor={editor}
			of={{ kind: "blockers", id: blocker.id }}
			label={t("blocker.text")}
			value={blocker.description}
			maxLength={1000}
			people={mentionable(editor.board)}
			save={(description) => change({ description })}
		>
			{(write) => <Shown {...props} change={change} write={write} />}
		</WrittenLine>
	);
}

interface ShownProps extends RowProps {
	change: (body: Partial<DetailBlocker>) => Command;
	write: () => void;
}

function Shown({ editor, canWrite, blocker, change, write }: ShownProps) {
	const { id, description, resolved } = blocker;
	const items: MenuItem[] = [
		{ label: t("part.edit"), act: write },
		{ label: t("delete"), act: () => editor.board.do(removePart(editor, "blockers", id), true) },
	];
	const words = t(resolved ? "blocker.reopen" : "blocker.resolve");
	return (
		<li class={resolved ? "line is-done" : "line"}>
			<Icon name="blocked" />
			<span class="line-text">
				<Markdown text={description} storyHref={storyHref(editor.board)} />
			</span>
			{canWrite && id > 0 && (
				<>
					<button
						type="button"
						aria-label={`${words}: ${description}`}
						onClick={() => editor.board.do(change({ resolved: !resolved }), true)}
					>
						{words}
					</button>
					<Menu label={t("part.menu", { name: description })} items={items} class="quiet icon-only" align="right">
						<Icon name="more" />
					</Menu>
				</>
			)}
		</li>
	);
}

function Blocks({ editor }: { editor: StoryEditor }) {
	const ids = editor.shown.value!.blocked_story_ids;
	if (ids.length === 0) return null;
	return (
		<p class="hint">
			{t("blocker.blocks")}
			{ids.map((id) => (
				<a key={id} href={storyHref(editor.board)(id)}>
					{" "}
					{editor.store.story(id)?.name ?? `#${id}`}
				</a>
			))}
		</p>
	);
}

export function Blockers(part: Props) {
	const { editor, canWrite } = part;
	const { blockers } = editor.shown.value!;
	const add = (description: string) => addPart(editor, "blockers", { description }, { description, resolved: false });
	return (
		<Part title={t("story.blockers")}>
			<ul class="part-lines">
				{blockers.map((blocker) => (
					<Row key={blocker.id} {...part} blocker={blocker} />
				))}
			</ul>
			<Blocks editor={editor} />
			{canWrite && (
				<AddLine
					editor={editor}
					kind="blockers"
					label={t("blocker.add")}
					maxLength={1000}
					add={add}
					people={mentionable(editor.board)}
				/>
			)}
		</Part>
	);
}
