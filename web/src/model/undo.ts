/** What was done last, so that it can be taken back: at most as many steps as anybody remembers. */
import { signal } from "@preact/signals-core";
import type { Command } from "./command";

const MOST = 50;

export class Undo {
	readonly depth = signal(0);
	private steps: Command[] = [];

	did(command: Command): void {
		if (!command.inverse && !command.inverses && !command.held) return;
		this.steps = [...this.steps, command].slice(-MOST);
		this.depth.value = this.steps.length;
	}

	/** Takes a command off the list: it was refused, or taken back by other means. */
	forget(command: Command): void {
		this.steps = this.steps.filter((c) => c !== command);
		this.depth.value = this.steps.length;
	}

	/** The last one, or the given one. */
	take(command?: Command): Command | null {
		const found = command
			? this.steps.includes(command)
				? command
				: null
			: (this.steps[this.steps.length - 1] ?? null);
		if (found) this.forget(found);
		return found;
	}
}
