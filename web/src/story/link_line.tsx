/** A part that is a link, followed by details and a button that deletes it. */
import { t } from "../text/i18n";
import type { LinkItem } from "../model/lists";
import type { Kind } from "../model/detail";
import { removePart } from "../model/parts";
import type { Editor } from "./editor";

interface Props {
	editor: Editor;
	kind: Kind;
	item: LinkItem;
	canWrite: boolean;
}

export function LinkLine({ editor, kind, item, canWrite }: Props) {
	return (
		<li class="line">
			<span class="line-text">
				<a href={/^https?:/.test(item.url) ? item.url : undefined} target="_blank" rel="noopener noreferrer">
					{item.name}
				</a>{" "}
				<span class="hint">{item.status}</span>
			</span>
			{canWrite && item.id > 0 && (
				<button
					type="button"
					class="quiet icon-only"
					aria-label={`${t("delete")}: ${item.name}`}
					onClick={() => editor.board.do(removePart(editor, kind, item.id), true)}
				>
					×
				</button>
			)}
		</li>
	);
}
