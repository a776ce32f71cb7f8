/** The form for a comment: completes the names of people, and takes files that are dropped, pasted or selected. */
import { t } from "../text/i18n";
import { isKeyOf, POST } from "../app/keys";
import { me } from "../app/session";
import { addKey } from "../model/drafts";
import { addPart } from "../model/parts";
import { Icon } from "../ui/icon";
import { TextArea } from "../ui/textarea";
import { UploadList } from "./attachments";
import type { Editor } from "./editor";
import { mentionable } from "./references";
import type { Uploads } from "./uploads";

const DRAFT = addKey("comments");

function post(editor: Editor, text: string, uploads: Uploads): void {
	const files = uploads.done;
	const person = me.peek();
	const now = new Date().toISOString();
	const shown = {
		text,
		person_id: person?.id ?? 0,
		person: person?.name ?? "",
		initials: person?.initials ?? "",
		created_at: now,
		updated_at: now,
		commit: "",
		imported: null,
		files: [],
	};
	const body = { ...(text ? { text } : {}), ...(files.length > 0 ? { file_attachments: files } : {}) };
	const command = addPart(editor, "comments", body, shown);
	const sent = uploads.list.peek();
	if (text) command.typed = { field: DRAFT, text };
	// The files go back, too.
	command.refused = () => {
		uploads.list.value = [...sent, ...uploads.list.peek()];
	};
	editor.board.do(command, true);
	editor.drop(DRAFT);
	uploads.clear();
}

function Attach({ uploads }: { uploads: Uploads }) {
	return (
		<span class="attach">
			<Icon name="attach" />
			<span aria-hidden="true">{t("file.attach")}</span>
			<input
				type="file"
				multiple
				aria-label={t("file.attach")}
				title={t("file.attach")}
				onChange={({ currentTarget: node }) => {
					uploads.add([...(node.files ?? [])]);
					node.value = "";
				}}
			/>
		</span>
	);
}

export function CommentForm({ editor }: { editor: Editor }) {
	const { uploads } = editor;
	const text = (editor.drafts.value[DRAFT]?.value as string | undefined) ?? "";
	const isEmpty = !text.trim() && uploads.done.length === 0;
	const off = isEmpty || uploads.isBusy;
	const send = () => {
		if (!off) post(editor, text.trim(), uploads);
	};
	const pressed = (event: KeyboardEvent) => {
		if (!isKeyOf(POST, event)) return;
		event.preventDefault();
		send();
	};
	const take = (files: File[]) => uploads.add(files);
	return (
		<div class="comment-form">
			<TextArea
				label={t("comment")}
				ghost={t("comment.ghost")}
				value={text}
				change={(value) => (value ? editor.set(DRAFT, value) : editor.drop(DRAFT))}
				people={mentionable(editor.board)}
				files={take}
				keyDown={pressed}
				rows={2}
				maxLength={20_000}
			/>
			<UploadList uploads={uploads} />
			<p class="actions">
				<button type="button" disabled={off} onClick={send}>
					{t("comment.add")}
				</button>
				<Attach uploads={uploads} />
			</p>
		</div>
	);
}
