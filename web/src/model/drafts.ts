/**
 * What the user typed and did not save: stored on this device, per story or epic, so that it survives a reload. A
 * draft remembers the value that it started from.
 */
import { placeOf, unsaved } from "./unsaved";
import type { Typed } from "./command";

export interface Draft {
	value: unknown;
	base: unknown;
}

export type Drafts = Readonly<Record<string, Draft>>;

/** The key of a draft for a part that is there already: a comment, a task. */
export const editKey = (kind: string, id: number) => `new.edit.${kind}.${id}`;

/** The key of a draft for a part that is to be added. */
export const addKey = (kind: string): string =>
	({ comments: "comment", tasks: "new.task", blockers: "new.blocker" })[kind] ?? `new.${kind}`;

/** What was typed for parts that are gone, as `kept` tells, becomes what is to be added. */
export function withoutGone(drafts: Drafts, kept: (kind: string, id: number) => boolean): Drafts {
	return Object.entries(drafts).reduce((all: Drafts, [field, { value }]) => {
		const [, kind, id] = /^new\.edit\.(\w+)\.(\d+)$/.exec(field) ?? [];
		if (!kind || kept(kind, Number(id))) return all;
		const { [field]: _, ...rest } = all;
		return takenBack(rest, { field: addKey(kind), text: String(value) });
	}, drafts);
}

/** With what was refused, before what was typed since. */
export function takenBack(drafts: Drafts, { field, text }: Typed): Drafts {
	const { value = "", base = "" } = drafts[field] ?? {};
	return { ...drafts, [field]: { value: value && value !== text ? `${text}\n${value}` : text, base } };
}

/** One text that is being typed. */
export const readText = (key: string, field: string) => String(readDrafts(key)[field]?.value ?? "");

/** Keeps it with each key; an empty one is deleted. */
export function keepText(key: string, field: string, value: string): void {
	keepDrafts(key, value ? { [field]: { value, base: "" } } : {}, [field]);
}

/** Keeps what was refused for a form that was not open on this page. */
export function keepTyped(key: string, typed: Typed): void {
	keepDrafts(key, takenBack(readDrafts(key), typed), []);
	unsaved(key).value = true;
}

/** The order of ids and names in a list does not matter. */
export function same(a: unknown, b: unknown): boolean {
	const plain = (value: unknown) =>
		JSON.stringify(Array.isArray(value) ? [...value].map(String).sort() : (value ?? null));
	return plain(a) === plain(b);
}

export function readDrafts(key: string, storage: Storage = localStorage): Drafts {
	try {
		const kept: unknown = JSON.parse(storage.getItem(placeOf(key)) ?? "{}");
		if (typeof kept !== "object" || kept === null || Array.isArray(kept)) return {};
		const good = Object.entries(kept).filter(
			([, draft]) => typeof draft === "object" && draft !== null && "value" in draft,
		);
		return Object.fromEntries(good) as Drafts;
	} catch {
		return {};
	}
}

/** An object with a value for each of these fields. */
export const each = <T>(fields: readonly string[], value: (field: string) => T): Record<string, T> =>
	Object.fromEntries(fields.map((field) => [field, value(field)]));

/** Keeps drafts in place of those of the fields `own`; others may have come from another form or tab. */
export function keepDrafts(key: string, drafts: Drafts, own: readonly string[], storage: Storage = localStorage): void {
	const all = JSON.stringify({ ...readDrafts(key, storage), ...each(own, () => undefined), ...drafts });
	try {
		if (all !== "{}") storage.setItem(placeOf(key), all);
		else storage.removeItem(placeOf(key));
	} catch {
		// The storage is full: the draft lasts only as long as the page.
	}
}

/** The drafts with a typed field; an unchanged one is not a draft. */
export function drafted(drafts: Drafts, field: string, value: unknown, now: unknown): Drafts {
	const base = drafts[field] ? drafts[field].base : now;
	const { [field]: _, ...rest } = drafts;
	return same(value, now) && same(base, now) ? rest : { ...rest, [field]: { value, base } };
}

/** Since the draft began, somebody else changed the field, and to another value than ours. */
export function conflicts(draft: Draft | undefined, now: unknown): boolean {
	return draft !== undefined && !same(draft.base, now) && !same(draft.value, now);
}
