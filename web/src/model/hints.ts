/**
 * What the stream of live updates tells (model/live.ts). It is loaded behind what is to be seen; until it is open, and
 * wherever there is none, projects are asked every few seconds.
 */
import { signal } from "@preact/signals-core";

/** A stream is open, in this tab or in another one. */
export const isLive = signal(false);
/** Of a project that is listened to: its version, as told last. */
export const told = signal<{ project: number; version: number } | null>(null);
/** How many notifications are unread, as told last. */
export const unreadTold = signal<number | null>(null);
/** Projects that this tab listens to; some several times. */
export const listened = signal<readonly number[]>([]);

/** Set by parts.ts. */
export const live: { load: () => Promise<() => void> } = { load: () => Promise.reject() };
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

/** Returns what ends it. */
export function listenTo(project: number): () => void {
	listened.value = [...listened.peek(), project];
	return () => {
		const left = [...listened.peek()];
		left.splice(left.indexOf(project), 1);
		listened.value = left;
	};
}
