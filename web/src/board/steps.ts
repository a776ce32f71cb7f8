/** What a person does on a board, step by step: shown, sent, reported, undone, redone. */
import type { Command, Words } from "../model/command";
import { remove } from "../model/commands";
import type { Queue } from "../model/queue";
import type { Selection } from "../model/selection";
import type { Store } from "../model/store";
import { overtaken, Undo, type Step } from "../model/undo";
import { t } from "../text/i18n";
import { ended } from "../app/session";
import { say, warn } from "../app/toast";

/** Deletions are held back, so that they can be undone before anybody else sees them. */
const DELETE_AFTER = 5_000;
/** Stories that the server changes in one request, at most. */
const TOGETHER = 100;

const inversesOf = ({ inverse, inverses }: Command): (() => Command | null)[] =>
	inverse ? [inverse] : (inverses ?? []);

function wordsOf({ words }: Step): string {
	const values = { ...words.values };
	if (words.key === "did.state") values.state = t(`state.${values.state}` as Parameters<typeof t>[0]);
	return t(words.key, values);
}

export abstract class Steps {
	abstract readonly store: Store;
	abstract readonly queue: Queue;
	abstract readonly selection: Selection;
	readonly undo = new Undo();

	/** Shows a command's effect, sends it, and offers to undo it. */
	do(command: Command, quiet = false): void {
		this.queue.push(command);
		this.begin({ words: command.words, commands: [command] }, quiet);
	}

	/** Several commands that belong together: they are undone together. */
	doAll(words: Words, commands: readonly Command[]): void {
		for (const command of commands) this.queue.push(command);
		this.begin({ words, commands: [...commands] });
	}

	private begin(step: Step, quiet = false): void {
		this.undo.did(step);
		if (quiet) return;
		const can = step.commands.some((c) => c.inverse || c.inverses || c.held);
		say(wordsOf(step), can ? { label: t("undo"), act: () => this.takeBack(step) } : undefined);
	}

	/**
	 * The server takes a hundred stories per request: `make` gets at most that many, and the last story of the
	 * previous request.
	 */
	doMany(ids: readonly number[], make: (some: readonly number[], last: number | undefined) => Command): void {
		const commands: Command[] = [];
		for (let at = 0; at < ids.length; at += TOGETHER) {
			const command = make(ids.slice(at, at + TOGETHER), ids[at - 1]);
			this.queue.push(command);
			commands.push(command);
		}
		const { key, values } = commands[0]?.words ?? {};
		if (key) this.begin({ words: { key, values: values?.n ? { n: ids.length } : { ...values } }, commands });
	}

	/** Deletes stories, five seconds later. */
	remove(ids: readonly number[]): void {
		this.selection.drop(ids);
		const { words } = remove(this.store, ids);
		const commands: Command[] = [];
		for (let at = 0; at < ids.length; at += TOGETHER) commands.push(remove(this.store, ids.slice(at, at + TOGETHER)));
		this.hold(commands);
		this.doAll(words, commands);
	}

	private hold(commands: readonly Command[]): void {
		for (const command of commands) {
			command.held = true;
			setTimeout(() => {
				if (!command.held) return;
				this.undo.forget(command);
				this.queue.release(command);
			}, DELETE_AFTER);
		}
	}

	/** Undoes the last step (Ctrl+Z), or the given one (the button of a message). */
	takeBack(step?: Step): void {
		// Whoever is signed out can send nothing; what waited is sent when they sign in again.
		const last = ended.peek() ? undefined : this.undo.take(step);
		if (!last && step) say(t("undo.late"));
		if (!last) return;
		if (overtaken(last.commands))
			warn(t("undo.overtaken", { what: wordsOf(last) }), { label: t("undo.anyway"), act: () => this.revert(last) });
		else this.revert(last);
	}

	private revert(step: Step): void {
		step.back = [];
		let count = 0;
		for (const command of [...step.commands].reverse()) {
			if (this.queue.cancel(command)) count++;
			else
				for (const make of inversesOf(command)) {
					const back = make();
					if (!back) continue;
					this.queue.push(back);
					step.back.push(back);
					count++;
				}
		}
		if (count === 0) return say(t("undo.late"));
		this.undo.undid(step);
		const can = step.commands.every((c) => c.again);
		say(t("undone", { what: wordsOf(step) }), can ? { label: t("redo"), act: () => this.redo(step) } : undefined);
	}

	/** Redoes the step that was undone last, or the given one. */
	redo(step?: Step): void {
		const last = this.undo.takeUndone(step);
		if (!last) return;
		if (overtaken(last.back))
			warn(t("redo.overtaken", { what: wordsOf(last) }), { label: t("redo.anyway"), act: () => this.repeat(last) });
		else this.repeat(last);
	}

	private repeat(step: Step): void {
		step.commands = step.commands.map((former) => {
			const command = former.again!();
			const [own = 0] = command.ids;
			if (own < 0) {
				this.undo.rename(former.ids[0]!, own);
				command.done = ({ id }) => this.undo.rename(own, id);
			}
			if (former.held) this.hold([command]);
			this.queue.push(command);
			return command;
		});
		this.undo.redid(step);
		say(t("redone", { what: wordsOf(step) }), { label: t("undo"), act: () => this.takeBack(step) });
	}
}
