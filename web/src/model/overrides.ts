/**
 * Iterations of another length or strength than usual. The server tells of them as far as its backlog reaches: they
 * are loaded again when the backlog has grown so long that it reaches one of which nothing was told.
 */
import { effect } from "@preact/signals-core";
import { loadOverrides } from "./load";
import type { Store } from "./store";

export class Overrides {
	/** The last iteration of which is known whether it is special. */
	private reach = Infinity;
	private turns = 0;

	constructor(private readonly store: Store) {}

	async load(least = 0): Promise<void> {
		const { store } = this;
		const turn = ++this.turns;
		const { iteration_length: usual, iteration_override_numbers, current_iteration_number } = store.project.peek()!;
		const isAny = iteration_override_numbers.some((n) => n >= current_iteration_number);
		const all = isAny ? await loadOverrides(store.id) : [];
		if (turn !== this.turns) return;
		this.reach = Math.max(least, all.at(-1)?.number ?? Infinity);
		store.overrides.value = new Map(
			all
				.filter((it) => it.length !== usual || it.strength !== 1)
				.map((it) => [it.number, { number: it.number, weeks: it.length, strength: it.strength }]),
		);
		const span = store.current.peek();
		if (span && store.overrides.peek().size > 0) store.setCurrent(span.number, span.start);
	}

	/** Loads them again when that is due: not before the server has the same backlog. Returns what ends it. */
	watch(): () => void {
		const { plan, project, pending, preview, whatIf } = this.store;
		return effect(() => {
			const last = plan.value?.iterations.at(-1)?.span.number ?? 0;
			const isUnknown = (n: number) => n > this.reach && n <= last;
			if (!project.value?.iteration_override_numbers.some(isUnknown)) return;
			if (pending.value.length > 0 || preview.value || whatIf.value !== null) return;
			const { reach } = this;
			this.reach = last;
			this.load(last).catch(() => (this.reach = reach));
		});
	}
}
