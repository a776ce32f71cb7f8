/**
 * Addresses. A link within the program is an ordinary <a href>: a click on it changes the route without loading the
 * page.
 */
import { signal } from "@preact/signals-core";
import { mayLeave } from "./leaving";

export type ProjectPage = "overview" | "settings" | "members" | "labels" | "import" | "export" | "integrations";

export type Route =
	| { page: "home" }
	| { page: "signin" }
	| { page: "dashboard" }
	| { page: "profile" }
	| { page: "accounts" }
	| { page: "account"; account: number; audit?: boolean }
	| { page: "board"; project: number; story?: number; epic?: number }
	| { page: "project"; project: number; part: ProjectPage }
	| { page: "workspace"; workspace: number }
	| { page: "story"; story: number; project?: number }
	| { page: "epic"; epic: number }
	| { page: "missing" };

type Make = (parts: string[]) => Route;

const id = (text: string | undefined) => Number(text);

const rows: [RegExp, Make][] = [
	[/^\/$/, () => ({ page: "home" })],
	[/^\/signin$/, () => ({ page: "signin" })],
	[/^\/dashboard$/, () => ({ page: "dashboard" })],
	[/^\/profile$/, () => ({ page: "profile" })],
	[/^\/accounts$/, () => ({ page: "accounts" })],
	[/^\/accounts\/(\d+)(\/audit)?$/, ([a, audit]) => ({ page: "account", account: id(a), audit: Boolean(audit) })],
	[/^\/(?:n\/)?projects\/(\d+)$/, ([p]) => ({ page: "board", project: id(p) })],
	[/^\/n\/projects\/(\d+)\/stories\/(\d+)$/, ([p, s]) => ({ page: "board", project: id(p), story: id(s) })],
	[/^\/(?:n\/)?projects\/(\d+)\/epics\/(\d+)$/, ([p, e]) => ({ page: "board", project: id(p), epic: id(e) })],
	[/^\/projects\/(\d+)\/stories\/(\d+)$/, ([p, s]) => ({ page: "story", project: id(p), story: id(s) })],
	[
		/^\/(?:n\/)?projects\/(\d+)\/(overview|settings|members|labels|import|export|integrations)$/,
		([p, part]) => ({ page: "project", project: id(p), part: part as ProjectPage }),
	],
	[/^\/n\/workspaces\/(\d+)$/, ([w]) => ({ page: "workspace", workspace: id(w) })],
	[/^\/(?:story\/show|stories|story)\/(\d+)$/, ([s]) => ({ page: "story", story: id(s) })],
	[/^\/epic\/show\/(\d+)$/, ([e]) => ({ page: "epic", epic: id(e) })],
];

export function parse(path: string): Route {
	const bare = path.length > 1 ? path.replace(/\/+$/, "") : path;
	for (const [pattern, make] of rows) {
		const found = pattern.exec(bare);
		if (found) return make(found.slice(1));
	}
	return { page: "missing" };
}

export const route = signal<Route>({ page: "home" });
/** What follows the "?" of the address. */
export const query = signal(new URLSearchParams());

/** The address of the page that is shown. */
let shown = "";

/** Addresses below that of a board are on its page. */
const pageOf = (path: string) => /^\/n\/projects\/\d+|^[^?#]*/.exec(path)![0];

/** Whether that is the same page, or this one may be left. */
const mayGo = (path: string, asks = true) => pageOf(path) === pageOf(shown) || mayLeave(asks);

function read(): void {
	shown = location.pathname + location.search;
	query.value = new URLSearchParams(location.search);
	route.value = parse(location.pathname);
}

export function go(path: string, how: "push" | "replace" = "push"): void {
	if (!mayGo(path, how === "push")) return;
	if (how === "push") history.pushState(null, "", path);
	else history.replaceState(null, "", path);
	read();
}

/** The path of a text that is an address of this program, with or without its host; otherwise null. */
export function ownPath(text: string | null): string | null {
	if (!text) return null;
	try {
		const url = new URL(text, location.origin);
		return url.origin === location.origin && parse(url.pathname).page !== "missing"
			? url.pathname + url.search + url.hash
			: null;
	} catch {
		return null;
	}
}

function clicked(event: MouseEvent): void {
	if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
		return;
	const link = (event.target as Element | null)?.closest?.("a");
	if (!link || link.target || link.hasAttribute("download")) return;
	const path = ownPath(link.href);
	if (!path) return;
	event.preventDefault();
	if (path === location.pathname + location.search) return;
	go(path);
}

/** Back and Forward have gone already: whoever stays gets the address again. */
function passed(event: Event): void {
	if (mayGo(location.pathname)) return read();
	event.stopImmediatePropagation();
	history.pushState(null, "", shown);
}

export function startRouter(): void {
	addEventListener("popstate", passed);
	document.addEventListener("click", clicked);
	read();
}
