/** Accepted stories of the current iteration can be folded away; the device remembers it for each project. */
import { signal } from "@preact/signals-core";

export class Folds {
	readonly on;
	private readonly key: string;

	constructor(project: number) {
		this.key = `planwright.fold.${project}`;
		this.on = signal(localStorage.getItem(this.key) !== null);
	}

	turn(): void {
		this.on.value = !this.on.peek();
		if (this.on.peek()) localStorage.setItem(this.key, "1");
		else localStorage.removeItem(this.key);
	}
}
