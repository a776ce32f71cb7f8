/** Keys: which one was pressed, whether it is meant as one there, and the row of a table that has it. */

export interface Keyed {
	/** As KeyboardEvent.key says, with the modifiers in front. */
	keys: readonly string[];
}

/** Sends what is written in a field of several lines, which listens to it. */
export const POST: Keyed = { keys: ["Ctrl+Enter"] };

/** Shows the palette, on every page. */
export const PALETTE: Keyed = { keys: ["Ctrl+k"] };

const OFF = "planwright.keys.off";

/** Single keys can be switched off, for those who speak to their computer. */
export const singleKeys = (): boolean => localStorage.getItem(OFF) === null;

export function setSingleKeys(on: boolean): void {
	if (on) localStorage.removeItem(OFF);
	else localStorage.setItem(OFF, "1");
}

/** Fields have their own. */
const OF_FIELDS = ["Ctrl+z", "Ctrl+y", "Ctrl+Shift+Z"];
const TYPING = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";

function pressed(event: KeyboardEvent): string {
	const main = event.ctrlKey || event.metaKey ? "Ctrl+" : event.altKey ? "Alt+" : "";
	const shift = main !== "Alt+" && event.shiftKey && /^[A-Z]$/.test(event.key) ? "Shift+" : "";
	return main + shift + event.key;
}

export const isKeyOf = (row: Keyed, event: KeyboardEvent): boolean => row.keys.includes(pressed(event));

function isOff(event: KeyboardEvent, key: string): boolean {
	const at = event.target as Element;
	if (at.closest?.("dialog, [role=menu]")) return true;
	if (key.startsWith("Ctrl+") && !OF_FIELDS.includes(key)) return false;
	return at.matches?.(TYPING) || (!key.includes("+") && !singleKeys());
}

/** Calls `act` for a key that a row has; true from it: the key was ours. Returns what stops listening. */
export function startKeys<R extends Keyed>(rows: readonly R[], act: (row: R, key: string) => boolean): () => void {
	const listen = (event: KeyboardEvent) => {
		if (event.defaultPrevented || event.isComposing) return;
		const key = pressed(event);
		const row = rows.find((r) => r.keys.includes(key));
		// That one presses whichever button has the focus.
		if (!row || key === "Enter" || isOff(event, key)) return;
		if (act(row, key)) event.preventDefault();
	};
	document.addEventListener("keydown", listen);
	return () => document.removeEventListener("keydown", listen);
}
