/** Copies a text; where the browser forbids that, shows it. */
import { t } from "../text/i18n";
import { say, type Act } from "./toast";

export async function copy(text: string, words: string): Promise<void> {
	try {
		await navigator.clipboard.writeText(text);
		say(words);
	} catch {
		say(text);
	}
}

/** Offers to copy what was typed for something that is gone. */
export const copying = (text: string): Act => ({ label: t("copy_typed"), act: () => void copy(text, t("copied")) });
