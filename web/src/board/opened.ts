/** What is expanded in place, and in which panel: a story that several panels show is open in one. */
import { signal, type Signal } from "@preact/signals-core";

export class Opened {
	readonly ids = signal<readonly number[]>([]);
	private readonly places = new Map<number, Signal<string | null>>();

	/** The panel in which it is open; null: it is not. */
	place(id: number): Signal<string | null> {
		let place = this.places.get(id);
		if (!place) this.places.set(id, (place = signal(null)));
		return place;
	}

	open(id: number, panel: string): void {
		this.place(id).value = panel;
		if (!this.ids.peek().includes(id)) this.ids.value = [...this.ids.peek(), id];
	}

	close(id: number): void {
		this.place(id).value = null;
		this.ids.value = this.ids.peek().filter((n) => n !== id);
	}
}
