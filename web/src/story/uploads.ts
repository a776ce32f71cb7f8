/** Files that are being uploaded for a comment. */
import { effect, signal } from "@preact/signals";
import { upload } from "../api/upload";
import type * as api from "../api/types.gen";
import { Refused } from "../api/http";
import { t } from "../text/i18n";
import { risk } from "../app/leaving";

export interface Sending {
	id: number;
	file: File;
	/** From 0 to 1. */
	part: number;
	problem: string;
	done: api.FileAttachment | null;
	cancel: () => void;
}

let last = 0;

export class Uploads {
	readonly list = signal<readonly Sending[]>([]);

	private readonly end: () => void;

	/** `isWanted`: what they are for is still there. */
	constructor(
		private readonly project: number,
		isWanted: () => boolean,
	) {
		this.end = effect(() => risk(this, this.list.value.length > 0 && isWanted()));
	}

	/** With the board that it belongs to. */
	close(): void {
		this.clear();
		this.end();
	}

	get isBusy(): boolean {
		return this.list.value.some((s) => !s.done && !s.problem);
	}

	get done(): api.FileAttachment[] {
		return this.list.value.flatMap((s) => s.done ?? []);
	}

	add(files: readonly File[]): void {
		for (const file of files) this.start({ id: ++last, file, part: 0, problem: "", done: null, cancel: () => {} });
	}

	/** Tries once more. */
	again(sending: Sending): void {
		this.remove(sending.id);
		this.add([sending.file]);
	}

	remove(id: number): void {
		const sending = this.list.peek().find((s) => s.id === id);
		this.list.value = this.list.peek().filter((s) => s.id !== id);
		sending?.cancel();
	}

	clear(): void {
		for (const { cancel } of this.list.peek()) cancel();
		this.list.value = [];
	}

	private start(sending: Sending): void {
		const { id, file } = sending;
		const change = (values: Partial<Sending>) => {
			this.list.value = this.list.peek().map((s) => (s.id === id ? { ...s, ...values } : s));
		};
		const { answer, cancel } = upload(this.project, file, (part) => change({ part }));
		this.list.value = [...this.list.peek(), { ...sending, cancel }];
		answer.then(
			(done) => change({ done, part: 1 }),
			(error: unknown) => {
				const refused = error instanceof Refused && error.status !== 413 && !error.isPassing;
				const large = error instanceof Refused && error.status === 413;
				change({ problem: refused ? error.message : t(large ? "file.too_large" : "file.failed") });
			},
		);
	}
}
