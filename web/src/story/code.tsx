/** Pull requests and branches of a story or an epic: links that are recognized by their address. */
import { t } from "../text/i18n";
import type { CodeLink } from "../model/detail";
import { readAddress, type CodeKind } from "../model/code_link";
import { addPart } from "../model/parts";
import { warn } from "../app/toast";
import type { Editor } from "./editor";
import { AddLine } from "./line";
import { LinkLine } from "./link_line";
import { Part } from "./part";

function List({ editor, kind, canWrite }: { editor: Editor; kind: CodeKind; canWrite: boolean }) {
	const items = editor.shown.value![kind] as CodeLink[];
	const add = (text: string) => {
		const body = readAddress(kind, text);
		if (!body) {
			warn(t(`code.no_${kind}`));
			return null;
		}
		return addPart(editor, kind, body, { name: text, url: text, status: "" });
	};
	return (
		<>
			<ul class="part-lines">
				{items.map((item) => (
					<LinkLine key={item.id} editor={editor} kind={kind} item={item} canWrite={canWrite} />
				))}
			</ul>
			{canWrite && <AddLine editor={editor} kind={kind} label={t(`code.add_${kind}`)} maxLength={2000} add={add} />}
		</>
	);
}

export function Code({ editor, canWrite }: { editor: Editor; canWrite: boolean }) {
	return (
		<Part title={t("story.code")}>
			<List editor={editor} kind="pull_requests" canWrite={canWrite} />
			<List editor={editor} kind="branches" canWrite={canWrite} />
		</Part>
	);
}
