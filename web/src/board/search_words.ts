/** What the search field offers: keys of the language and what can follow them, with names in the project. */
import { t, type Key } from "../text/i18n";
import { KEYS, quoted, type Follows, type SearchKey, type Typed } from "../model/query";
import { scale } from "../model/states";
import type { Option } from "../ui/listbox";
import type { Board } from "./model";

/** `insert` replaces what was typed. */
export interface Word extends Option {
	insert: string;
}

const MOST = 12;
/** Of each kind, next to what the search finds. */
const FEW = 3;

const fits = (part: string, ...names: string[]) =>
	names.some(
		(name) =>
			` ${name.toLowerCase()}`.replace(/[_"-]/g, " ").includes(` ${part}`) || name.toLowerCase().startsWith(part),
	);

const word = (key: string, insert: string, text: string, hint: string): Word => ({ key, insert, text, hint });

interface Value {
	/** As written after the key. */
	value: string;
	text: string;
	/** Other names that find it. */
	names: string[];
}

const plain = (value: string, text = value): Value => ({ value: quoted(value), text, names: [value, text] });

/** A state or a type is shown in the user's language, too. */
function given(key: SearchKey, value: string): Value {
	const named = key === "state" || key === "type" ? t(`${key}.${value}` as Key) : value;
	return plain(value, named === value ? value : `${value} – ${named}`);
}

function valuesOf(board: Board, key: SearchKey): Value[] {
	const { store } = board;
	const follows: Follows = KEYS[key];
	if (typeof follows !== "string") return follows.map((value) => given(key, value));
	switch (follows) {
		case "people":
			return [...store.members.value.values()].map(({ name, username, initials }) => ({
				value: quoted(username || name),
				text: name,
				names: [name, username, initials],
			}));
		case "labels":
			return [...store.labels.value.values()].map(({ name }) => plain(name));
		case "epics":
			return store.epics.value.map(({ name }) => plain(name));
		case "review types":
			return [...store.reviewTypes.value.values()].map((name) => plain(name));
		case "points":
			return store.project.value ? ["-1", ...scale(store.project.value).map(String)].map((n) => plain(n)) : [];
		default:
			return [];
	}
}

/** The values of a key that match what was typed. */
function following(board: Board, key: SearchKey, part: string): Value[] {
	const wanted = part.replace(/^"|"$/g, "").toLowerCase();
	return valuesOf(board, key).filter(({ names }) => fits(wanted, ...names));
}

const keyWord = (key: SearchKey): Word => word(`key ${key}`, `${key}:`, `${key}:`, t(`query.${key}`));

/** The names that match a plain word, each preceded by its key. */
function named(board: Board, part: string): Word[] {
	const kinds = ["owner", "label", "epic", "state", "type"] as const;
	return kinds.flatMap((key) =>
		following(board, key, part)
			.slice(0, FEW)
			.map(({ value, text }) => word(`${key} ${value}`, `${key}:${value} `, `${key}:${value}`, text)),
	);
}

export function wordsFor(board: Board, { key, part, from }: Typed): Word[] {
	if (key)
		return following(board, key, part)
			.slice(0, MOST)
			.map(({ value, text }) => word(`value ${value}`, `${value} `, text, text === value ? "" : value));
	const keys = Object.keys(KEYS) as SearchKey[];
	if (!part) return from === 0 ? keys.map(keyWord) : [];
	if (!/^[\p{L}\p{N}_-]+$/u.test(part) || /^\d+$/.test(part)) return [];
	const wanted = part.toLowerCase();
	return [...keys.filter((k) => k.startsWith(wanted)).map(keyWord), ...named(board, wanted)].slice(0, MOST);
}
