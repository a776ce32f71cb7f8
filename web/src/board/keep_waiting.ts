/** Unanswered changes continue when the network is back, and outlive their page. */
import { effect, untracked } from "@preact/signals-core";
import { me } from "../app/session";
import type { Command } from "../model/command";
import { listen, stopAll } from "../model/listen";
import { keepCommands, takeCommands } from "../model/outbox";
import type { Queue } from "../model/queue";
import type { Store } from "../model/store";
import type { Undo } from "../model/undo";

/** Returns a function that ends it; after its board is closed, it lasts until everything is sent. */
export function keepWaiting(store: Store, queue: Queue, undo: Undo): () => void {
	let who = 0;
	const keep = (waiting: readonly Command[]) => {
		queue.stop();
		keepCommands(store.id, who, waiting);
	};
	const leave = () => {
		const waiting = store.pending.peek().filter((c) => !c.held);
		queue.flush();
		keep(waiting);
	};
	// Whoever signs in again finds it done.
	const signedOut = () => {
		const waiting = store.pending.peek();
		for (const command of waiting) command.held = false;
		keep(waiting);
		for (const command of waiting) {
			undo.forget(command);
			store.end(command);
		}
	};
	// A page restored from the browser's cache reloads: the next page has taken its changes.
	const back = (event: PageTransitionEvent) => event.persisted && location.reload();
	const end = stopAll(
		effect(() => void (who = me.value?.id ?? who)),
		effect(() => void (queue.ended.value && untracked(signedOut))),
		listen(window, "pagehide", leave),
		listen(window, "pageshow", back),
		listen(window, "online", () => queue.wake()),
	);
	return () => {
		const stop = effect(() => {
			if (store.pending.value.length > 0) return;
			queueMicrotask(() => {
				stop();
				end();
			});
		});
	};
}

/** Sends what an earlier page stored, once the user is known, which may be after the stories. */
export function takeUp(store: Store, queue: Queue): void {
	const stop = effect(() => {
		const person = me.value?.id;
		if (!person) return;
		queueMicrotask(() => {
			stop();
			for (const command of takeCommands(store.id, person)) queue.push(command);
		});
	});
}
