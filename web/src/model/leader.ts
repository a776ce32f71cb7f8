/**
 * One of several tabs makes the requests for all of them. If the browser has locks, the tab that holds one leads;
 * otherwise the one with the lowest random number.
 */

import { listen } from "./listen";

export interface Leader {
	/** True: this tab makes the requests. */
	readonly leads: () => boolean;
	/** Sends a message to the other tabs with this name. */
	readonly tell: (message: unknown) => void;
	readonly close: () => void;
}

const BEAT = 2000;

export function join(name: string, heard: (message: unknown) => void): Leader {
	const channel = new BroadcastChannel(name);
	const election = typeof navigator !== "undefined" && navigator.locks ? byLock(name) : byBeat(channel);
	channel.onmessage = ({ data }) => {
		if (data && typeof data === "object" && "beat" in data) election.heard?.(data.beat);
		else heard(data);
	};
	return {
		leads: election.leads,
		tell: (message) => channel.postMessage(message),
		close: () => {
			election.close();
			channel.close();
		},
	};
}

interface Election {
	leads: () => boolean;
	heard?: (rank: number) => void;
	close: () => void;
}

/** A hidden tab releases the lock, so that a visible one leads. */
function byLock(name: string): Election {
	let release: (() => void) | null = null;
	let asked: AbortController | null = null;
	const ask = () => {
		if (asked || release || document.hidden) return;
		asked = new AbortController();
		navigator.locks
			.request(name, { signal: asked.signal }, () => {
				asked = null;
				return new Promise<void>((resolve) => {
					release = resolve;
					if (document.hidden) let_go();
				});
			})
			.catch(() => {});
	};
	const let_go = () => {
		asked?.abort();
		asked = null;
		release?.();
		release = null;
	};
	const turn = () => (document.hidden ? let_go() : ask());
	const stop = listen(document, "visibilitychange", turn);
	ask();
	return {
		leads: () => release !== null,
		close: () => {
			stop();
			let_go();
		},
	};
}

function byBeat(channel: BroadcastChannel): Election {
	const rank = Math.random();
	let lower = 0; // when a tab that goes before us was last heard
	const beat = () => {
		if (!document.hidden) channel.postMessage({ beat: rank });
	};
	const timer = setInterval(beat, BEAT);
	beat();
	return {
		leads: () => !document.hidden && Date.now() - lower > BEAT * 2,
		heard: (other) => {
			if (other < rank) lower = Date.now();
		},
		close: () => clearInterval(timer),
	};
}
