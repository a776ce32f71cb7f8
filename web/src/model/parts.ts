/**
 * Changes to parts of a story or an epic. They go through the queue like all others: shown immediately, kept while
 * there is no answer, reverted if they are refused.
 */
import { get } from "../api/http";
import type { Command } from "./command";
import { READ, type Detail, type Kind } from "./detail";
import type { Store } from "./store";

/** The story or epic that a part belongs to. */
export interface Owner {
	store: Store;
	/** Identifies it among all that are open. */
	key: string;
	/** Below /services/v5. */
	path: string;
	/** The id of the story whose card must be rendered again; empty for an epic. */
	ids: number[];
	name: string;
	/** Changes the confirmed state. */
	confirm: (change: (detail: Detail) => Detail) => void;
}

type Item<K extends Kind> = Detail[K][number];

let own = -Date.now();

function command(
	owner: Owner,
	detail: Command["detail"],
	request: Command["request"],
	answered: Command["answered"],
): Command {
	return {
		ids: [...owner.ids],
		of: owner.key,
		words: { key: "did.changed", values: { name: owner.name } },
		patch: (story) => story,
		...(detail ? { detail } : {}),
		request,
		...(answered ? { answered } : {}),
	};
}

const list = <K extends Kind>(detail: Detail, kind: K) => detail[kind] as Item<K>[];

const mapped =
	<K extends Kind>(kind: K, change: (items: Item<K>[]) => Item<K>[]) =>
	(detail: Detail): Detail => ({
		...detail,
		[kind]: change(list(detail, kind)),
	});

/** Adds a part; `shown` is how it looks until the server answers. */
export function addPart<K extends Kind>(owner: Owner, kind: K, body: object, shown: Omit<Item<K>, "id">): Command {
	const temporary = { ...shown, id: --own } as Item<K>;
	const read = READ[kind] as (from: unknown) => Item<K>;
	const path = `${owner.path}/${kind}`;
	const query = kind === "comments" ? "?fields=:default,person,file_attachments" : "";
	const put = (item: Item<K>) =>
		owner.confirm(mapped(kind, (items) => [...items.filter((i) => i.id !== item.id), item]));
	const made = command(
		owner,
		mapped(kind, (items) => [...items, temporary]),
		() => ({ method: "POST", path: path + query, body }),
		(data) => put(read(data)),
	);
	return { ...made, adds: { kind, item: temporary } };
}

/** `shown`: what changes on the page, if that is more than what is sent. */
export function changePart<K extends Kind>(
	owner: Owner,
	kind: K,
	id: number,
	body: Partial<Item<K>>,
	shown = body,
): Command {
	const each = mapped(kind, (items) => items.map((item) => (item.id === id ? { ...item, ...shown } : item)));
	return command(
		owner,
		each,
		() => ({ method: "PUT", path: `${owner.path}/${kind}/${id}`, body }),
		() => owner.confirm(each),
	);
}

export function removePart(owner: Owner, kind: Kind, id: number): Command {
	const without = (detail: Detail): Detail => ({ ...detail, [kind]: detail[kind].filter((item) => item.id !== id) });
	return {
		...command(
			owner,
			without,
			() => ({ method: "DELETE", path: `${owner.path}/${kind}/${id}` }),
			() => owner.confirm(without),
		),
		wasDone: () => gone(`${owner.path}/${kind}/${id}`),
	};
}

async function gone(path: string): Promise<boolean> {
	return get(path).then(
		() => false,
		(error: { status?: number }) => {
			if (error.status === 404) return true;
			throw error;
		},
	);
}

/** Moves a task to another index of its list, from 0. */
export function moveTask(owner: Owner, id: number, to: number): Command {
	const moved = mapped("tasks", (items) => {
		const rest = items.filter((item) => item.id !== id);
		const task = items.find((item) => item.id === id);
		return task ? [...rest.slice(0, to), task, ...rest.slice(to)] : items;
	});
	return command(
		owner,
		moved,
		() => ({ method: "PUT", path: `${owner.path}/tasks/${id}`, body: { position: to + 1 } }),
		() => owner.confirm(moved),
	);
}
