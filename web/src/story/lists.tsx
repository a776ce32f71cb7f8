/** The parts of a story without a form of their own, one list for each kind that it has. */
import { t } from "../text/i18n";
import { LIST_KINDS } from "../model/lists";
import type { Editor } from "./editor";
import { LinkLine } from "./link_line";
import { Part } from "./part";

export function Lists({ editor, canWrite }: { editor: Editor; canWrite: boolean }) {
	const detail = editor.shown.value!;
	return (
		<>
			{LIST_KINDS.filter((kind) => detail[kind].length > 0).map((kind) => (
				<Part key={kind} title={t(`list.${kind}`)}>
					<ul class="part-lines">
						{detail[kind].map((item) => (
							<LinkLine key={item.id} editor={editor} kind={kind} item={item} canWrite={canWrite} />
						))}
					</ul>
				</Part>
			))}
		</>
	);
}
