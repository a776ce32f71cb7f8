/** What was done last, so that it can be taken back and done again: at most as many steps as anybody remembers. */
import type { Command, Words } from "./command";

const MOST = 50;

/** What a person did at once: one command, or several that belong together. */
export interface Step {
	words: Words;
	commands: Command[];
	/** What took it back. */
	back?: Command[];
}

export class Undo {
	private done: Step[] = [];
	private undone: Step[] = [];

	/** Something new: what was taken back before cannot be done again. */
	did(step: Step): void {
		if (!step.commands.every((c) => c.inverse || c.inverses || c.held)) return;
		this.done = [...this.done, step].slice(-MOST);
		this.undone = [];
	}

	/** A command was refused, so that there is nothing to take back; or it took something back. */
	forget(command: Command): void {
		for (const step of this.done) step.commands = step.commands.filter((c) => c !== command);
		this.done = this.done.filter(({ commands }) => commands.length > 0);
		this.undone = this.undone.filter(({ back }) => !back?.includes(command));
	}

	/** Takes a step off what was done: the last one, or the given one. */
	take(step = this.done.at(-1)): Step | undefined {
		return take(this.done, step);
	}

	/** The same of what was taken back. */
	takeUndone(step = this.undone.at(-1)): Step | undefined {
		return take(this.undone, step);
	}

	undid(step: Step): void {
		if (step.commands.every((c) => c.again)) this.undone.push(step);
	}

	redid(step: Step): void {
		this.done.push(step);
	}

	/** A story that was made again has another number. */
	rename(from: number, to: number): void {
		for (const { commands, back = [] } of [...this.done, ...this.undone])
			for (const command of [...commands, ...back]) command.ids = command.ids.map((id) => (id === from ? to : id));
	}
}

function take(list: Step[], step: Step | undefined): Step | undefined {
	const at = step ? list.indexOf(step) : -1;
	return at < 0 ? undefined : list.splice(at, 1)[0];
}

/** Somebody changed since what they did: going back would overwrite it. */
export const overtaken = (commands: readonly Command[] = []): boolean => commands.some((c) => c.stands?.() === false);
