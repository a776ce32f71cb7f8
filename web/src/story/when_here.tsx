/** What hangs on a story or an epic, once it is loaded. */
import type { ComponentChildren } from "preact";
import { Failed } from "../app/failed";
import { t } from "../text/i18n";
import type { Editor } from "./editor";

export function WhenHere({ editor, children }: { editor: Editor; children: () => ComponentChildren }) {
	if (editor.failed.value) return <Failed again={() => editor.load()} />;
	return editor.shown.value ? <>{children()}</> : <p class="loading">{t("loading")}</p>;
}
