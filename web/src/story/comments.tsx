/** Comments of a story or an epic, oldest first. Users edit their own. */
import { useState } from "preact/hooks";
import { formatTime, t } from "../text/i18n";
import { Markdown } from "../app/lazy_parts";
import { me } from "../app/session";
import type { Comment } from "../model/detail";
import { editKey } from "../model/drafts";
import { changePart, removePart } from "../model/parts";
import { Avatar } from "../ui/avatar";
import { Icon } from "../ui/icon";
import { Menu, type MenuItem } from "../ui/menu";
import { File } from "./attachments";
import { CommentForm } from "./comment_form";
import type { Editor } from "./editor";
import { Imported } from "./imported";
import { EditLine, isEdited } from "./line";
import { Part } from "./part";
import { mentionable, storyHref } from "./references";

interface Props {
	editor: Editor;
	canWrite: boolean;
}

function Edit({ editor, comment, close }: { editor: Editor; comment: Comment; close: () => void }) {
	const save = (text: string) =>
		changePart(editor, "comments", comment.id, { text }, { text, updated_at: new Date().toISOString() });
	return (
		<EditLine
			editor={editor}
			of={{ kind: "comments", id: comment.id }}
			label={t("comment.text")}
			value={comment.text}
			maxLength={20_000}
			rows={3}
			isLong
			people={mentionable(editor.board)}
			save={save}
			close={close}
		/>
	);
}

function One({ editor, canWrite, comment }: Props & { comment: Comment }) {
	const [writes, write] = useState(false);
	const isMine = comment.person_id === me.value?.id && comment.id > 0;
	const items: MenuItem[] = [
		{ label: t("part.edit"), act: () => write(true) },
		{
			label: t("delete"),
			act: () => {
				editor.drop(editKey("comments", comment.id));
				editor.board.do(removePart(editor, "comments", comment.id), true);
			},
		},
	];
	const edited = Date.parse(comment.updated_at) - Date.parse(comment.created_at) > 1000;
	return (
		<li class={comment.id < 0 ? "one-comment is-waiting" : "one-comment"}>
			<header class="comment-head">
				<Avatar name={comment.person} initials={comment.initials} />
				<b>{comment.person}</b>
				<span class="hint">
					{formatTime(Date.parse(comment.created_at))}
					{edited && ` · ${t("comment.edited")}`}
				</span>
				<span class="spring" />
				{canWrite && isMine && (
					<Menu label={t("comment.menu")} items={items} class="quiet icon-only" align="right">
						<Icon name="more" />
					</Menu>
				)}
			</header>
			<Imported from={comment.imported} />
			{comment.commit && <p class="hint">{t("comment.commit", { id: comment.commit })}</p>}
			{isMine && (writes || isEdited(editor, { kind: "comments", id: comment.id })) ? (
				<Edit editor={editor} comment={comment} close={() => write(false)} />
			) : (
				<Markdown text={comment.text} storyHref={storyHref(editor.board)} />
			)}
			{comment.files.length > 0 && (
				<div class="files">
					{comment.files.map((file) => (
						<File key={file.id} file={file} />
					))}
				</div>
			)}
		</li>
	);
}

export function Comments({ editor, canWrite }: Props) {
	const { comments } = editor.shown.value!;
	return (
		<Part title={t("story.comments")}>
			<ul class="comments">
				{comments.map((comment) => (
					<One key={comment.id} editor={editor} canWrite={canWrite} comment={comment} />
				))}
			</ul>
			{canWrite && <CommentForm editor={editor} />}
		</Part>
	);
}
