/** An open epic: title, label, description, followers; and how they are saved. */
import type { Board } from "../board/model";
import type { Command } from "../model/command";
import { EPIC_DETAIL, type Detail } from "../model/detail";
import type { Epic } from "../model/types";
import { copying } from "../app/clipboard";
import { warn } from "../app/toast";
import { t } from "../text/i18n";
import type { Drafts } from "../model/drafts";
import { Editor } from "../story/editor";

export class EpicEditor extends Editor {
	constructor(board: Board, id: number) {
		super(board, "epic", id, EPIC_DETAIL);
	}

	protected get isHere(): boolean {
		return this.epic !== undefined;
	}

	get ids(): number[] {
		return [];
	}

	get epic(): Epic | undefined {
		return this.store.epics.value.find((e) => e.id === this.id);
	}

	get name(): string {
		return this.epic?.name ?? "";
	}

	current(field: string): unknown {
		if (field === "name") return this.epic?.name;
		if (field === "label") return this.store.labels.value.get(this.epic?.label_id ?? 0)?.name ?? "";
		return this.shown.value?.[field as "description" | "follower_ids"];
	}

	/** What was typed can be copied. */
	protected override tellGone(_who: string, typed: Drafts | null): void {
		const text = Object.values(typed ?? {}).map(({ value }) => value);
		warn(t("epic.gone"), text.length > 0 && copying(text.join("\n")));
	}

	protected command(values: Record<string, unknown>): Command {
		const { label, ...body } = values;
		const detail = Object.fromEntries(
			Object.entries(values).filter(([field]) => field === "description" || field === "follower_ids"),
		) as Partial<Detail>;
		const name = values.name as string | undefined;
		if (name !== undefined)
			this.store.epics.value = this.store.epics.peek().map((e) => (e.id === this.id ? { ...e, name } : e));
		return {
			...epicCommand(
				this.board,
				"PUT",
				this.path,
				label === undefined ? body : { ...body, label: { name: label } },
				this.name,
			),
			of: this.key,
			detail: (known) => ({ ...known, ...detail }),
			answered: () => {
				this.confirm((known) => ({ ...known, ...detail }));
				refresh(this.board);
			},
		};
	}
}

function refresh(board: Board): void {
	void board.refreshFrame().catch(() => {});
}

/** A change to epics: the board reloads them after it succeeded or was refused. */
export function epicCommand(
	board: Board,
	method: "POST" | "PUT" | "DELETE",
	path: string,
	body: object,
	name: string,
): Command {
	return {
		ids: [],
		of: "epics",
		words: { key: "did.changed", values: { name } },
		patch: (story) => story,
		request: () => ({ method, path, ...(method === "DELETE" ? {} : { body }) }),
		answered: () => refresh(board),
		refused: () => refresh(board),
	};
}

const editors = new WeakMap<Board, Map<number, EpicEditor>>();

export function epicEditor(board: Board, id: number): EpicEditor {
	let own = editors.get(board);
	if (!own) editors.set(board, (own = new Map()));
	let editor = own.get(id);
	if (!editor) own.set(id, (editor = new EpicEditor(board, id)));
	return editor;
}
