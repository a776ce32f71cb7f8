/** A network on which responses are lost, delayed, duplicated and reordered, as decided by a seed. */
import { pause } from "./browser";

export interface Network {
	/** False: it works properly. */
	bad: boolean;
	/** What happened to requests, and how often. */
	readonly seen: Record<string, number>;
}

/** Random numbers from 0 to 1, determined by a seed (Park and Miller). */
export function chance(seed: number): () => number {
	let state = (seed % 2147483646) + 1;
	return () => {
		state = (state * 48271) % 2147483647;
		return state / 2147483647;
	};
}

/** What can happen to a request, and how likely it is. */
const FATES: readonly [string, number][] = [
	["never sent", 0.06],
	["answer lost", 0.08],
	["sent twice", 0.06],
	["cut off", 0.03],
	["refused by the gateway", 0.03],
	["very late", 0.05],
	["late", 0.4],
];

export function connect(base: string, token: string, random: () => number): Network {
	const reach = fetch;
	const network: Network = { bad: false, seen: {} };
	const fate = () => {
		let at = random();
		return FATES.find(([, share]) => (at -= share) < 0)?.[0] ?? "as it should";
	};
	globalThis.fetch = async (path, init = {}) => {
		const send = () => reach(base + path, { ...init, headers: { ...init.headers, "X-ServiceToken": token } });
		const what = network.bad ? fate() : "as it should";
		network.seen[what] = (network.seen[what] ?? 0) + 1;
		if (what === "never sent") throw new TypeError(what);
		if (what === "refused by the gateway") return new Response("", { status: 502 });
		if (what === "late" && random() < 0.5) await pause(random() * 40);
		const answer = await send();
		if (what === "sent twice") void send().catch(() => {});
		if (what === "late") await pause(random() * 40);
		if (what === "very late") await pause(100 + random() * 200);
		if (what === "answer lost") throw new TypeError(what);
		return what === "cut off" ? new Response("[{", { status: answer.status, headers: answer.headers }) : answer;
	};
	return network;
}
