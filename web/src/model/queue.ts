/**
 * Sends a project's commands one after the other. If the server refuses one, it is reverted and the server's
 * message shown; if the server cannot be reached, commands wait, and continue as soon as it can.
 */
import { signal } from "@preact/signals-core";
import { call, passes, Refused } from "../api/http";
import { loadStories, readStanding, STANDING_FIELDS } from "./load";
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
	private busy = false;
	private stopped = false;
	private failures = 0;
	private timer: ReturnType<typeof setTimeout> | undefined;
	/** Was sent, with unknown outcome. */
	private uncertain: Command | null = null;

	constructor(
		private readonly store: Store,
		private readonly events: QueueEvents,
	) {}

	push(command: Command): void {
		this.store.begin(command);
		void this.pump();
	}

	/** Lets a command go that was held. */
	release(command: Command): void {
		command.held = false;
		void this.pump();
	}

	/** Reverts a command that was not sent. */
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

	/** Held commands are sent because the page is being closed. */
	flush(): void {
		for (const command of this.store.pending.peek())
			if (command.held) {
				command.held = false;
				const { method, path, body } = command.request(command.ids);
				void call(method, path, body, { keepalive: true }).catch(() => {});
			}
	}

	/** Another page continues. */
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
		if (reply.version === known + 1) this.store.version = reply.version;
		if (method === "DELETE" || (body as { delete?: boolean } | undefined)?.delete) this.store.forget(command.ids);
		else if (many) this.settle(await loadStories(this.store.id, command.ids));
		else if (reply.data) this.confirm(command, reply.data);
		this.store.end(command);
		if (reply.version > known + 1) this.events.behind();
	}

	/** A request about a part of a story, or about no story. */
	private async askOther(command: Command): Promise<void> {
		const { method, path, body } = command.request(command.ids);
		const reply = await call<unknown>(method, path, body, { headers: keyOf(command, method) });
		const known = this.store.version;
		if (reply.version === known + 1 && !command.leaves && !command.isOld) this.store.version = reply.version;
		command.answered?.(reply.data);
		await this.finish(command);
		if (reply.version > known + 1 || command.leaves || command.isOld) this.events.behind();
	}

	/** The current cards of the changed stories. */
	private async finish(command: Command): Promise<void> {
		if (command.leaves) this.store.forget(command.ids);
		else if (command.ids.length > 0)
			await loadStories(this.store.id, command.ids).then(
				(now) => this.settle(now),
				() => this.events.behind(),
			);
		this.store.end(command);
	}

	private confirm(command: Command, data: api.Story): void {
		const standing = readStanding(data);
		const from = command.ids[0]!;
		if (from < 0) this.store.rename(from, standing.story.id);
		this.settle([standing]);
		command.done?.(standing.story);
	}

	private settle(standings: ReturnType<typeof readStanding>[]): void {
		if (!this.store.settle(standings)) this.events.behind();
	}

	/** Reverts a command and everything that depends on the story that it would have made. */
	private drop(command: Command, words: string): void {
		const made = command.ids.filter((id) => id < 0);
		this.store.end(command);
		for (const other of this.store.pending.peek()) if (other.ids.some((id) => made.includes(id))) this.store.end(other);
		command.refused?.(words);
		this.events.refused(command, words);
	}
}

/** Sent again after an answer that was lost a POST makes nothing twice. */
function keyOf(command: Command, method: string): Record<string, string> {
	if (method !== "POST") return {};
	command.key ??= newKey();
	return { "Idempotency-Key": command.key };
}
