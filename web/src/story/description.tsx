/** The description: shown rendered; edited as Markdown, with a preview. */
import { useState } from "preact/hooks";
import { t } from "../text/i18n";
import { Markdown } from "../app/lazy_parts";
import { TextArea } from "../ui/textarea";
import { Conflict } from "./conflict";
import type { Editor } from "./editor";
import { Part } from "./part";
import { mentionable, storyHref } from "./references";

export function Description({ editor, canWrite }: { editor: Editor; canWrite: boolean }) {
	const typed = editor.drafts.value.description !== undefined;
	const [writes, write] = useState(typed);
	const [looks, look] = useState(false);
	const text = editor.value<string | undefined>("description") ?? "";
	const isOpen = canWrite && (writes || typed);
	const tools = isOpen ? (
		<button type="button" aria-pressed={looks} onClick={() => look(!looks)}>
			{t("story.preview")}
		</button>
	) : (
		canWrite && (
			<button type="button" onClick={() => write(true)}>
				{t("story.edit_description")}
			</button>
		)
	);
	return (
		<Part title={t("story.description")} label={t("story.about")} tools={tools}>
			{isOpen && !looks ? (
				<TextArea
					label={t("story.description")}
					value={text}
					change={(value) => editor.set("description", value)}
					people={mentionable(editor.board)}
					rows={5}
					maxLength={20_000}
					autofocus={!typed}
				/>
			) : text ? (
				<Markdown text={text} storyHref={storyHref(editor.board)} />
			) : (
				<p class="hint">{t("story.no_description")}</p>
			)}
			<Conflict editor={editor} field="description" />
		</Part>
	);
}
