/**
 * A project on the page. It shows what the server confirmed with the unanswered changes on top: each story is a
 * separate signal, so that a change redraws only one card.
 */
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
import { makePlan, type Plan, type PlanStory } from "./plan";
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
	/** A preview order during a drag. */
	readonly preview = signal<Order | null>(null);
	/** A what-if velocity; null: the project's own. */
	readonly whatIf = signal<number | null>(null);
	/** Raised whenever something changed that iterations depend on. */
	readonly tick = signal(0);
	/** Commands that wait for an answer. */
	readonly pending = signal<readonly Command[]>([]);
	/** The version up to which the server's changes are known. */
	version = 0;

	private readonly shown = new Map<number, Signal<Story>>();
	private readonly confirmed = new Map<number, Story>();
	private confirmedOrder: Order = EMPTY;
	private lastPlan: Plan | null = null;

	constructor(readonly id: number) {}

	// --- reading -----------------------------------------------------------

	/** The story as shown; components that render it are redrawn when it changes. */
	story(id: number): Story | undefined {
		return this.shown.get(id)?.value;
	}

	peek(id: number): Story | undefined {
		return this.shown.get(id)?.peek();
	}

	/** All that are here. */
	all(): Story[] {
		return [...this.shown.values()].map((s) => s.peek());
	}

	get confirmedPlaces(): Order {
		return this.confirmedOrder;
	}

	/** Iterations from the current one on; null until they can be known. */
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
		return (this.lastPlan = kept(this.lastPlan, plan));
	});

	private planStories(order: Order): PlanStory[] {
		const stories: PlanStory[] = [];
		for (const section of SECTIONS)
			for (const id of order[section]) {
				const s = this.shown.get(id)?.peek();
				if (!s || section === "icebox") continue;
				// Where it is put decides, while it is dragged.
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

	/** A whole section, or those of its stories that are known so far. */
	setSection(section: Section, stories: readonly Story[], complete: boolean): void {
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

	/** Stories shown outside of the order, such as done ones and search results. */
	keep(stories: readonly Story[]): void {
		for (const story of stories) this.confirmed.set(story.id, story);
		this.recompute(stories.map((s) => s.id));
	}

	private placed(stories: readonly Settled[]): Order | null {
		return settled(
			this.confirmedOrder,
			stories.map((s) => ({ id: s.story.id, section: s.section, after: s.after, before: s.before })),
		);
	}

	/** Would cards move if these were settled? Estimates move the boundaries of iterations. */
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
		for (const { story } of stories) if (story.current_state === "accepted") this.accept(story);
		this.recompute(stories.map((s) => s.story.id));
		return next !== null;
	}

	/** Stories accepted since the current iteration began are ordered by time. */
	private accept(story: Story): void {
		const start = this.current.peek()?.start ?? 0;
		const at = Date.parse(story.accepted_at ?? "");
		this.confirmedOrder = removed(this.confirmedOrder, [story.id]);
		if (at < start) return;
		const list = this.confirmedOrder.done;
		const later = list.findIndex((id) => Date.parse(this.confirmed.get(id)?.accepted_at ?? "") > at);
		this.confirmedOrder = inserted(this.confirmedOrder, "done", later < 0 ? list.length : later, [story.id]);
	}

	forget(ids: readonly number[]): void {
		for (const id of ids) this.confirmed.delete(id);
		this.confirmedOrder = removed(this.confirmedOrder, ids);
		this.recompute(ids);
	}

	// --- what waits --------------------------------------------------------------

	begin(command: Command): void {
		this.pending.value = [...this.pending.peek(), command];
		this.recompute(command.ids);
	}

	/** Takes a command off: it was answered, refused or taken back. */
	end(command: Command): void {
		this.pending.value = this.pending.peek().filter((c) => c !== command);
		this.recompute(command.ids);
	}

	/** What had a number of our own has the server's now. */
	rename(from: number, to: number): void {
		for (const command of this.pending.peek()) command.ids = command.ids.map((id) => (id === from ? to : id));
		const s = this.shown.get(from);
		if (s && !this.shown.has(to)) this.shown.set(to, s);
		this.shown.delete(from);
	}

	/** Updates what is shown for these ids and the order. */
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

/** Iterations that did not change stay the same objects, so that they are not drawn again. */
function kept(old: Plan | null, plan: Plan): Plan {
	if (!old) return plan;
	const iterations = plan.iterations.map((it, i) => {
		const was = old.iterations[i];
		const same =
			was &&
			was.points === it.points &&
			was.accepted_points === it.accepted_points &&
			was.velocity === it.velocity &&
			was.span.number === it.span.number &&
			was.span.start === it.span.start &&
			was.span.finish === it.span.finish &&
			was.span.strength === it.span.strength &&
			was.ids.length === it.ids.length &&
			was.ids.every((id, n) => id === it.ids[n]);
		return same ? was : it;
	});
	return { ...plan, iterations };
}

export { flat };
