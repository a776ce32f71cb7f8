/** Which stories and epics have unsaved input, according to this device's storage. */
import { signal, type Signal } from "@preact/signals-core";

/** Who was last signed in on this device: assumed until the server says who it is. */
export const WHO = "planwright.who";

const flags = new Map<string, Signal<boolean>>();
let kept: ReadonlySet<string> | null = null;
let person: string | null = null;

/** Where it is stored: other people who sign in on the device do not see it. */
export function placeOf(key: string): string {
	person ??= globalThis.localStorage?.getItem(WHO) ?? "";
	return `planwright.draft.${person}.${key}`;
}

/** From now on, it is about this person's input; null: nobody is signed in. */
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
