/** Copies a text; where the browser forbids that, shows it. */
import { say } from "./toast";

export async function copy(text: string, words: string): Promise<void> {
	try {
		await navigator.clipboard.writeText(text);
		say(words);
	} catch {
		say(text);
	}
}
