/**
 * Parts of a story that one list shows for all of them. Another kind is a row of LISTS, and a text `list.NAME` in
 * locales/story.*.json: the compiler compares both with the server's description.
 */
import type * as api from "../api/types.gen";

/** What a line shows: a name that is a link, and what is beside it. */
export interface LinkItem {
	id: number;
	name: string;
	url: string;
	status: string;
}

interface Row<T> {
	/** What activities call a change of one. */
	kind: T extends { kind?: infer Kind } ? Kind & string : never;
	name: keyof T & string;
	link: keyof T & string;
	beside: (keyof T & string)[];
}

const row = <T extends { id: number }>(of: Row<T>): Row<never> => of as unknown as Row<never>;

/** By the name of the list in a story. */
export const LISTS = {
	cicd_events: row<api.CicdEvent>({ kind: "cicd_event", name: "name", link: "url", beside: ["status", "provider"] }),
};

export type ListKind = keyof typeof LISTS;

export const LIST_KINDS = Object.keys(LISTS) as ListKind[];
export const LISTED: readonly string[] = Object.values(LISTS).map((list) => list.kind);

/** An answer, in the form kept here. What is unknown is not said. */
export function readItem(kind: ListKind, from: { id: number }): LinkItem {
	const { name, link, beside } = LISTS[kind];
	const text = (field: string) => String((from as Record<string, unknown>)[field] ?? "");
	const url = text(link);
	const said = beside.map(text).filter((word) => word && word !== "unknown");
	return { id: from.id, name: text(name) || url, url, status: said.join(" · ") };
}

type Lists = Record<ListKind, LinkItem[]>;

export const readLists = (from: Partial<Record<ListKind, { id: number }[]>>): Lists =>
	Object.fromEntries(LIST_KINDS.map((kind) => [kind, (from[kind] ?? []).map((item) => readItem(kind, item))])) as Lists;

type Readers = Record<ListKind, (from: { id: number }) => LinkItem>;

export const READ_ITEM = Object.fromEntries(
	LIST_KINDS.map((kind) => [kind, (from: { id: number }) => readItem(kind, from)]),
) as Readers;
