/** The parts of a browser that a board uses, for a program without a page. Must be imported first. */
import { webcrypto } from "node:crypto";

/** A board's timeouts are this much shorter; those with arguments are Node's own and are left alone. */
const FASTER = 40;
const later = setTimeout;
const kept = new Map<string, string>();
const nothing = () => {};
const node = {
	addEventListener: nothing,
	removeEventListener: nothing,
	querySelector: () => null,
	hidden: false,
	title: "",
};

Object.defineProperty(globalThis, "navigator", { value: { languages: ["en"] }, configurable: true });
Object.defineProperty(globalThis, "crypto", { value: webcrypto, configurable: true });
Object.assign(globalThis, {
	document: node,
	window: globalThis,
	location: { reload: nothing },
	addEventListener: nothing,
	removeEventListener: nothing,
	requestAnimationFrame: nothing,
	BroadcastChannel: undefined,
	localStorage: {
		getItem: (key: string) => kept.get(key) ?? null,
		setItem: (key: string, value: string) => kept.set(key, value),
		removeItem: (key: string) => kept.delete(key),
	},
	setTimeout: (act: (...args: unknown[]) => void, wait = 0, ...args: unknown[]) =>
		later(act, args.length > 0 ? wait : wait / FASTER, ...args),
	setInterval: () => 0,
});

export const pause = (wait: number): Promise<void> => new Promise((resolve) => later(resolve, wait));
