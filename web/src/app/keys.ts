/** Keys: which one was pressed, whether it counts as a command there, and which row of a table has it. */

import { listen } from "../model/listen";

export interface Keyed {
	/** As in KeyboardEvent.key, preceded by the modifiers. */
	keys: readonly string[];
}

/** Sends the text of a multi-line field; the field itself listens for it. */
export const POST: Keyed = { keys: ["Ctrl+Enter"] };

/** Opens the palette, on every page. */
export const PALETTE: Keyed = { keys: ["Ctrl+k"] };

const OFF = "planwright.keys.off";

/** Single-letter keys can be switched off, for people who use speech input. */
export const singleKeys = (): boolean => localStorage.getItem(OFF) === null;

export function setSingleKeys(on: boolean): void {
	if (on) localStorage.removeItem(OFF);
	else localStorage.setItem(OFF, "1");
}

/** Fields have their own meaning for these. */
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

/**
 * Calls `act` for a key that a row has; `act` returns true if it handled the key. Returns a function that stops
 * listening.
 */
export function startKeys<R extends Keyed>(rows: readonly R[], act: (row: R, key: string) => boolean): () => void {
	return listen(document, "keydown", (event: KeyboardEvent) => {
		if (event.defaultPrevented || event.isComposing) return;
		const key = pressed(event);
		const row = rows.find((r) => r.keys.includes(key));
		// Enter presses whichever button has the focus.
		if (!row || key === "Enter" || isOff(event, key)) return;
		if (act(row, key)) event.preventDefault();
	});
}
