/** What a story waits for, and which stories wait for it. */
import { useState } from "preact/hooks";
import { t } from "../text/i18n";
import { Markdown } from "../app/parts";
import type { DetailBlocker } from "../model/detail";
import { addPart, changePart, removePart } from "../model/parts";
import { Icon } from "../ui/icon";
import { Menu, type MenuItem } from "../ui/menu";
import { AddLine, EditLine } from "./line";
import { Part } from "./part";
import { mentionable, storyHref } from "./references";
import type { StoryEditor } from "./story_editor";

interface Props {
	editor: StoryEditor;
	canWrite: boolean;
}

function Row({ editor, canWrite, blocker }: Props & { blocker: DetailBlocker }) {
	const { board } = editor;
	const [writes, write] = useState(false);
	const change = (body: Partial<DetailBlocker>) => board.do(changePart(editor, "blockers", blocker.id, body), true);
	if (writes)
		return (
			<li>
				<EditLine
					label={t("blocker.text")}
					value={blocker.description}
					maxLength={1000}
					people={mentionable(board)}
					save={(description) => {
						change({ description });
						write(false);
					}}
					cancel={() => write(false)}
				/>
			</li>
		);
	const items: MenuItem[] = [
		{ label: t("part.edit"), act: () => write(true) },
		{ label: t("delete"), act: () => board.do(removePart(editor, "blockers", blocker.id), true) },
	];
	return (
		<li class={blocker.resolved ? "line is-done" : "line"}>
			<Icon name="blocked" />
			<span class="line-text">
				<Markdown text={blocker.description} storyHref={storyHref(board)} />
			</span>
			{canWrite && blocker.id > 0 && (
				<>
					<button
						type="button"
						aria-label={`${t(blocker.resolved ? "blocker.reopen" : "blocker.resolve")}: ${blocker.description}`}
						onClick={() => change({ resolved: !blocker.resolved })}
					>
						{t(blocker.resolved ? "blocker.reopen" : "blocker.resolve")}
					</button>
					<Menu
						label={t("part.menu", { name: blocker.description })}
						items={items}
						class="quiet icon-only"
						align="right"
					>
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
	const add = (description: string) =>
		editor.board.do(addPart(editor, "blockers", { description }, { description, resolved: false }), true);
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
					draft="new.blocker"
					label={t("blocker.add")}
					maxLength={1000}
					add={add}
					people={mentionable(editor.board)}
				/>
			)}
		</Part>
	);
}
