/**
 * The search language, for completion in a field: its keys, what can follow each, and which part of a text is
 * complete. The server implements the language; planwright-search(7) describes it.
 */
import { STATES, TYPES } from "./states";

const THINGS = ["blocker", "blocking", "label", "owner", "attachment", "epic"];
const DAYS = ["today", "yesterday", "-1w", "-2w", "-4w"];

/** What follows a key: fixed values, or names in the project. */
export type Follows =
	| readonly string[]
	| "people"
	| "labels"
	| "epics"
	| "review types"
	| "points"
	| "numbers"
	| "text";

/** In the order in which they are offered. */
export const KEYS = {
	state: STATES,
	owner: "people",
	label: "labels",
	epic: "epics",
	type: TYPES,
	requester: "people",
	mywork: "people",
	estimate: "points",
	is: ["blocked", "blocking", "following"],
	has: THINGS,
	no: THINGS,
	reviewer: "people",
	review: "review types",
	name: "text",
	created_since: DAYS,
	updated_since: DAYS,
	accepted_since: DAYS,
	id: "numbers",
	includedone: ["true"],
} as const satisfies Record<string, Follows>;

export type SearchKey = keyof typeof KEYS;

const ALIAS: Record<string, SearchKey> = {
	current_state: "state",
	story_type: "type",
	owned_by: "owner",
	requested_by: "requester",
	epics: "epic",
};

export const keyOf = (word: string): SearchKey | undefined => {
	const lower = word.toLowerCase();
	return lower in KEYS ? (lower as SearchKey) : ALIAS[lower];
};

/** A value as it is written after a key. */
export function quoted(value: string): string {
	return /^[^\s"\\(),*?/]+$/.test(value) ? value : `"${value.replace(/["\\]/g, "\\$&")}"`;
}

/** What is being typed at a position of the text. */
export interface Typed {
	/** Where its last part begins, which a completion replaces. */
	from: number;
	part: string;
	/** The key before it. */
	key?: SearchKey;
}

/** Reads the term before the position: what follows the last blank that is not in quotes. */
export function typedAt(text: string, at: number): Typed {
	let from = 0;
	let inQuotes = false;
	for (let i = 0; i < at; i++) {
		const c = text[i]!;
		if (c === "\\" && inQuotes) i++;
		else if (c === '"') inQuotes = !inQuotes;
		else if (!inQuotes && /[\s()]/.test(c)) from = i + 1;
	}
	if (text[from] === "-" && from < at) from++;
	const word = text.slice(from, at);
	const colon = word.indexOf(":");
	const key = colon > 0 ? keyOf(word.slice(0, colon)) : undefined;
	if (!key) return { from, part: word };
	const follows: Follows = KEYS[key];
	const isList = key === "state" || key === "type" || key === "id";
	const start = isList && typeof follows !== "string" ? Math.max(colon, word.lastIndexOf(",")) : colon;
	return { from: from + start + 1, part: word.slice(start + 1), key };
}

/** A story that the text names: by its number, or by its address here or in the original service. */
export interface Named {
	id: number;
	isNumber: boolean;
}

const NUMBER = /^#?(\d{1,15})$/;
const ADDRESS = /^\/(?:(?:n\/)?projects\/\d+\/stories|story\/show|story|stories)\/(\d{1,15})\/?$/;
const HOSTS = /^(?:www\.)?pivotaltracker\.com$/;

export function namedStory(text: string, origin: string): Named | null {
	const plain = NUMBER.exec(text.trim());
	if (plain) return { id: Number(plain[1]), isNumber: true };
	if (!/^(?:https?:\/\/|\/)\S+$/.test(text.trim())) return null;
	try {
		const url = new URL(text.trim(), origin);
		const found = ADDRESS.exec(url.pathname);
		return found && (url.origin === origin || HOSTS.test(url.hostname))
			? { id: Number(found[1]), isNumber: false }
			: null;
	} catch {
		return null;
	}
}

export const searchById = (id: number): string => `id:${id} includedone:true`;

/** What to search for while the user is typing: the last word may still grow; null: it is not a search yet. */
export function searchSoFar(text: string): string | null {
	const wanted = text.trim();
	const outside = wanted.replace(/"(?:[^"\\]|\\.)*"/g, "_");
	const isOpen = /"|(?:^|\s)-?\/|[-(:,]$|(?:^|\s)(?:AND|OR)$/.test(outside);
	const balance = outside.replace(/[^(]/g, "").length - outside.replace(/[^)]/g, "").length;
	if ([...wanted].length < 2 || isOpen || balance !== 0) return null;
	const words = wanted.match(/[\w-]+:(?:"(?:[^"\\]|\\.)*"|[^\s()"])*/g) ?? [];
	if (!words.every(isWhole)) return null;
	return /(?:^|\s)[\p{L}\p{N}]{2,}$/u.test(text) ? `${wanted}*` : wanted;
}

/** Whether a term is complete, if its key takes only fixed values. */
function isWhole(word: string): boolean {
	const colon = word.indexOf(":");
	const key = keyOf(word.slice(0, colon).replace(/^-/, ""));
	if (!key) return false;
	const follows: Follows = KEYS[key];
	const values = word
		.slice(colon + 1)
		.toLowerCase()
		.split(",");
	if (typeof follows !== "string") return values.every((value) => follows.includes(value.replace(/"/g, "")));
	return follows !== "numbers" && follows !== "points" ? true : values.every((value) => /^-?\d+$/.test(value));
}
