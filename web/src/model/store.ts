/** A project on the page: what the server confirmed, with unanswered changes on top; a signal for each story. */
import { computed, signal, type ReadonlySignal, type Signal } from "@preact/signals-core";
import { Calendar, localDay, type Override, type Span } from "./calendar";
import type { Command } from "./command";
import {
	arrive,
	EMPTY,
	flat,
	inserted,
	removed,
	SECTIONS,
	sectionOf,
	settled,
	type Order,
	type Section,
} from "./order";
import { keptPlan, makePlan, type Plan, type PlanStory } from "./plan";
import { sameStory, type Epic, type Label, type Member, type Project, type Story } from "./types";

export interface Settled {
	story: Story;
	section: Section;
	after: number | null;
	before: number | null;
}

export class Store {
	readonly project = signal<Project | null>(null);
	readonly labels = signal<ReadonlyMap<number, Label>>(new Map());
	readonly epics = signal<readonly Epic[]>([]);
	readonly members = signal<ReadonlyMap<number, Member>>(new Map());
	readonly reviewTypes = signal<ReadonlyMap<number, string>>(new Map());
	readonly overrides = signal<ReadonlyMap<number, Override>>(new Map());
	/** The current iteration according to the server. */
	readonly current = signal<Span | null>(null);
	/** Sections that are completely loaded. */
	readonly loaded = signal<ReadonlySet<Section>>(new Set());
	/** The order as shown. */
	readonly order = signal<Order>(EMPTY);
	/** The order in the preview of a drag. */
	readonly preview = signal<Order | null>(null);
	/** The what-if velocity; null: the project's own. */
	readonly whatIf = signal<number | null>(null);
	/** Incremented whenever something changed that iterations depend on. */
	readonly tick = signal(0);
	/** Commands that wait for an answer. */
	readonly pending = signal<readonly Command[]>([]);
	/** Everything here is at least of this version: only changes after it are requested. 0: nothing is loaded. */
	version = 0;
	/** The oldest version that came since everything was loaded last. */
	private oldest = Infinity;

	/** The version with which stories came or went; early() removes those that are not ahead of `version`. */
	private readonly came = new Map<number, number>();
	private readonly shown = new Map<number, Signal<Story>>();
	private readonly confirmed = new Map<number, Story>();
	private confirmedOrder: Order = EMPTY;
	private lastPlan: Plan | null = null;

	constructor(readonly id: number) {}

	// --- reading -----------------------------------------------------------

	/** The story as shown; components that read it are rendered again when it changes. */
	story(id: number): Story | undefined {
		return this.shown.get(id)?.value;
	}

	peek(id: number): Story | undefined {
		return this.shown.get(id)?.peek();
	}

	/** All stories that are loaded. */
	all(): Story[] {
		return [...this.shown.values()].map((s) => s.peek());
	}

	get confirmedPlaces(): Order {
		return this.confirmedOrder;
	}

	/** Iterations from the current one on; null until they can be computed. */
	readonly plan: ReadonlySignal<Plan | null> = computed(() => {
		const project = this.project.value;
		const span = this.current.value;
		const order = this.preview.value ?? this.order.value;
		const points = this.whatIf.value ?? project?.current_velocity ?? 0;
		this.tick.value;
		if (!project || !span) return null;
		const calendar = new Calendar(project.time_zone, project.iteration_length, this.overrides.value);
		const plan = makePlan(calendar, project, [span], this.planStories(order), {
			points,
			deviation: 0,
			volatility: 0,
		});
		return (this.lastPlan = keptPlan(this.lastPlan, plan));
	});

	private planStories(order: Order): PlanStory[] {
		const stories: PlanStory[] = [];
		for (const section of SECTIONS)
			for (const id of order[section]) {
				const s = this.shown.get(id)?.peek();
				if (!s || section === "icebox") continue;
				// During a drag, the place decides.
				const moved = sectionOf(s.current_state) !== section && section !== "done";
				const state = moved ? (section === "backlog" ? "unstarted" : "planned") : s.current_state;
				stories.push({
					id,
					current_state: state,
					estimate: s.estimate,
					accepted: s.accepted_at ? Date.parse(s.accepted_at) : 0,
				});
			}
		return stories;
	}

	// --- what the server confirmed --------------------------------------------

	setCurrent(number: number, start: number): void {
		const project = this.project.peek();
		if (!project) return;
		const calendar = new Calendar(project.time_zone, project.iteration_length, this.overrides.peek());
		this.current.value = calendar.span(number, localDay(project.time_zone, start));
	}

	/** Something of an older version came: what changed since then must be requested again. */
	lower(version: number): void {
		this.oldest = Math.min(this.oldest, version);
		this.version = Math.min(this.version, version);
	}

	/** Everything is loaded. */
	allLoaded(): void {
		this.version = this.oldest;
		this.oldest = Infinity;
	}

	/** Sets a whole section, or those of its stories that are known so far, as they were at a version. */
	setSection(section: Section, stories: readonly Story[], complete: boolean, version: number): void {
		this.lower(version);
		for (const story of stories) this.confirmed.set(story.id, story);
		this.confirmedOrder = {
			...removed(
				this.confirmedOrder,
				stories.map((s) => s.id),
			),
			[section]: stories.map((s) => s.id),
		};
		if (complete) this.loaded.value = new Set([...this.loaded.peek(), section]);
		this.recompute(stories.map((s) => s.id));
	}

	/** Keeps stories that are shown outside the order, such as done ones and search results. */
	keep(stories: readonly Story[], version: number): void {
		this.lower(version);
		for (const story of stories) this.confirmed.set(story.id, story);
		this.recompute(stories.map((s) => s.id));
	}

	/** Sets the labels; removes deleted ones from stories, since no activity reports that about each story. */
	setLabels(labels: readonly Label[]): void {
		const next = new Map(labels.map((l) => [l.id, l]));
		const gone = new Set([...this.labels.peek().keys()].filter((id) => !next.has(id)));
		const touched = [...this.confirmed.values()].filter((s) => s.label_ids.some((id) => gone.has(id)));
		this.labels.value = next;
		if (touched.length === 0) return;
		for (const s of touched) this.confirmed.set(s.id, { ...s, label_ids: s.label_ids.filter((id) => !gone.has(id)) });
		this.recompute(touched.map((s) => s.id));
	}

	private placed(stories: readonly Settled[]): Order | null {
		return settled(
			this.confirmedOrder,
			stories.map((s) => ({ id: s.story.id, section: s.section, after: s.after, before: s.before })),
		);
	}

	/** Whether settling these would move cards. Estimates move the boundaries of iterations. */
	moves(stories: readonly Settled[]): boolean {
		const next = this.placed(stories);
		const isOther = ({ story }: Settled) => this.confirmed.get(story.id)?.estimate !== story.estimate;
		return !next || String(flat(next)) !== String(flat(this.confirmedOrder)) || stories.some(isOther);
	}

	/** Takes the current stories; false: the lists must be reloaded. */
	settle(stories: readonly Settled[]): boolean {
		const next = this.placed(stories);
		for (const { story } of stories) this.confirmed.set(story.id, story);
		this.confirmedOrder = next ?? this.confirmedOrder;
		this.acceptAll(stories.filter(({ story }) => story.current_state === "accepted"));
		this.recompute(stories.map((s) => s.story.id));
		return next !== null;
	}

	/** The same, from a version that may be later than `version`; what is here from a later one stays (0: unknown). */
	settleAt(version: number, stories: readonly Settled[]): boolean {
		if (version > 0 && version < this.version) return true;
		const fresh = stories.filter(({ story }) => (this.came.get(story.id) ?? 0) <= version);
		for (const { story } of fresh) this.came.set(story.id, version);
		return this.settle(fresh);
	}

	/** Stories that came with a later version than `version`: others of that version may not have moved yet. */
	early(): number[] {
		for (const [id, version] of this.came) if (version <= this.version) this.came.delete(id);
		return [...this.came.keys()];
	}

	/** Accepts first those whose neighbours are here: a neighbour may be new, too. */
	private acceptAll(stories: readonly Settled[]): void {
		let waiting = [...stories];
		while (waiting.length > 0) {
			const here = new Set<number | null>(this.confirmedOrder.done);
			const isNext = (s: Settled) => s.after === null || here.has(s.after);
			const next = waiting.find(isNext) ?? waiting.find((s) => here.has(s.before)) ?? waiting[0]!;
			this.accept(next);
			waiting = waiting.filter((s) => s !== next);
		}
	}

	/** Orders stories accepted since the current iteration began by time; within one second, as the server does. */
	private accept({ story, after, before }: Settled): void {
		const at = Date.parse(story.accepted_at ?? "");
		this.confirmedOrder = removed(this.confirmedOrder, [story.id]);
		if (at < (this.current.peek()?.start ?? 0)) return;
		const list = this.confirmedOrder.done;
		const times = list.map((id) => Date.parse(this.confirmed.get(id)?.accepted_at ?? ""));
		const first = times.findIndex((time) => time >= at);
		const later = times.findIndex((time) => time > at);
		const last = later < 0 ? list.length : later;
		const above = after === null ? -1 : list.indexOf(after);
		const isFirst = after === null || above >= 0;
		const beside = isFirst ? above + 1 : before === null ? -1 : list.indexOf(before);
		const isTie = first >= 0 && first <= beside && beside <= last;
		this.confirmedOrder = inserted(this.confirmedOrder, "done", isTie ? beside : last, [story.id]);
	}

	/** The stories are gone, as a version tells that may be later than `version`. */
	forget(ids: readonly number[], version = 0): void {
		for (const id of ids) {
			this.confirmed.delete(id);
			if (version > this.version) this.came.set(id, version);
		}
		this.confirmedOrder = removed(this.confirmedOrder, ids);
		this.recompute(ids);
	}

	// --- what waits --------------------------------------------------------------

	begin(command: Command): void {
		this.pending.value = [...this.pending.peek(), command];
		this.recompute(command.ids);
	}

	/** Ends a command: it was answered, refused or undone. */
	end(command: Command): void {
		this.pending.value = this.pending.peek().filter((c) => c !== command);
		this.recompute(command.ids);
	}

	/** A story with an id of our own now has the server's. */
	rename(from: number, to: number): void {
		for (const command of this.pending.peek()) command.ids = command.ids.map((id) => (id === from ? to : id));
		const s = this.shown.get(from);
		if (s && !this.shown.has(to)) this.shown.set(to, s);
		this.shown.delete(from);
	}

	/** Updates what is shown for these ids, and the order. */
	recompute(ids: readonly number[]): void {
		let order = this.confirmedOrder;
		const touched = new Set(ids);
		const now = new Map<number, Story | undefined>();
		for (const command of this.pending.peek()) {
			for (const id of command.ids) {
				const before = now.has(id) ? now.get(id) : this.confirmed.get(id);
				const after = command.patch(before, id);
				now.set(id, after);
				if (!after) order = removed(order, [id]);
				else if (before && sectionOf(before.current_state) !== sectionOf(after.current_state))
					order = arrive(order, id, sectionOf(after.current_state), sectionOf(before.current_state));
			}
			if (command.reorder) order = command.reorder(order, command.ids);
			for (const id of command.ids) touched.add(id);
		}
		for (const id of touched) this.show(id, now.has(id) ? now.get(id) : this.confirmed.get(id));
		if (order !== this.order.peek()) this.order.value = order;
		this.tick.value++;
	}

	private show(id: number, story: Story | undefined): void {
		const s = this.shown.get(id);
		if (!story) this.shown.delete(id);
		else if (!s) this.shown.set(id, signal(story));
		else if (!sameStory(s.peek(), story)) s.value = story;
	}
}

export { flat };
