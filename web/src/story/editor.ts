/**
 * An open story or epic: its parts, and unsaved input. There is one object per story or epic and board; it outlives
 * the form that shows it.
 */
import { computed, signal, type Signal } from "@preact/signals";
import { get } from "../api/http";
import type * as api from "../api/types.gen";
import type { Board } from "../board/model";
import type { Opened } from "../board/opened";
import type { Command, Typed } from "../model/command";
import { readDetail, type Detail, type Kind } from "../model/detail";
import {
	conflicts,
	drafted,
	each,
	keepDrafts,
	readDrafts,
	same,
	takenBack,
	withoutGone,
	type Drafts,
} from "../model/drafts";
import type { Owner } from "../model/parts";
import type { Store } from "../model/store";
import { unsaved } from "../model/unsaved";
import { me } from "../app/session";
import { t } from "../text/i18n";
import { Uploads } from "./uploads";

interface Change {
	kind?: string;
	change_type?: string;
	id?: number;
	new_values?: Record<string, unknown>;
}

const LEFT = /^story_move_from_project_/;

const changesOf = (activity: api.Activity) => (activity.changes ?? []) as Change[];

export abstract class Editor implements Owner {
	readonly store: Store;
	readonly key: string;
	readonly path: string;
	/** As the server confirmed it; null: not here yet. */
	readonly detail = signal<Detail | null>(null);
	readonly failed = signal(false);
	/** Why the last attempt to save was refused. */
	readonly problem = signal("");
	readonly drafts: Signal<Drafts>;
	/** By field: who changed it last while this was open. */
	readonly changers = signal<Readonly<Record<string, string>>>({});
	/** Including changes that have no answer yet. */
	readonly shown = computed(() => {
		const detail = this.detail.value;
		return (
			detail && this.store.pending.value.reduce((d, c) => (c.of === this.key && c.detail ? c.detail(d) : d), detail)
		);
	});
	/** Files for the next comment. */
	readonly uploads: Uploads;
	/** Drafts that were sent but not answered: stored on the device until then. The oldest comes first. */
	private readonly saving = new Map<Command, Drafts>();
	/** Fields whose drafts are on the device because of this form. */
	private kept: string[];

	/** The forms of its kind that are open. */
	private readonly opened: Opened;
	/** The panel in which it was open last. */
	private panel: string;

	constructor(
		readonly board: Board,
		readonly kind: "story" | "epic",
		readonly id: number,
		private readonly fields: string,
	) {
		this.store = board.store;
		this.opened = kind === "story" ? board.opened : board.openedEpics;
		this.panel = kind === "story" ? "" : "epics";
		this.uploads = new Uploads(board.id, () => this.isHere);
		this.key = `${board.id}.${kind}.${id}`;
		this.path = `/projects/${board.id}/${kind === "story" ? "stories" : "epics"}/${id}`;
		this.drafts = signal(readDrafts(this.key));
		this.kept = Object.keys(this.drafts.peek());
		board.onNews.push((activities) => this.hear(activities));
		board.editors.set(this.key, this);
		board.stops.push(() => this.uploads.close());
	}

	/** Whether it is still in the project, as far as the board knows. */
	protected abstract get isHere(): boolean;
	abstract get ids(): number[];
	abstract get name(): string;
	/** A field's value as the board knows it. */
	abstract current(field: string): unknown;
	/** The change that saves these values. */
	protected abstract command(values: Record<string, unknown>): Command;

	get isOpen(): boolean {
		return this.opened.place(this.id).peek() !== null;
	}

	/** Hides the form. */
	close(): void {
		this.panel = this.opened.place(this.id).peek() ?? this.panel;
		this.opened.close(this.id);
	}

	protected reopen(): void {
		if (!this.isOpen) this.opened.open(this.id, this.panel);
	}

	confirm(change: (detail: Detail) => Detail): void {
		const detail = this.detail.peek();
		if (detail) this.detail.value = change(detail);
	}

	async load(): Promise<void> {
		try {
			const { data } = await get<api.Story & api.Epic>(this.path, { fields: this.fields });
			const detail = (this.detail.value = readDetail(data));
			const isHere = (kind: string, id: number) => detail[kind as Kind]?.some((part) => part.id === id);
			const drafts = withoutGone(this.drafts.peek(), isHere);
			if (drafts !== this.drafts.peek()) this.keep(drafts);
			this.failed.value = false;
			if (this.conflicting().some((field) => !this.changers.peek()[field])) await this.findChangers();
		} catch {
			this.failed.value = this.detail.peek() === null;
		}
	}

	// --- fields --------------------------------------------------------------------

	/** The value that the form shows. */
	value<T>(field: string): T {
		const draft = this.drafts.value[field];
		return (draft ? draft.value : this.current(field)) as T;
	}

	set(field: string, value: unknown): void {
		this.keep(drafted(this.drafts.peek(), field, value, this.current(field)));
	}

	/** Takes the server's value. */
	drop(field: string): void {
		const { [field]: _, ...rest } = this.drafts.peek();
		this.keep(rest);
	}

	/** Keeps the user's value in spite of the other one; the next save sends it. */
	keepMine(field: string): void {
		const draft = this.drafts.peek()[field];
		if (draft) this.keep({ ...this.drafts.peek(), [field]: { ...draft, base: this.current(field) } });
	}

	conflicts(field: string): boolean {
		return conflicts(this.drafts.value[field], this.current(field));
	}

	conflicting(): string[] {
		return Object.keys(this.drafts.value).filter((field) => this.isField(field) && this.conflicts(field));
	}

	/** Comments and lines to be added are drafts, too, but not fields of the story or epic. */
	protected isField(field: string): boolean {
		return !/^(comment|new\.)/.test(field);
	}

	get isChanged(): boolean {
		return Object.keys(this.drafts.value).some((field) => this.isField(field));
	}

	/** What was typed and refused. */
	takeBack(typed: Typed): void {
		this.keep(takenBack(this.drafts.peek(), typed));
		if (this.isOpen) void this.load();
	}

	private keep(drafts: Drafts): void {
		this.drafts.value = drafts;
		unsaved(this.key).value = Object.keys(drafts).length > 0;
		const all = Object.assign({}, ...this.saving.values(), drafts) as Drafts;
		keepDrafts(this.key, all, this.kept);
		this.kept = Object.keys(all);
	}

	// --- save and cancel ---------------------------------------------------------------

	/** Sends all fields that were changed, in one request. */
	save(): void {
		const drafts = this.drafts.peek();
		const fields = Object.keys(drafts).filter((field) => this.isField(field));
		this.problem.value = "";
		if (fields.length === 0) return;
		const values = each(fields, (field) => drafts[field]!.value);
		const former = each(fields, (field) => this.current(field));
		const command = this.command(values);
		const { done, answered, inverse, refused } = command;
		const finish = () => {
			this.saving.delete(command);
			this.keep(this.drafts.peek());
		};
		command.done = (story) => {
			done?.(story);
			finish();
		};
		if (answered)
			command.answered = (data) => {
				answered(data);
				finish();
			};
		command.refused = (words) => {
			refused?.(words);
			const back = this.saving.get(command);
			this.saving.delete(command);
			const newer = Object.assign({}, ...this.saving.values(), this.drafts.peek()) as Drafts;
			const lost = Object.entries(back ?? {}).filter(([field]) => !(field in newer));
			this.keep({ ...Object.fromEntries(lost), ...this.drafts.peek() });
			this.problem.value = words;
			this.reopen();
		};
		command.isDraft = true;
		command.inverse = () => inverse?.() ?? this.command(former);
		command.again = () => this.command(values);
		const sent = each(fields, (field) => drafts[field]!);
		this.saving.set(command, sent);
		this.keep(Object.fromEntries(Object.entries(drafts).filter(([field]) => !this.isField(field))));
		this.board.do(command);
	}

	/** Whether that is the field's value, as far as is known. */
	protected has(field: string, value: unknown): boolean {
		const now = this.current(field);
		return now === undefined || same(now, value);
	}

	cancel(): void {
		this.problem.value = "";
		this.keep({});
		this.uploads.clear();
		this.close();
	}

	// --- others ---------------------------------------------------------------------------

	private hear(activities: readonly api.Activity[]): void {
		const mine = activities.filter((a) => this.isAbout(a));
		if (mine.length === 0) return;
		this.note(mine);
		const end = mine.find(
			(a) =>
				changesOf(a).some((c) => c.id === this.id && c.kind === this.kind && c.change_type === "delete") ||
				LEFT.test(a.kind ?? ""),
		);
		if (end) this.left(this.who(end));
		else if (this.isOpen) void this.load();
	}

	/** Somebody deleted it, or moved it elsewhere. */
	private left(who: string): void {
		const typed = this.drafts.peek();
		const files = this.uploads.done;
		const isTyped = Object.keys(typed).length > 0 || files.length > 0;
		if (!this.isOpen && !isTyped) return;
		this.opened.close(this.id);
		this.uploads.clear();
		this.tellGone(who, isTyped ? typed : null, files);
	}

	/** Says so, and offers to keep what was typed; `typed` is null if there is nothing. */
	protected abstract tellGone(who: string, typed: Drafts | null, files: readonly api.FileAttachment[]): void;

	private who(activity: api.Activity): string {
		const { id, name = "" } = activity.performed_by ?? { id: 0 };
		return id === me.peek()?.id ? t("conflict.you") : name;
	}

	private isAbout(activity: api.Activity): boolean {
		const named = [...((activity.primary_resources ?? []) as Change[]), ...changesOf(activity)];
		return named.some((thing) => thing.kind === this.kind && thing.id === this.id);
	}

	/** Remembers who changed which field; the oldest activity comes first. */
	private note(activities: readonly api.Activity[]): void {
		const next = { ...this.changers.peek() };
		for (const activity of activities)
			for (const change of changesOf(activity))
				if (change.kind === this.kind && change.id === this.id)
					for (const field of Object.keys(change.new_values ?? {}))
						next[field === "label_ids" ? "labels" : field] = this.who(activity);
		this.changers.value = next;
	}

	/** The draft is older than this page: requests what happened in the meantime. */
	private async findChangers(): Promise<void> {
		const { data } = await get<api.Activity[]>(`${this.path}/activity`, { limit: 50 });
		this.note([...data].reverse().filter((a) => this.isAbout(a)));
	}
}
