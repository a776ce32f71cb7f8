/** One table of shortcuts: what listens, and what the page of help shows. */
import { createElement } from "preact";
import type { Key } from "../text/i18n";
import { KeyHelp } from "./parts";
import { shownDialog } from "../ui/dialog";

export type Action =
	| "help"
	| "add"
	| "search"
	| "next"
	| "previous"
	| "panel_left"
	| "panel_right"
	| "open"
	| "open_alone"
	| "select"
	| "select_none"
	| "select_down"
	| "select_up"
	| "up"
	| "down"
	| "top"
	| "bottom"
	| "step"
	| "reject"
	| "estimate"
	| "move"
	| "work"
	| "current"
	| "backlog"
	| "icebox"
	| "done"
	| "epics"
	| "save"
	| "post"
	| "undo";

export interface Shortcut {
	action: Action;
	/** As KeyboardEvent.key says, with the modifiers in front. */
	keys: readonly string[];
	text: Key;
}

export const SHORTCUTS: readonly Shortcut[] = [
	{ action: "help", keys: ["?"], text: "key.help" },
	{ action: "add", keys: ["a"], text: "key.add" },
	{ action: "search", keys: ["/"], text: "key.search" },
	{ action: "next", keys: ["j"], text: "key.next" },
	{ action: "previous", keys: ["k"], text: "key.previous" },
	{ action: "panel_left", keys: ["h"], text: "key.panel_left" },
	{ action: "panel_right", keys: ["l"], text: "key.panel_right" },
	{ action: "open", keys: ["Enter", "o"], text: "key.open" },
	{ action: "open_alone", keys: ["Shift+O"], text: "key.open_alone" },
	{ action: "select", keys: ["x"], text: "key.select" },
	{ action: "select_down", keys: ["Shift+J"], text: "key.select_down" },
	{ action: "select_up", keys: ["Shift+K"], text: "key.select_up" },
	{ action: "select_none", keys: ["Escape"], text: "select_none" },
	{ action: "up", keys: ["Alt+ArrowUp"], text: "key.up" },
	{ action: "down", keys: ["Alt+ArrowDown"], text: "key.down" },
	{ action: "top", keys: ["Alt+Home"], text: "key.top" },
	{ action: "bottom", keys: ["Alt+End"], text: "key.bottom" },
	{ action: "step", keys: ["s"], text: "key.step" },
	{ action: "reject", keys: ["r"], text: "key.reject" },
	{ action: "estimate", keys: ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"], text: "key.estimate" },
	{ action: "move", keys: ["m", "."], text: "key.move" },
	{ action: "work", keys: ["Shift+W"], text: "key.work" },
	{ action: "current", keys: ["Shift+C"], text: "key.current" },
	{ action: "backlog", keys: ["Shift+B"], text: "key.backlog" },
	{ action: "icebox", keys: ["Shift+I"], text: "key.icebox" },
	{ action: "done", keys: ["Shift+D"], text: "key.done" },
	{ action: "epics", keys: ["Shift+E"], text: "key.epics" },
	{ action: "save", keys: ["Ctrl+s"], text: "key.save" },
	{ action: "post", keys: ["Ctrl+Enter"], text: "key.post" },
	{ action: "undo", keys: ["Ctrl+z"], text: "key.undo" },
];

const OFF = "planwright.keys.off";

/** Single keys can be switched off, for those who speak to their computer. */
export const singleKeys = (): boolean => localStorage.getItem(OFF) === null;

export function setSingleKeys(on: boolean): void {
	if (on) localStorage.removeItem(OFF);
	else localStorage.setItem(OFF, "1");
}

const TYPING = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";

function pressed(event: KeyboardEvent): string {
	const main = event.ctrlKey || event.metaKey ? "Ctrl+" : event.altKey ? "Alt+" : "";
	const shift = !main && event.shiftKey && /^[A-Z]$/.test(event.key) ? "Shift+" : "";
	return main + shift + event.key;
}

function isOff(event: KeyboardEvent, key: string): boolean {
	const at = event.target as Element;
	if (at.closest?.("dialog, [role=menu]")) return true;
	if (key.startsWith("Ctrl+") && key !== "Ctrl+z") return false;
	return at.matches?.(TYPING) || (!key.includes("+") && !singleKeys());
}

/** Calls the action of a key; true from it: the key was ours. */
export function startKeys(actions: Partial<Record<Action, (key: string) => boolean>>): () => void {
	const listen = (event: KeyboardEvent) => {
		if (event.defaultPrevented || event.isComposing) return;
		const key = pressed(event);
		const row = SHORTCUTS.find((s) => s.keys.includes(key));
		// That one presses whichever button has the focus.
		if (!row || key === "Enter" || isOff(event, key)) return;
		const act = row.action === "help" ? showHelp : actions[row.action];
		if (act?.(key)) event.preventDefault();
	};
	document.addEventListener("keydown", listen);
	return () => document.removeEventListener("keydown", listen);
}

function showHelp(): boolean {
	shownDialog.value = createElement(KeyHelp, {});
	return true;
}
