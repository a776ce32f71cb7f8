/**
 * Texts by key, in English and German. locales/board.LANGUAGE.json is loaded before anything is shown; parts that are
 * loaded later bring their own texts (see load_parts.ts). A text is a string, or an object by plural form, which the
 * value `n` selects; {name} is replaced by a value.
 */
import type board from "../../locales/board.en.json";
import type admin from "../../locales/admin.en.json";
import type pages from "../../locales/pages.en.json";
import type story from "../../locales/story.en.json";
import type charts from "../../locales/charts.en.json";
import type panels from "../../locales/panels.en.json";

export const LANGUAGES = ["en", "de"] as const;
export type Language = (typeof LANGUAGES)[number];
export type Part = "board" | "pages" | "admin" | "story" | "charts" | "panels";

export type Key =
	| keyof typeof board
	| keyof typeof pages
	| keyof typeof admin
	| keyof typeof story
	| keyof typeof charts
	| keyof typeof panels;
type Text = string | Partial<Record<Intl.LDMLPluralRule, string>>;
export type Values = Record<string, string | number>;

const texts: Record<string, Text> = {};
const CHOICE = "planwright.language";

/** The language chosen on this device, otherwise the first supported one of the browser. */
function choose(): Language {
	const wanted = [localStorage.getItem(CHOICE) ?? "", ...navigator.languages];
	for (const word of wanted) {
		const found = LANGUAGES.find((l) => word.toLowerCase().split("-")[0] === l);
		if (found) return found;
	}
	return "en";
}

export const language: Language = choose();
/** For dates and numbers: the browser's own variant of the language, if it has one. */
export const locale = navigator.languages.find((l) => l.startsWith(language)) ?? language;

/** Sorts names as people expect: "Project 2" before "Project 10". */
export const naturally = new Intl.Collator(locale, { numeric: true }).compare;

const plurals = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });

/** Takes effect by reloading the page. Null: the browser's language. */
export function setLanguage(wanted: Language | null): void {
	if (wanted && LANGUAGES.includes(wanted)) localStorage.setItem(CHOICE, wanted);
	else localStorage.removeItem(CHOICE);
	if (choose() !== language) location.reload();
}

/** The paths of the texts; the build inserts them. */
declare const TEXT_FILES: Record<string, string>;

const arrived = new Map<string, Promise<void>>();

/** Loads the texts of a part; after a failure it can be called again. */
export function loadTexts(part: Part): Promise<void> {
	let coming = arrived.get(part);
	if (!coming) {
		coming = bring(part);
		coming.catch(() => arrived.delete(part));
		arrived.set(part, coming);
	}
	return coming;
}

async function bring(part: Part): Promise<void> {
	const path = TEXT_FILES[`${part}.${language}`];
	if (!path) return;
	const answer = await fetch(path);
	if (!answer.ok) throw new Error(path);
	Object.assign(texts, await answer.json());
}

const AGAIN = 1_000;

/** Called before anything is shown: without texts there is nothing to show. */
export async function startTexts(): Promise<void> {
	document.documentElement.lang = language;
	for (;;)
		try {
			return await loadTexts("board");
		} catch {
			await new Promise((resolve) => setTimeout(resolve, AGAIN));
		}
}

export function t(key: Key, values: Values = {}): string {
	const text = texts[key] ?? key;
	const chosen = typeof text === "string" ? text : (text[plurals.select(Number(values.n))] ?? text.other ?? key);
	return chosen.replace(/\{(\w+)\}/g, (whole, name: string) => {
		const value = values[name];
		return value === undefined ? whole : typeof value === "number" ? numbers.format(value) : value;
	});
}

/** The keys that begin with this, among the texts that are loaded. */
export const keysOf = (beginning: string) => Object.keys(texts).filter((key) => key.startsWith(beginning)) as Key[];

/** "3 stories, 5 points": each with its own plural. */
export const storiesPoints = (stories: number, points: number): string =>
	`${t("drag.count", { n: stories })}, ${t("points", { n: points })}`;

export const formatNumber = (n: number): string => numbers.format(n);

const dates = new Map<string, Intl.DateTimeFormat>();

function dateFormat(key: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
	let made = dates.get(key);
	if (!made) {
		made = new Intl.DateTimeFormat(locale, options);
		dates.set(key, made);
	}
	return made;
}

const days = (zone?: string) => dateFormat(`day ${zone}`, { day: "numeric", month: "short", timeZone: zone });

/** "3 Nov", in a project's zone or the reader's own. */
export const formatDay = (at: number, zone?: string): string => days(zone).format(at);

/** The same; in another year than this one, "3 Nov 2026". */
export function formatDue(at: number, zone?: string): string {
	const isThisYear = new Date(at).getUTCFullYear() === new Date().getUTCFullYear();
	return (isThisYear ? formatDay : formatDate)(at, zone);
}

/** "3 – 9 Nov". */
export const formatDays = (from: number, to: number, zone?: string): string => days(zone).formatRange(from, to);

/** "3 Nov 2026". */
export function formatDate(at: number, zone?: string): string {
	return dateFormat(`date ${zone}`, { dateStyle: "medium", timeZone: zone }).format(at);
}

/** "3 Nov 2026, 14:05". */
export function formatTime(at: number): string {
	return dateFormat("time", { dateStyle: "medium", timeStyle: "short" }).format(at);
}
