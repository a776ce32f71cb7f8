/**
 * Everything of one open board: the store, its command queue, synchronization, selection and undo. Panels and cards
 * get it as `board`.
 */
import { computed, effect, signal, type Signal } from "@preact/signals-core";
import { FrameKeeper } from "../model/frame";
import { loadCurrent, loadFrame, loadStandings, loadStates, takeFirst, type Frame } from "../model/load";
import { passes } from "../api/http";
import type * as api from "../api/types.gen";
import type { News } from "../model/activity";
import type { Command, Typed } from "../model/command";
import { keepTyped } from "../model/drafts";
import { sectionOf, type Section } from "../model/order";
import { stopAll } from "../model/listen";
import { Overrides } from "../model/overrides";
import { Queue } from "../model/queue";
import { Selection } from "../model/selection";
import { Store } from "../model/store";
import { Sync } from "../model/sync";
import type { Story } from "../model/types";
import { keepWaiting, takeUp } from "./keep_waiting";
import { Folds } from "./accepted_folds";
import { Opened } from "./opened";
import { Steps } from "./steps";
import { cardsInHand, keepPlaces, REST } from "./keep_places";
import { openLayout, type Layout } from "../app/layout";
import { me } from "../app/session";
import { copying } from "../app/clipboard";
import { warn } from "../app/toast";

const CHUNK = 500;
const MINUTE = 60_000;
/** The wait between two attempts to load. */
const AGAIN = 5_000;

export class Board extends Steps {
	readonly store: Store;
	readonly queue: Queue;
	readonly selection = new Selection();
	/** Stories and epics that are expanded in place. */
	readonly opened = new Opened();
	readonly openedEpics = new Opened();
	/** Whether the accepted stories of the current iteration are folded. */
	readonly folds: Folds;
	/** Panels that are open. */
	readonly layout: Signal<Layout>;
	/** The list in which a new story is being typed; null: none. */
	readonly adding = signal<"current" | "backlog" | "icebox" | null>(null);
	/** Set when the project cannot be shown. */
	readonly failure = signal<unknown>(null);
	sync: Sync | null = null;
	/** The forms of stories and epics that were open, by their key. */
	readonly editors = new Map<string, { takeBack: (typed: Typed) => void }>();
	/** Called with other people's changes, before these are shown. */
	readonly onNews: ((activities: readonly api.Activity[]) => void)[] = [];
	/** Called when it is closed. */
	readonly stops: (() => void)[] = [];
	private readonly frame: FrameKeeper;
	private readonly overrides: Overrides;
	private rest: ReturnType<typeof setTimeout> | undefined;
	private turns = 0;
	private again: ReturnType<typeof setTimeout> | undefined;
	private isClosed = false;

	/** `place` is non-empty if the board is one of several, as in a workspace. */
	constructor(
		readonly id: number,
		readonly place = "",
	) {
		super();
		this.store = new Store(id);
		this.folds = new Folds(id);
		this.frame = new FrameKeeper(this.store);
		this.overrides = new Overrides(this.store);
		this.queue = new Queue(this.store, {
			refused: (command, words) => this.refused(command, words),
			behind: () => void this.sync?.now(),
		});
		const kept = openLayout(id, place);
		this.layout = kept.layout;
		const clock = setInterval(() => this.turn(), MINUTE);
		this.stops.push(
			kept.close,
			this.overrides.watch(),
			keepWaiting(this.store, this.queue, this.undo),
			() => clearInterval(clock),
			effect(() => {
				if (!place)
					document.title = this.store.project.value ? `${this.store.project.value.name} – planwright` : "planwright";
			}),
		);
	}

	close(): void {
		for (const command of this.store.pending.peek().filter((c) => c.held)) {
			this.undo.forget(command);
			this.queue.release(command);
		}
		this.sync?.close();
		clearTimeout(this.rest);
		clearTimeout(this.again);
		this.isClosed = true;
		stopAll(...this.stops)();
	}

	/** Says why, and gives back what was typed: to its form, or, if its story is gone, as a copy. */
	private refused(command: Command, words: string): void {
		const { of, typed, ids } = command;
		this.undo.forget(command);
		if (of && typed) {
			const editor = this.editors.get(of);
			if (editor) editor.takeBack(typed);
			else keepTyped(of, typed);
		}
		const isGone = typed && ids.some((id) => !this.store.peek(id));
		// Of several changes that waited, or several stories of one, it must be clear which one this is about.
		const named = this.store.peek(Number(/^Story (\d+)/.exec(words)?.[1]));
		const name = named?.name ?? command.words.values?.name;
		warn(name ? `${words} (${name})` : words, isGone && copying(typed.text));
	}

	/** Whether the user may change anything. */
	readonly canWrite = computed(() => {
		const role = this.store.members.value.get(me.value?.id ?? 0)?.role;
		return role === "owner" || role === "member";
	});

	// --- loading ---------------------------------------------------------------

	/** Without an answer, it tries again until there is one. */
	async load(): Promise<void> {
		clearTimeout(this.again);
		if (this.isClosed) return;
		try {
			const [frame, current] = await takeFirst(this.id);
			if (this.isClosed) return;
			this.frame.set(frame);
			const { iteration } = current;
			this.store.setCurrent(iteration.number, iteration.start);
			this.setCurrentStories(iteration.stories, current.version);
			this.sync ??= this.follow();
			await this.loadOpen();
			if (this.isClosed) return;
			this.store.allLoaded();
			this.failure.value = null;
			takeUp(this.store, this.queue);
		} catch (error) {
			this.failure.value = error;
			if (passes(error) && !this.isClosed) this.again = setTimeout(() => void this.load(), AGAIN);
		}
	}

	private follow(): Sync {
		const sync = new Sync(this.store, {
			apply: (news, activities) => this.apply(news, activities),
			reload: () => this.load(),
		});
		// When synchronizing succeeds again, the queue can send, too.
		this.stops.push(effect(() => void (sync.failing.value || queueMicrotask(() => this.queue.wake()))));
		return sync;
	}

	/** Reloads labels, epics, members and settings. */
	async refreshFrame(): Promise<void> {
		const turn = ++this.turns;
		const frame = await loadFrame(this.id);
		if (turn !== this.turns) return;
		this.frame.forget("epics"); // it was shown before the server confirmed it
		this.frame.set(frame);
	}

	/** Takes those stories that are in the section; an incomplete list is ignored if the section is loaded. */
	private setSection(section: Section, stories: readonly Story[], isAll: boolean, version: number): void {
		if (!isAll && this.store.loaded.peek().has(section)) return;
		const own = stories.filter((s) => sectionOf(s.current_state) === section);
		this.store.setSection(section, own, isAll, version);
	}

	private setCurrentStories(stories: readonly Story[], version: number): void {
		for (const section of ["done", "work", "planned", "backlog"] as const)
			this.setSection(section, stories, section === "done" || section === "work", version);
	}

	/** Loads the rest: backlog and icebox; overrides of future iterations. */
	private async loadOpen(): Promise<void> {
		const { id } = this;
		const show =
			(...sections: Section[]) =>
			(stories: readonly Story[], isAll: boolean, version: number) => {
				for (const section of sections) this.setSection(section, stories, isAll, version);
			};
		const isOver = () => this.isClosed;
		await Promise.all([
			this.overrides.load(),
			loadStates(id, "planned,unstarted", show("planned", "backlog"), isOver),
			loadStates(id, "unscheduled", show("icebox"), isOver),
		]);
	}

	/** Loads stories that are shown outside the lists. Returns how many there are. */
	async bring(ids: readonly number[]): Promise<number> {
		const { standings, version } = await loadStandings(this.id, ids);
		const stories = standings.map((s) => s.story);
		this.store.keep(stories, version);
		return stories.length;
	}

	// --- what others do -----------------------------------------------------------

	private async apply(news: News, activities: readonly api.Activity[]): Promise<boolean> {
		const ids = [...new Set([...news.stories, ...this.store.early().filter((id) => !news.gone.has(id))])];
		const chunks: number[][] = [];
		for (let at = 0; at < ids.length; at += CHUNK) chunks.push(ids.slice(at, at + CHUNK));
		const [frame, ...lists] = await Promise.all([
			news.frame || news.labels || news.epics ? loadFrame(this.id) : null,
			...chunks.map((chunk) => loadStandings(this.id, chunk)),
		]);
		// Something was changed here while the answer was on its way.
		if (frame && frame.version < this.store.version) return false;
		const standings = lists.flatMap((list) => list.standings);
		const isMove = news.epics || news.gone.size > 0 || standings.length < ids.length || this.store.moves(standings);
		if (this.sync?.held.peek() || (isMove && this.isBusy())) return false;
		keepPlaces();
		for (const hear of this.onNews) hear(activities);
		if (frame) this.frame.set(frame);
		const here = new Set(standings.map((s) => s.story.id));
		const version = lists.length > 0 ? Math.min(...lists.map((list) => list.version)) : 0;
		const missing = version < this.store.version ? [] : ids.filter((id) => !here.has(id));
		const gone = [...news.gone, ...missing];
		this.store.forget(gone);
		this.selection.drop(gone);
		if (!this.store.settleAt(version, standings)) await this.load();
		else if (news.frame) await this.loadFrameAgain(frame);
		return true;
	}

	/** Whether the user is busy with a card: updates that would move cards are then requested again later. */
	private isBusy(): boolean {
		const left = this.sync!.used + REST - Date.now();
		if (left <= 0 || cardsInHand().length === 0) return false;
		clearTimeout(this.rest);
		this.rest = setTimeout(() => this.isBusy() || void this.sync?.now(), left);
		return true;
	}

	/** Settings determine iterations. */
	private async loadFrameAgain(frame: Frame | null): Promise<void> {
		const current = await loadCurrent(this.id);
		const start = this.store.current.peek()?.start;
		this.store.setCurrent(current.iteration.number, current.iteration.start);
		// Other accepted stories are of the current iteration now.
		if (this.store.current.peek()?.start !== start) await this.load();
		else if (frame) await this.loadOpen();
	}

	/** When an iteration is over, the next one becomes the current one. */
	private turn(): void {
		const span = this.store.current.peek();
		if (span && Date.now() >= span.finish && !document.hidden) void this.load().catch(() => {});
	}
}
