/** Stories that are selected together, in the order of the page. */
import { computed, signal, type Signal } from "@preact/signals-core";

export class Selection {
	readonly ids = signal<ReadonlySet<number>>(new Set());
	readonly size = computed(() => this.ids.value.size);
	private anchor: number | null = null;
	private readonly flags = new Map<number, Signal<boolean>>();

	/**
	 * Whether one story is selected, as a signal of its own: a component that reads it is not rendered again for
	 * others.
	 */
	has(id: number): boolean {
		let flag = this.flags.get(id);
		if (!flag) {
			flag = signal(this.ids.peek().has(id));
			this.flags.set(id, flag);
		}
		return flag.value;
	}

	private set(next: ReadonlySet<number>): void {
		this.ids.value = next;
		for (const [id, flag] of this.flags) flag.value = next.has(id);
	}

	toggle(id: number): void {
		const next = new Set(this.ids.peek());
		if (!next.delete(id)) next.add(id);
		this.anchor = id;
		this.set(next);
	}

	/** Selects from the last selected story to this one, in `order`. */
	extend(id: number, order: readonly number[]): void {
		const from = this.anchor === null ? -1 : order.indexOf(this.anchor);
		const to = order.indexOf(id);
		if (from < 0 || to < 0) {
			this.toggle(id);
			return;
		}
		const range = order.slice(Math.min(from, to), Math.max(from, to) + 1);
		this.set(new Set([...this.ids.peek(), ...range]));
	}

	/** The selected stories in the order of the page. */
	inOrder(order: readonly number[]): number[] {
		const chosen = this.ids.peek();
		return order.filter((id) => chosen.has(id));
	}

	clear(): void {
		this.anchor = null;
		if (this.ids.peek().size > 0) this.set(new Set());
	}

	/** Deselects deleted stories. */
	drop(ids: Iterable<number>): void {
		const next = new Set(this.ids.peek());
		for (const id of ids) next.delete(id);
		if (next.size !== this.ids.peek().size) this.set(next);
	}
}
