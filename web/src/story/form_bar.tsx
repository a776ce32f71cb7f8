/** The bar at the top of the form of a story or an epic: saves, cancels, and shows further tools. */
import type { ComponentChildren } from "preact";
import { t } from "../text/i18n";
import type { Editor } from "./editor";

interface FormBarProps {
	editor: Editor;
	canWrite: boolean;
	alone: boolean;
	children: ComponentChildren;
}

export function FormBar({ editor, canWrite, alone, children }: FormBarProps) {
	const save = () => {
		editor.save();
		if (!alone) editor.close();
	};
	return (
		<p class={alone ? "form-bar is-alone" : "form-bar"}>
			{canWrite && (
				<>
					<button type="button" class="primary" onClick={save}>
						{t("save")}
					</button>
					<button type="button" onClick={() => editor.cancel()}>
						{t("cancel")}
					</button>
					{editor.isChanged && <span class="unsaved">{t("story.unsaved")}</span>}
				</>
			)}
			<span class="spring" />
			{children}
		</p>
	);
}
