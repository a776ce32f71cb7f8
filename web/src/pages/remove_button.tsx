/** The button of a line that removes what the line is about, after a confirmation. */
import type { ComponentChildren } from "preact";
import { del } from "../api/http";
import { t } from "../text/i18n";
import { confirm } from "./page_kit";

interface RemoveButtonProps {
	path: string;
	/** Includes the name of what is removed: the button's accessible name, and the title of the question. */
	label: string;
	title?: string;
	/** What it means, shown before it is confirmed. */
	text: ComponentChildren;
	/** The text of the line's button, and of the one that confirms. */
	words?: string;
	confirmWords?: string;
	/** Called after the removal. */
	then: () => Promise<unknown>;
}

export function RemoveButton(props: RemoveButtonProps) {
	const { path, label, title = label, text, words = t("page.remove"), confirmWords = words, then } = props;
	const ask = () =>
		confirm({
			title,
			text,
			button: confirmWords,
			act: async () => {
				await del(path);
				await then();
			},
		});
	return (
		<button type="button" aria-label={label} onClick={ask}>
			{words}
		</button>
	);
}
