/** Of which stories and epics something was typed and not saved, by what is kept on this device. */
import { signal, type Signal } from "@preact/signals-core";

let prefix = "planwright.draft.";
const flags = new Map<string, Signal<boolean>>();
let kept: ReadonlySet<string> | null = null;

/** From now on it is about what this person typed: others who sign in on the device do not see it. */
export function draftsOf(person: number): void {
	prefix = `planwright.draft.${person}.`;
	flags.clear();
	kept = null;
}

/** Where it is kept. */
export const placeOf = (key: string): string => prefix + key;

/** Whoever shows it is drawn again when it changes. `key` is that of an Editor. */
export function unsaved(key: string): Signal<boolean> {
	let flag = flags.get(key);
	if (!flag) {
		kept ??= new Set(Object.keys(localStorage));
		flags.set(key, (flag = signal(kept.has(placeOf(key)))));
	}
	return flag;
}

// Another tab.
globalThis.addEventListener?.("storage", ({ key, newValue }) => {
	if (key?.startsWith(prefix)) unsaved(key.slice(prefix.length)).value = newValue !== null;
});
