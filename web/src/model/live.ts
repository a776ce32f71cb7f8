/**
 * One stream of live updates for all tabs of a browser: the tab that leads keeps it, for the projects of all, and tells
 * the others. What it tells are hints: whoever gets one asks the server as ever.
 */
import { effect } from "@preact/signals-core";
import { ROOT } from "../api/http";
import { isLive, listened, present, type Presence, told, unreadTold } from "./hints";
import { join } from "./leader";

/** How often it is looked who leads. */
const LOOK = 500;
/** Longer than from one sign of life to the next. */
const SILENCE = 50_000;
const SHORTEST = 1_000;
const LONGEST = 60_000;
/** A server that sends none may do so one day. */
const NEVER = 600_000;

type Message =
	| { is: "wants"; tab: number; projects: readonly number[] }
	| { is: "who" }
	| { is: "live"; live: boolean; present: readonly Presence[] }
	| { is: "event"; event: string; data: string };

const tab = Math.random();
/** Of each tab; those of closed ones go when another tab leads. */
const wants = new Map<number, readonly number[]>();
/** Projects that were refused, until then. */
const refused = new Map<number, number>();
const leader = join("planwright-live", (message) => hear(message as Message));

let open: AbortController | null = null;
let opened = ""; // for which projects
let isLeading = false;
let again = 0; // not before
let failures = 0;
let retry = SHORTEST;

const tell = (message: Message) => leader.tell(message);

function hear(message: Message): void {
	if (message.is === "wants") {
		wants.set(message.tab, message.projects);
		if (isLeading) tell({ is: "live", live: isLive.peek(), present: [...present.peek().values()] });
	} else if (message.is === "who") say();
	else if (message.is === "live") {
		isLive.value = message.live;
		present.value = new Map(message.present.map((p) => [keyOf(p), p]));
	} else take(message.event, message.data);
}

function say(): void {
	wants.set(tab, listened.peek());
	tell({ is: "wants", tab, projects: listened.peek() });
}

const keyOf = ({ story_id, person_id }: Omit<Presence, "state">) => `${story_id}.${person_id}`;

function meet(value: Omit<Presence, "state"> & { state: Presence["state"] | "gone" }): void {
	const { state } = value;
	const next = new Map(present.peek());
	if (state === "gone") next.delete(keyOf(value));
	else next.set(keyOf(value), { ...value, state });
	present.value = next;
}

function take(event: string, data: string): void {
	const value = JSON.parse(data);
	if (event === "project") told.value = { project: value.project_id, version: value.version };
	else if (event === "notifications") unreadTold.value = value.unread;
	else if (event === "presence") meet(value);
}

/** A stream begins with those who are there. */
function setLive(live: boolean): void {
	isLive.value = live;
	present.value = new Map();
	tell({ is: "live", live, present: [] });
}

// --- the stream ----------------------------------------------------------------

/** Reads one until it ends: fields of events, line by line. */
async function read(body: ReadableStream<Uint8Array>, alive: () => void): Promise<void> {
	const reader = body.getReader();
	const decoder = new TextDecoder();
	let text = "";
	let event = "";
	for (;;) {
		const { done, value } = await reader.read();
		if (done) return;
		alive();
		text += decoder.decode(value, { stream: true });
		const lines = text.split("\n");
		text = lines.pop()!;
		for (const line of lines) {
			const [name, rest = ""] = line.split(/: (.*)/);
			if (name === "retry") retry = Number(rest) || SHORTEST;
			else if (name === "event") event = rest;
			else if (name === "data") {
				take(event, rest);
				tell({ is: "event", event, data: rest });
			}
		}
	}
}

/** How long to wait after a refusal. A project that is named in it is left out for a while. */
async function waitAfter(response: Response): Promise<number> {
	const words: string = (await response.json().catch(() => ({}))).general_problem ?? "";
	const project = Number(/\d+/.exec(words)?.[0] ?? 0);
	if ((response.status === 403 || response.status === 404) && project) {
		refused.set(project, Date.now() + NEVER);
		return SHORTEST;
	}
	if (response.status === 404) return NEVER;
	const wait = Number(response.headers.get("Retry-After") ?? 0) * 1000;
	return Math.max(wait, Math.min(SHORTEST * 2 ** ++failures, LONGEST));
}

async function follow(projects: string, control: AbortController): Promise<number> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const alive = () => {
		clearTimeout(timer);
		timer = setTimeout(() => control.abort(), SILENCE);
	};
	try {
		alive();
		const response = await fetch(`${ROOT}/live?projects=${projects}&presence=true`, {
			headers: { "X-Requested-With": "planwright" },
			credentials: "same-origin",
			signal: control.signal,
		});
		if (!response.ok || !response.body) return await waitAfter(response);
		failures = 0;
		setLive(true);
		await read(response.body, alive);
		return retry;
	} catch {
		return Math.min(SHORTEST * 2 ** ++failures, LONGEST);
	} finally {
		clearTimeout(timer);
	}
}

function start(projects: string): void {
	const control = new AbortController();
	open = control;
	opened = projects;
	void follow(projects, control).then((wait) => {
		if (open !== control) return; // another one took its place
		open = null;
		again = Date.now() + wait;
		setLive(false);
	});
}

function stop(): void {
	const control = open;
	open = null;
	control?.abort();
}

function wanted(): string {
	const now = Date.now();
	const all = new Set([...wants.values()].flat());
	return [...all]
		.filter((id) => (refused.get(id) ?? 0) < now)
		.sort((a, b) => a - b)
		.slice(0, 100)
		.join(",");
}

/** Opens and closes it, as this tab leads or not and other projects are wanted. */
function look(): void {
	const leads = leader.leads();
	if (leads && !isLeading) {
		wants.clear();
		say();
		tell({ is: "who" });
	} else if (!leads && isLeading) {
		stop();
		setLive(false);
	}
	isLeading = leads;
	if (!leads) return;
	const projects = wanted();
	// More than is needed does no harm, and what is new must be there.
	const has = new Set(opened.split(","));
	if (open && projects && !projects.split(",").every((id) => has.has(id))) stop();
	if (!open && Date.now() >= again && navigator.onLine) start(projects);
}

/** Once in a tab. */
export default function goOn(): void {
	effect(() => {
		wants.set(tab, listened.value);
		say();
	});
	setInterval(look, LOOK);
	document.addEventListener("visibilitychange", () => setTimeout(look));
	window.addEventListener("pagehide", stop);
	window.addEventListener("offline", () => {
		again = 0;
		open?.abort();
	});
	look();
}
