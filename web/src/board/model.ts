/**
 * Everything of one open board: the store, its command queue, synchronization, selection and undo. Panels and cards
 * get it as `board`.
 */
import { computed, effect, signal, type Signal } from "@preact/signals-core";
import { FrameKeeper } from "../model/frame";
import { loadCurrent, loadFrame, loadOverrides, loadStates, loadStories, type Frame } from "../model/load";
import { passes } from "../api/http";
import type * as api from "../api/types.gen";
import type { News } from "../model/activity";
import { Queue } from "../model/queue";
import { Selection } from "../model/selection";
import { Store } from "../model/store";
import { Sync } from "../model/sync";
import { keepWaiting, takeUp } from "./keep_waiting";
import { Folds } from "./folds";
import { Opened } from "./opened";
import { Steps } from "./steps";
import { cardsInHand, keepPlaces, REST } from "./still";
import { openLayout, type Layout } from "../app/layout";
import { me } from "../app/session";
import { warn } from "../app/toast";

const CHUNK = 500;
const MINUTE = 60_000;
/** Between two tries to load. */
const AGAIN = 5_000;

export class Board extends Steps {
	readonly store: Store;
	readonly queue: Queue;
	readonly selection = new Selection();
	/** Stories and epics that are expanded in place. */
	readonly opened = new Opened();
	readonly openedEpics = new Opened();
	/** Accepted stories of the current iteration, folded away or not. */
	readonly folds: Folds;
	/** Panels that are open. */
	readonly layout: Signal<Layout>;
	/** Where a new story is being typed; null: nowhere. */
	readonly adding = signal<"current" | "backlog" | "icebox" | null>(null);
	/** Set when the project cannot be shown. */
	readonly failure = signal<unknown>(null);
	sync: Sync | null = null;
	/** Told of what others did, before it is shown. */
	readonly onNews: ((activities: readonly api.Activity[]) => void)[] = [];
	private readonly stops: (() => void)[] = [];
	private readonly frame: FrameKeeper;
	private rest: ReturnType<typeof setTimeout> | undefined;
	private turns = 0;
	private again: ReturnType<typeof setTimeout> | undefined;
	private isClosed = false;

	/** `place` is not empty if it is one of several, as in a workspace. */
	constructor(
		readonly id: number,
		readonly place = "",
	) {
		super();
		this.store = new Store(id);
		this.folds = new Folds(id);
		this.frame = new FrameKeeper(this.store);
		this.queue = new Queue(this.store, {
			refused: (command, words) => {
				this.undo.forget(command);
				warn(
					words.replace(/^Story (\d+)/, (all, n) => {
						const name = this.store.peek(Number(n))?.name;
						return name ? `${name} (${all})` : all;
					}),
				);
			},
			behind: () => void this.sync?.now(),
		});
		const kept = openLayout(id, place);
		this.layout = kept.layout;
		const clock = setInterval(() => this.turn(), MINUTE);
		this.stops.push(
			kept.close,
			keepWaiting(this.store, this.queue),
			() => clearInterval(clock),
			effect(() => {
				if (!place)
					document.title = this.store.project.value ? `${this.store.project.value.name} – planwright` : "planwright";
			}),
		);
	}

	close(): void {
		this.queue.flush();
		this.sync?.close();
		clearTimeout(this.rest);
		clearTimeout(this.again);
		this.isClosed = true;
		for (const stop of this.stops) stop();
	}

	/** May the person who looks change anything? */
	readonly canWrite = computed(() => {
		const role = this.store.members.value.get(me.value?.id ?? 0)?.role;
		return role === "owner" || role === "member";
	});

	// --- loading ---------------------------------------------------------------

	/** If there is no answer, it is tried again until there is one. */
	async load(): Promise<void> {
		clearTimeout(this.again);
		try {
			const [frame, current] = await Promise.all([loadFrame(this.id), loadCurrent(this.id)]);
			this.frame.set(frame);
			const { iteration } = current;
			this.store.setCurrent(iteration.number, iteration.start);
			this.setCurrentStories(iteration.stories);
			const versions = [frame.version, current.version];
			this.sync ??= this.follow();
			versions.push(...(await this.loadOpen(frame)));
			this.store.version = Math.min(...versions);
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
		// Answering one takes the other's changes.
		this.stops.push(effect(() => void (sync.failing.value || queueMicrotask(() => this.queue.wake()))));
		return sync;
	}

	/** Labels, epics, members and settings as they are now. */
	async refreshFrame(): Promise<void> {
		const turn = ++this.turns;
		const frame = await loadFrame(this.id);
		if (turn !== this.turns) return;
		this.frame.forget("epics"); // shown before the server agreed
		this.frame.set(frame);
	}

	private setCurrentStories(stories: Awaited<ReturnType<typeof loadCurrent>>["iteration"]["stories"]): void {
		const { store } = this;
		const of = (...states: string[]) => stories.filter((s) => states.includes(s.current_state));
		store.setSection("done", of("accepted"), true);
		store.setSection("work", of("started", "finished", "delivered", "rejected"), true);
		for (const [section, state] of [
			["planned", "planned"],
			["backlog", "unstarted"],
		] as const)
			if (!store.loaded.peek().has(section)) store.setSection(section, of(state), false);
	}

	/** The rest: backlog and icebox; overrides of future iterations. */
	private async loadOpen(frame: Frame): Promise<number[]> {
		const { id, store } = this;
		const special = frame.project.iteration_override_numbers.some((n) => n >= frame.project.current_iteration_number);
		const overrides = special ? loadOverrides(id) : Promise.resolve([]);
		const [waiting, unscheduled] = await Promise.all([
			loadStates(id, "planned,unstarted").then((list) => {
				const of = (state: string) => list.stories.filter((s) => s.current_state === state);
				store.setSection("planned", of("planned"), true);
				store.setSection("backlog", of("unstarted"), true);
				return list;
			}),
			loadStates(id, "unscheduled").then((list) => {
				store.setSection("icebox", list.stories, true);
				return list;
			}),
		]);
		const length = frame.project.iteration_length;
		store.overrides.value = new Map(
			(await overrides)
				.filter((it) => it.length !== length || it.strength !== 1)
				.map((it) => [it.number, { number: it.number, weeks: it.length, strength: it.strength }]),
		);
		const span = store.current.peek();
		if (span && store.overrides.peek().size > 0) store.setCurrent(span.number, span.start);
		return [waiting.version, unscheduled.version];
	}

	// --- what others do -----------------------------------------------------------

	private async apply(news: News, activities: readonly api.Activity[]): Promise<boolean> {
		const ids = [...news.stories];
		const chunks: number[][] = [];
		for (let at = 0; at < ids.length; at += CHUNK) chunks.push(ids.slice(at, at + CHUNK));
		const [frame, ...lists] = await Promise.all([
			news.frame || news.labels || news.epics ? loadFrame(this.id) : null,
			...chunks.map((chunk) => loadStories(this.id, chunk)),
		]);
		// It was on its way while something was changed here.
		if (frame && frame.version < this.store.version) return false;
		const standings = lists.flat();
		const isMove = news.epics || news.gone.size > 0 || standings.length < ids.length || this.store.moves(standings);
		if (this.sync?.held.peek() || (isMove && this.isBusy())) return false;
		keepPlaces();
		for (const hear of this.onNews) hear(activities);
		if (frame) this.frame.set(frame);
		const here = new Set(standings.map((s) => s.story.id));
		const gone = [...news.gone, ...ids.filter((id) => !here.has(id))];
		this.store.forget(gone);
		this.selection.drop(gone);
		if (!this.store.settle(standings)) await this.load();
		else if (news.frame) await this.loadFrameAgain(frame);
		return true;
	}

	/** The user is busy with a card: updates that move cards are requested again afterwards. */
	private isBusy(): boolean {
		const left = this.sync!.used + REST - Date.now();
		if (left <= 0 || cardsInHand().length === 0) return false;
		clearTimeout(this.rest);
		this.rest = setTimeout(() => this.isBusy() || void this.sync?.now(), left);
		return true;
	}

	/** Settings decide on iterations. */
	private async loadFrameAgain(frame: Frame | null): Promise<void> {
		const current = await loadCurrent(this.id);
		this.store.setCurrent(current.iteration.number, current.iteration.start);
		if (frame) await this.loadOpen(frame);
	}

	/** An iteration is over: the next one is the current one. */
	private turn(): void {
		const span = this.store.current.peek();
		if (span && Date.now() >= span.finish && !document.hidden) void this.load().catch(() => {});
	}
}
