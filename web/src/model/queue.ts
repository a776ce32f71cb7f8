/**
 * Sends a project's commands one after the other. If the server refuses one, it is reverted and the server's message
 * is shown; if the server cannot be reached, commands wait, and continue as soon as it can.
 */
import { signal } from "@preact/signals-core";
import { call, get, passes, Refused } from "../api/http";
import { loadStandings, readStanding, STANDING_FIELDS } from "./load";
import type * as api from "../api/types.gen";
import type { Command } from "./command";
import { newKey } from "./outbox";
import type { Store } from "./store";

const LONGEST_WAIT = 15_000;

export interface QueueEvents {
	refused: (command: Command, words: string) => void;
	/** Other people's changes came in between, or what is shown may be wrong. */
	behind: () => void;
}

export class Queue {
	/** True while there is no answer; changes are kept. */
	readonly offline = signal(false);
	/** Nobody is signed in any more: what waits is kept for the person who did it. */
	readonly ended = signal(false);
	private busy = false;
	private stopped = false;
	private failures = 0;
	private timer: ReturnType<typeof setTimeout> | undefined;
	/** The command that was sent and whose outcome is unknown. */
	private uncertain: Command | null = null;

	constructor(
		private readonly store: Store,
		private readonly events: QueueEvents,
	) {}

	push(command: Command): void {
		this.store.begin(command);
		void this.pump();
	}

	/** Sends a command that was held. */
	release(command: Command): void {
		command.held = false;
		void this.pump();
	}

	/** Reverts a command that was held and not sent. */
	cancel(command: Command): boolean {
		if (!command.held || !this.store.pending.peek().includes(command)) return false;
		this.store.end(command);
		return true;
	}

	/** The network is back, or the user asks to try again. */
	wake(): void {
		clearTimeout(this.timer);
		this.timer = undefined;
		void this.pump();
	}

	/** Sends held commands, because the page is being closed. */
	flush(): void {
		for (const command of this.store.pending.peek())
			if (command.held) {
				command.held = false;
				const { method, path, body } = command.request(command.ids);
				void call(method, path, body, { keepalive: true }).catch(() => {});
			}
	}

	/** Another page will send the rest. */
	stop(): void {
		this.stopped = true;
		clearTimeout(this.timer);
	}

	private async pump(): Promise<void> {
		if (this.busy || this.timer !== undefined) return;
		this.busy = true;
		try {
			for (;;) {
				const command = this.store.pending.peek().find((c) => !c.held);
				if (!command || this.stopped) break;
				await this.send(command);
				if (this.failures > 0) this.events.behind();
				this.failures = 0;
				this.offline.value = false;
			}
		} catch (error) {
			this.wait(error);
		} finally {
			this.busy = false;
		}
	}

	private wait(error: unknown): void {
		if (this.stopped) return;
		this.failures++;
		this.offline.value = true;
		const told = error instanceof Refused ? error.retryAfter * 1000 : 0;
		const pause = Math.min(1000 * 2 ** (this.failures - 1), LONGEST_WAIT);
		this.timer = setTimeout(() => this.wake(), Math.max(told, pause * (0.75 + Math.random() / 2)));
	}

	/** Throws if it must be tried again. */
	private async send(command: Command): Promise<void> {
		try {
			if (this.uncertain === command && (await command.wasDone?.())) {
				await this.finish(command);
				this.events.behind();
			} else if ((await command.prepare?.()) === false) this.store.end(command);
			else {
				this.uncertain = command;
				await (command.answered ? this.askOther(command) : this.ask(command));
			}
			this.uncertain = null;
		} catch (error) {
			if (passes(error)) throw error;
			this.uncertain = null;
			if (error instanceof Refused && (error.isSignedOut || (error.status === 403 && !(await isAnybody())))) {
				this.stop();
				this.ended.value = true;
				return;
			}
			const { method } = command.request(command.ids);
			const isDone = command.isOld && method === "DELETE" && error instanceof Refused && error.status === 404;
			if (isDone) await this.finish(command);
			else this.drop(command, error instanceof Error ? error.message : String(error));
		}
	}

	private async ask(command: Command): Promise<void> {
		const { method, path, body } = command.request(command.ids);
		const many = path.endsWith("/bulk");
		const query = method === "DELETE" || many ? undefined : { fields: STANDING_FIELDS };
		const reply = await call<api.Story | undefined>(method, path, body, { query, headers: keyOf(command, method) });
		const known = this.store.version;
		const isGone = method === "DELETE" || (body as { delete?: boolean } | undefined)?.delete;
		if (isGone) this.store.forget(command.ids, reply.version);
		else if (many) this.settleAt(await loadStandings(this.store.id, command.ids));
		else if (reply.data) this.confirm(command, reply.data, reply.version);
		this.reached(command, known, reply);
		this.store.end(command);
		if (this.store.version < reply.version) this.events.behind();
	}

	/** A request about a part of a story, or not about a story. */
	private async askOther(command: Command): Promise<void> {
		const { method, path, body } = command.request(command.ids);
		const reply = await call<unknown>(method, path, body, { headers: keyOf(command, method) });
		const known = this.store.version;
		command.answered?.(reply.data);
		if ((await this.finish(command)) && !command.leaves && !command.isOld) this.reached(command, known, reply);
		if (this.store.version < reply.version || command.leaves || command.isOld) this.events.behind();
	}

	/** Takes the version that a request made once all that it changed is here, unless other changes came in between. */
	private reached(command: Command, known: number, { version, isNew }: { version: number; isNew: boolean }): void {
		if (!isNew || version !== known + 1 || this.store.version !== known) return;
		if (!mayFree(this.store, command.ids)) this.store.version = version;
	}

	/** Loads the current state of the changed stories; false: it did not arrive. */
	private async finish(command: Command): Promise<boolean> {
		let isHere = true;
		if (command.leaves) this.store.forget(command.ids);
		else if (command.ids.length > 0)
			await loadStandings(this.store.id, command.ids).then(
				(now) => this.settleAt(now),
				() => {
					isHere = false;
					this.events.behind();
				},
			);
		this.store.end(command);
		return isHere;
	}

	private confirm(command: Command, data: api.Story, version: number): void {
		const standing = readStanding(data);
		const from = command.ids[0]!;
		if (from < 0) this.store.rename(from, standing.story.id);
		this.settleAt({ standings: [standing], version });
		command.done?.(standing.story);
	}

	private settleAt({ standings, version }: Awaited<ReturnType<typeof loadStandings>>): void {
		if (!this.store.settleAt(version, standings)) this.events.behind();
	}

	/** Reverts a command, and everything that depends on a story that it would have created. */
	private drop(command: Command, words: string): void {
		const made = command.ids.filter((id) => id < 0);
		this.store.end(command);
		for (const other of this.store.pending.peek()) if (other.ids.some((id) => made.includes(id))) this.store.end(other);
		command.refused?.(words);
		this.events.refused(command, words);
	}
}

/** Whether a story that is accepted now may have blocked others: the server resolves such blockers. */
function mayFree(store: Store, ids: readonly number[]): boolean {
	if (!ids.some((id) => store.peek(id)?.current_state === "accepted")) return false;
	return store.all().some((s) => s.blockers.some((b) => !b.resolved));
}

/** Whether somebody is signed in: strangers are refused in the same words as non-members. */
async function isAnybody(): Promise<boolean> {
	try {
		await get("/me", { fields: "id" });
		return true;
	} catch (error) {
		if (passes(error)) throw error;
		return false;
	}
}

/** With the same key, a POST that is sent again after its answer was lost creates nothing twice. */
function keyOf(command: Command, method: string): Record<string, string> {
	if (method !== "POST") return {};
	command.key ??= newKey();
	return { "Idempotency-Key": command.key };
}
