/** The last steps, so that they can be undone and redone: as many as anybody is likely to remember. */
import type { Command, Words } from "./command";

const MOST = 50;

/** What a person did in one step: one command, or several that belong together. */
export interface Step {
	words: Words;
	commands: Command[];
	/** The commands that undid it. */
	back?: Command[];
}

export class Undo {
	private done: Step[] = [];
	private undone: Step[] = [];

	/** A new step: steps that were undone before cannot be redone any more. */
	did(step: Step): void {
		if (!step.commands.every((c) => c.inverse || c.inverses || c.held)) return;
		this.done = [...this.done, step].slice(-MOST);
		this.undone = [];
	}

	/** A command was refused, so that there is nothing to undo; or, if it was to undo a step, nothing to redo. */
	forget(command: Command): void {
		for (const step of this.done) step.commands = step.commands.filter((c) => c !== command);
		this.done = this.done.filter(({ commands }) => commands.length > 0);
		this.undone = this.undone.filter(({ back }) => !back?.includes(command));
	}

	/** Removes a step from those that can be undone: the last one, or the given one. */
	take(step = this.done.at(-1)): Step | undefined {
		return take(this.done, step);
	}

	/** The same for those that can be redone. */
	takeUndone(step = this.undone.at(-1)): Step | undefined {
		return take(this.undone, step);
	}

	undid(step: Step): void {
		if (step.commands.every((c) => c.again)) this.undone.push(step);
	}

	redid(step: Step): void {
		this.done.push(step);
	}

	/** A story that was created again has another id. */
	rename(from: number, to: number): void {
		for (const { commands, back = [] } of [...this.done, ...this.undone])
			for (const command of [...commands, ...back]) command.ids = command.ids.map((id) => (id === from ? to : id));
	}
}

function take(list: Step[], step: Step | undefined): Step | undefined {
	const at = step ? list.indexOf(step) : -1;
	return at < 0 ? undefined : list.splice(at, 1)[0];
}

/** Whether somebody has changed the same values since: undoing would overwrite that. */
export const overtaken = (commands: readonly Command[] = []): boolean => commands.some((c) => c.stands?.() === false);
