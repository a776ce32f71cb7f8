/** Of which stories and epics something was typed and not saved, by what is kept on this device. */
import { signal, type Signal } from "@preact/signals-core";

export const DRAFTS = "planwright.draft.";

const flags = new Map<string, Signal<boolean>>();
let kept: ReadonlySet<string> | null = null;

/** Whoever shows it is drawn again when it changes. `key` is that of an Editor. */
export function unsaved(key: string): Signal<boolean> {
	let flag = flags.get(key);
	if (!flag) {
		kept ??= new Set(Object.keys(localStorage));
		flags.set(key, (flag = signal(kept.has(DRAFTS + key))));
	}
	return flag;
}

// Another tab.
globalThis.addEventListener?.("storage", ({ key, newValue }) => {
	if (key?.startsWith(DRAFTS)) unsaved(key.slice(DRAFTS.length)).value = newValue !== null;
});
