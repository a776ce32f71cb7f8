/** Which stories and epics have unsaved input, according to this device's storage. */
import { signal, type Signal } from "@preact/signals-core";

/** The storage key for who was last signed in on this device: assumed until the server says who it is. */
export const WHO = "planwright.who";

const flags = new Map<string, Signal<boolean>>();
let kept: ReadonlySet<string> | null = null;
let person: string | null = null;

/** The storage key of an input: other people who sign in on the device do not see it. */
export function placeOf(key: string): string {
	person ??= globalThis.localStorage?.getItem(WHO) ?? "";
	return `planwright.draft.${person}.${key}`;
}

/** From now on, drafts are this person's; null: nobody is signed in. */
export function draftsOf(id: number | null): void {
	if (person === String(id ?? "")) return;
	person = String(id ?? "");
	if (id === null) localStorage.removeItem(WHO);
	else localStorage.setItem(WHO, person);
	kept = null;
	for (const [key, flag] of flags) flag.value = localStorage.getItem(placeOf(key)) !== null;
}

/** Whether there is unsaved input, as a signal. `key` is that of an Editor. */
export function unsaved(key: string): Signal<boolean> {
	let flag = flags.get(key);
	if (!flag) {
		kept ??= new Set(Object.keys(localStorage));
		flags.set(key, (flag = signal(kept.has(placeOf(key)))));
	}
	return flag;
}

// Another tab changed it.
globalThis.addEventListener?.("storage", ({ key, newValue }) => {
	if (key?.startsWith(placeOf(""))) unsaved(key.slice(placeOf("").length)).value = newValue !== null;
});
