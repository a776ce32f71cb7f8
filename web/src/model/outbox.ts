/**
 * Changes that had no answer when their page was closed: stored on this device, per project, and sent by the next
 * page on which the same person opens the project. A POST keeps its key, so that the server recognizes it. Fields of
 * a story or an epic are not stored here: they are drafts.
 */
import type { Command, Request } from "./command";
import type { Story } from "./types";

const PREFIX = "planwright.outbox.";
/** How long the server remembers a key, in milliseconds. */
const LASTS = 86_400_000;

interface Kept extends Pick<Command, "ids" | "words" | "of" | "adds" | "typed" | "key"> {
	/** The person who made the change. */
	by: number;
	at: number;
	request: Request;
	/** It is about something other than a story. */
	isOther: boolean;
}

export const newKey = (): string =>
	Array.from(crypto.getRandomValues(new Uint8Array(16)), (n) => n.toString(16).padStart(2, "0")).join("");

function read(project: number, storage: Storage): Kept[] {
	try {
		const kept: unknown = JSON.parse(storage.getItem(PREFIX + project) ?? "[]");
		return Array.isArray(kept)
			? (kept as Kept[]).filter((k) => k?.at > Date.now() - LASTS && k.request && Array.isArray(k.ids))
			: [];
	} catch {
		return [];
	}
}

function write(project: number, list: readonly Kept[], storage: Storage): void {
	try {
		if (list.length > 0) storage.setItem(PREFIX + project, JSON.stringify(list));
		else storage.removeItem(PREFIX + project);
	} catch {
		// The storage is full: they are lost with the page.
	}
}

export function keepCommands(
	project: number,
	by: number,
	commands: readonly Command[],
	storage: Storage = localStorage,
): void {
	const list = commands
		.filter((c) => !c.held && !c.isDraft)
		.map((c): Kept => {
			const { ids, words, of, adds, typed } = c;
			const isOther = c.answered !== undefined;
			return {
				by,
				at: Date.now(),
				key: (c.key ??= newKey()),
				request: c.request(ids),
				ids,
				words,
				isOther,
				...(of && { of }),
				...(adds && { adds }),
				...(typed && { typed }),
			};
		});
	if (list.length > 0) write(project, [...read(project, storage), ...list], storage);
}

/** A person's changes, which are then no longer stored. */
export function takeCommands(project: number, by: number, storage: Storage = localStorage): Command[] {
	const all = read(project, storage);
	write(
		project,
		all.filter((k) => k.by !== by),
		storage,
	);
	return all.filter((k) => k.by === by).map(revived);
}

/** How it looks, as far as that is known: fields of stories, and what is added to one. */
function revived({ ids, words, of, adds, typed, key, request, isOther }: Kept): Command {
	const { method, path, body } = request;
	const wanted = ((body as { changes?: object } | undefined)?.changes ?? body ?? {}) as Partial<Story>;
	const fields = (story: Story) => Object.fromEntries(Object.entries(wanted).filter(([name]) => name in story));
	return {
		ids: [...ids],
		words,
		isOld: true,
		...(key && { key }),
		...(of && { of }),
		...(typed && { typed }),
		patch: (story) => (story && method === "PUT" && !isOther ? { ...story, ...fields(story) } : story),
		...(adds && { adds, detail: (d) => ({ ...d, [adds.kind]: [...d[adds.kind], adds.item] }) }),
		...(isOther && { answered: () => {} }),
		// A story that was new has the server's id by now.
		request: ([id]) => ({ method, path: path.replace(`/stories/${ids[0]}`, `/stories/${id}`), body }),
	};
}
