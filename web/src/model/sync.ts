/**
 * Keeps a project up to date: requests what happened since the known version when the stream of live updates says
 * that there is something. Without a stream, it polls: often on a page in use, seldom on an idle one, never on a
 * hidden one. One of several tabs makes the requests, and informs the others.
 */
import { effect, signal } from "@preact/signals-core";
import { get, passes, Refused, Unreached } from "../api/http";
import type * as api from "../api/types.gen";
import { isLive, listenTo, told } from "./hints";
import { join, type Leader } from "./leader";
import { listen, stopAll } from "./listen";
import { readNews, type News } from "./activity";

const IN_USE = 2_500;
const ALONE = 15_000;
/** Between requests while there is a stream. */
const LIVE = 60_000;
/** Between a hint and the request: our own changes are reported here, too, and their answers are about to arrive. */
const MOMENT = 30;
const USED_FOR = 120_000;
/** The longest wait between attempts while there is no answer. */
const LONGEST = 60_000;
const LONGEST_IN_USE = 5_000;
/** With this many activities, everything is reloaded. */
const PAGE = 100;

export interface SyncSource {
	readonly id: number;
	version: number;
}

export interface SyncEvents {
	/** Shows what happened; returns true once it is shown. */
	apply: (news: News, activities: readonly api.Activity[]) => Promise<boolean>;
	/** Too much happened: loads everything. */
	reload: () => Promise<void>;
}

interface Told {
	since: number;
	activities: api.Activity[];
}

export class Sync {
	/** True during a drag, or while a dialog needs the board to stay still: other people's changes wait. */
	readonly held = signal(false);
	/** There is no answer, so what is shown may be outdated. */
	readonly failing = signal(false);
	/** The time of the user's last action. */
	used = Date.now();
	private isClosed = false;
	private timer: ReturnType<typeof setTimeout> | undefined;
	private failures = 0;
	/** The version that the stream reported last. */
	private newest = 0;
	private hinted: ReturnType<typeof setTimeout> | undefined;
	private asking: Promise<void> | null = null;
	private leader: Leader;
	private readonly stops: (() => void)[] = [];

	constructor(
		private readonly source: SyncSource,
		private readonly events: SyncEvents,
	) {
		this.leader = join(`planwright-project-${source.id}`, (message) => void this.hear(message as Told));
		const used = () => (this.used = Date.now());
		this.stops.push(
			listen(document, "visibilitychange", () => !document.hidden && this.now()),
			listen(window, "online", () => this.now()),
			listen(window, "offline", () => (this.failing.value = true)),
			listen(window, "pointerdown keydown pointermove wheel", used, { passive: true }),
			listenTo(source.id),
			effect(() => {
				if (told.value?.project === source.id) this.hint(told.value.version);
			}),
			effect(() => {
				void isLive.value;
				this.plan();
			}),
		);
	}

	private hint(version: number): void {
		this.newest = version;
		clearTimeout(this.hinted);
		this.hinted = setTimeout(() => {
			if (this.isBehind() && !document.hidden) void this.follow();
		}, MOMENT);
	}

	private readonly isBehind = () => this.source.version < this.newest;

	/** The leading tab requests, and again if more came meanwhile; the others are informed by it, or request soon. */
	private async follow(): Promise<void> {
		if (!this.leader.leads()) return this.plan();
		const before = this.asking;
		await this.now();
		if (before && this.isBehind()) await this.now();
	}

	close(): void {
		this.isClosed = true;
		clearTimeout(this.timer);
		clearTimeout(this.hinted);
		stopAll(...this.stops)();
		this.leader.close();
	}

	/** Requests now, or joins the request that is under way. */
	now(): Promise<void> {
		this.asking ??= this.ask().finally(() => {
			this.asking = null;
			this.plan();
		});
		return this.asking;
	}

	private plan(): void {
		clearTimeout(this.timer);
		if (document.hidden || this.isClosed) return;
		const inUse = Date.now() - this.used < USED_FOR;
		// What was held back during a drag, or missed, is requested as often as without a stream.
		const rest = isLive.peek() && !this.isBehind() ? LIVE : inUse ? IN_USE : ALONE;
		const longest = inUse ? LONGEST_IN_USE : LONGEST;
		const wait = this.failures ? Math.min(rest * 2 ** this.failures, longest) * (0.75 + Math.random() / 2) : rest;
		this.timer = setTimeout(() => {
			if (this.leader.leads() || (isLive.peek() && this.isBehind())) void this.now();
			else this.plan();
		}, wait);
	}

	private async ask(): Promise<void> {
		if (this.held.peek() || this.source.version === 0 || this.isClosed) return;
		const since = this.source.version;
		try {
			const { data, version } = await get<api.Activity[]>(`/projects/${this.source.id}/activity`, {
				since_version: since,
				sort_order: "asc",
				limit: PAGE,
			});
			if (this.isClosed) return;
			this.failures = 0;
			this.failing.value = false;
			if (data.length > 0) this.leader.tell({ since, activities: data } satisfies Told);
			await this.take(since, data, version);
		} catch (error) {
			if (!(error instanceof Unreached || error instanceof Refused)) throw error;
			this.failures = Math.min(this.failures + 1, 6);
			this.failing.value = passes(error);
		}
	}

	/** Meanwhile something older may have been loaded: then there is more to request than what happened since. */
	private async take(since: number, activities: readonly api.Activity[], version: number): Promise<void> {
		const from = this.source.version;
		const fresh = activities.filter((a) => (a.project_version ?? 0) > from);
		if (from < since || fresh.length === 0) return;
		const last = fresh[fresh.length - 1]!.project_version ?? 0;
		if (activities.length >= PAGE || (version > last && activities.length > 0 && version - last > PAGE)) {
			await this.events.reload();
			return;
		}
		const news = readNews(fresh);
		if (news.unknown) await this.events.reload();
		else if ((await this.events.apply(news, fresh)) && this.source.version >= from)
			this.source.version = Math.max(this.source.version, last);
	}

	/** Handles a message from the leading tab. */
	private async hear(told: Told): Promise<void> {
		if (this.held.peek() || this.source.version === 0) return;
		if (told.since > this.source.version) await this.now();
		else await this.take(told.since, told.activities, 0);
	}
}
