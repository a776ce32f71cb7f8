/** What waits for its answer goes on when the network is back, and outlives its page. */
import { effect } from "@preact/signals-core";
import { me } from "../app/session";
import { keepCommands, takeCommands } from "../model/outbox";
import type { Queue } from "../model/queue";
import type { Store } from "../model/store";

/** Returns what ends it; behind a board that is closed it lasts until all is sent. */
export function keepWaiting(store: Store, queue: Queue): () => void {
	const leave = () => {
		const waiting = store.pending.peek().filter((c) => !c.held);
		queue.flush();
		queue.stop();
		keepCommands(store.id, me.peek()?.id ?? 0, waiting);
	};
	// A page that comes back with all it had begins anew: the next one took its changes.
	const back = (event: PageTransitionEvent) => event.persisted && location.reload();
	const wake = () => queue.wake();
	addEventListener("pagehide", leave);
	addEventListener("pageshow", back);
	addEventListener("online", wake);
	const end = () => {
		removeEventListener("pagehide", leave);
		removeEventListener("pageshow", back);
		removeEventListener("online", wake);
	};
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

/** What a page before this one kept, once it is known who looks, which may be after the stories. */
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
