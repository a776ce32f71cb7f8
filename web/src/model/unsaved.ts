/** Of which stories and epics something was typed and not saved, by what is kept on this device. */
import { signal, type Signal } from "@preact/signals-core";

/** Who was signed in last on this device: it is them until the server said who it is. */
export const WHO = "planwright.who";

const flags = new Map<string, Signal<boolean>>();
let kept: ReadonlySet<string> | null = null;
let person: string | null = null;

/** Where it is kept: others who sign in on the device do not see it. */
export function placeOf(key: string): string {
	person ??= globalThis.localStorage?.getItem(WHO) ?? "";
	return `planwright.draft.${person}.${key}`;
}

/** From now on it is about what this person typed; null: nobody is signed in. */
export function draftsOf(id: number | null): void {
	if (person === String(id ?? "")) return;
	person = String(id ?? "");
	if (id === null) localStorage.removeItem(WHO);
	else localStorage.setItem(WHO, person);
	kept = null;
	for (const [key, flag] of flags) flag.value = localStorage.getItem(placeOf(key)) !== null;
}

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
	if (key?.startsWith(placeOf(""))) unsaved(key.slice(placeOf("").length)).value = newValue !== null;
});
