/**
 * What the user typed and did not save: stored on this device, per story or epic, so that it survives a reload. A
 * draft remembers the value that it started from.
 */
import { placeOf } from "./unsaved";

export interface Draft {
	value: unknown;
	base: unknown;
}

export type Drafts = Readonly<Record<string, Draft>>;

/** The key of a draft for a part that is there already: a comment, a task. */
export const editKey = (kind: string, id: number) => `new.edit.${kind}.${id}`;

/** The drafts for parts that are gone, as `kept` tells. */
export function goneEdits(drafts: Drafts, kept: (kind: string, id: number) => boolean): string[] {
	return Object.keys(drafts).filter((field) => {
		const [, kind, id] = /^new\.edit\.(\w+)\.(\d+)$/.exec(field) ?? [];
		return kind && !kept(kind, Number(id));
	});
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

export function keepDrafts(key: string, drafts: Drafts, storage: Storage = localStorage): void {
	try {
		if (Object.keys(drafts).length > 0) storage.setItem(placeOf(key), JSON.stringify(drafts));
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
