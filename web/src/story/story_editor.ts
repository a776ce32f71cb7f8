/** An open story: its fields, and how they are saved. */
import type * as api from "../api/types.gen";
import type { Board } from "../board/model";
import { t } from "../text/i18n";
import { say, warn } from "../app/toast";
import type { Command } from "../model/command";
import { add, change, type Changes } from "../model/commands";
import { STORY_DETAIL, type Detail } from "../model/detail";
import type { Drafts } from "../model/drafts";
import type { Story } from "../model/types";
import { Editor } from "./editor";

const DETAILS = ["description", "follower_ids"] as const;

export class StoryEditor extends Editor {
	constructor(board: Board, id: number) {
		super(board, "story", id, STORY_DETAIL);
	}

	protected get isHere(): boolean {
		return this.store.story(this.id) !== undefined;
	}

	get ids(): number[] {
		return [this.id];
	}

	get name(): string {
		return this.store.peek(this.id)?.name ?? "";
	}

	current(field: string): unknown {
		if (field === "description" || field === "follower_ids") return this.shown.value?.[field];
		const story = this.store.story(this.id);
		if (field !== "labels") return story?.[field as keyof Story];
		return (story?.label_ids ?? []).flatMap((id) => this.store.labels.value.get(id)?.name ?? []);
	}

	protected command(values: Record<string, unknown>): Command {
		const { labels, ...others } = values;
		const rest: Record<string, unknown> = {};
		const detail: Partial<Detail> = {};
		for (const field of DETAILS)
			if (field in others) {
				rest[field] = others[field];
				Object.assign(detail, { [field]: others[field] });
				delete others[field];
			}
		const changes = others as Changes;
		const made = labels ? this.labels(labels as string[], changes, rest) : false;
		if (Object.keys(rest).length > 0) changes.rest = rest;
		const command = change(this.store, this.id, changes, { key: "did.changed", values: { name: this.name } });
		return {
			...command,
			of: this.key,
			detail: (known) => ({ ...known, ...detail }),
			stands: () => command.stands!() && Object.entries(detail).every(([field, value]) => this.has(field, value)),
			done: (story) => {
				command.done!(story);
				this.confirm((known) => ({ ...known, ...detail }));
				if (made) void this.board.refreshFrame().catch(() => {});
			},
		};
	}

	/** The user can create it again with the unsaved input. */
	protected override tellGone(who: string, typed: Drafts | null, files: readonly api.FileAttachment[]): void {
		const was = this.store.peek(this.id);
		const text = t("story.gone_by", { name: this.name, who });
		if (!typed || !was) return say(text);
		const { id: _, is_new: _n, ...story } = was;
		const name = this.value<string>("name");
		const description = this.value("description");
		const comment = typed.comment?.value;
		const comments = comment || files.length > 0 ? [{ text: comment, file_attachments: files }] : undefined;
		const again = () => {
			this.cancel();
			this.board.do(
				add(this.store, { ...story, name, current_state: "unscheduled", accepted_at: null }, { description, comments }),
			);
		};
		warn(text, { label: t("story.again"), act: again });
	}

	/** Sets ids for names that the project knows; returns true if it does not know one of them. */
	private labels(names: readonly string[], changes: Changes, rest: Record<string, unknown>): boolean {
		const known = new Map([...this.store.labels.peek().values()].map((label) => [label.name, label.id]));
		changes.label_ids = names.flatMap((name) => known.get(name) ?? []);
		if (changes.label_ids.length === names.length) return false;
		Object.assign(rest, { labels: names.map((name) => ({ name })), label_ids: undefined });
		return true;
	}
}

const editors = new WeakMap<Board, Map<number, StoryEditor>>();

export function storyEditor(board: Board, id: number): StoryEditor {
	let own = editors.get(board);
	if (!own) editors.set(board, (own = new Map()));
	let editor = own.get(id);
	if (!editor) own.set(id, (editor = new StoryEditor(board, id)));
	return editor;
}
