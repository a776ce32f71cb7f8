/**
 * What the stream of live updates reported (model/live.ts). The stream is loaded after what is visible; until it is
 * open, and wherever there is none, projects are polled every few seconds.
 */
import { signal } from "@preact/signals-core";

/** A stream is open, in this tab or another one. */
export const isLive = signal(false);
/** The version of a project that this tab listens to, as last reported. */
export const told = signal<{ project: number; version: number } | null>(null);
/** How many notifications are unread, as last reported. */
export const unreadTold = signal<number | null>(null);
export interface Presence {
	project_id: number;
	story_id: number;
	person_id: number;
	state: "looking" | "typing";
}

/** Others who are at stories, by story and person; nobody is without a stream. */
export const present = signal<ReadonlyMap<string, Presence>>(new Map());
/** Projects that this tab listens to; some may be listed several times. */
export const listened = signal<readonly number[]>([]);

/** Set by load_parts.ts. */
export const live = {} as { load: () => Promise<() => void> };
let isAsked = false;

/** Opens the stream, once. */
export function goLive(): void {
	if (isAsked) return;
	isAsked = true;
	live.load().then(
		(start) => start(),
		() => (isAsked = false),
	);
}

/** Returns a function that stops listening. */
export function listenTo(project: number): () => void {
	listened.value = [...listened.peek(), project];
	return () => {
		const left = [...listened.peek()];
		left.splice(left.indexOf(project), 1);
		listened.value = left;
	};
}
