/** Copies a text; where the browser forbids that, shows it. */
import { t } from "../text/i18n";
import { say, type Act } from "./toast";

export async function copy(text: string, words: string): Promise<void> {
	try {
		await navigator.clipboard.writeText(text);
		say(words);
	} catch {
		say(copyOld(text) ? words : text);
	}
}

/** The way that is open to pages without TLS. */
function copyOld(text: string): boolean {
	const before = document.activeElement as HTMLElement | null;
	const node = document.body.appendChild(document.createElement("textarea"));
	node.value = text;
	node.select();
	const isDone = document.execCommand("copy");
	node.remove();
	before?.focus();
	return isDone;
}

/** Offers to copy what was typed for something that is gone. */
export const copying = (text: string): Act => ({ label: t("copy_typed"), act: () => void copy(text, t("copied")) });
