/** Somebody else changed a field that the user is editing: shows who it was, and both values to choose from. */
import { useState } from "preact/hooks";
import { t } from "../text/i18n";
import type { Editor } from "./editor";

interface ConflictProps {
	editor: Editor;
	field: string;
	/** Formats a value of the field. */
	words?: (value: unknown) => string;
}

/** Longer values are shown only on request. */
const LONG = 300;

const plain = (value: unknown) => (value === null || value === undefined || value === "" ? "–" : String(value));

export function Conflict({ editor, field, words = plain }: ConflictProps) {
	const [shows, show] = useState(false);
	if (!editor.conflicts(field)) return null;
	const theirs = words(editor.current(field));
	const mine = words(editor.value(field));
	const isLong = theirs.length + mine.length > LONG;
	const who = editor.changers.value[field] ?? t("conflict.somebody");
	return (
		<div class="conflict" role="status">
			<span>{t("conflict.changed", { name: who })}</span>
			<span class="actions">
				{isLong && (
					<button type="button" aria-expanded={shows} onClick={() => show(!shows)}>
						{t("conflict.show")}
					</button>
				)}
				<button type="button" onClick={() => editor.drop(field)}>
					{t("conflict.take")}
				</button>
				<button type="button" onClick={() => editor.keepMine(field)}>
					{t("conflict.keep")}
				</button>
			</span>
			{(shows || !isLong) && (
				<dl>
					<dt>{who}</dt>
					<dd>{theirs}</dd>
					<dt>{t("conflict.mine")}</dt>
					<dd>{mine}</dd>
				</dl>
			)}
		</div>
	);
}
