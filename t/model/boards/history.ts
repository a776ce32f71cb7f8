/** Executes commands of t/model/histories.py as somebody at a board. Small numbers refer to what the board shows. */
import type { Board } from "../src/board/model";
import { add, change, changeMany, move, step, type Changes } from "../src/model/commands";
import { sectionOf, type Place } from "../src/model/order";
import { blankStory, type State, type Story } from "../src/model/types";

type Body = Record<string, unknown>;

export interface Wish {
	do: string;
	story?: number;
	body?: Body;
}

const GROUPS = { scheduled: "backlog", unscheduled: "icebox", current: "current" } as const;
export class Actor {
	constructor(
		private readonly board: Board,
		private readonly me: number,
		private readonly people: Record<string, number>,
	) {}

	act(wish: Wish): void {
		const { store } = this.board;
		const { ids: named, delete: gone, changes, add_label_ids, remove_label_ids, ...body } = wish.body ?? {};
		if (wish.do === "story_create") {
			const { rest, ...fields } = this.changes(body);
			return this.board.do(add(store, { ...blankStory(), ...fields } as Story, rest));
		}
		const ids = this.stories((named as number[]) ?? [wish.story!]);
		if (ids.length === 0) return;
		if (wish.do === "story_delete" || gone) return this.board.remove(ids);
		if (["before_id", "after_id", "group"].some((name) => name in body)) return this.move(ids, body);
		if (wish.do === "bulk_change") {
			const labels = { add: this.labels(add_label_ids), remove: this.labels(remove_label_ids) };
			return this.board.do(changeMany(store, ids, this.changes((changes as Body) ?? {}), labels));
		}
		this.change(ids[0]!, body);
	}

	private change(id: number, body: Body): void {
		const { store } = this.board;
		if (Object.keys(body).join() === "current_state")
			return this.board.do(step(store, id, body.current_state as State, this.me));
		const words = { key: "did.changed", values: { name: store.peek(id)?.name ?? "" } } as const;
		this.board.do(change(store, id, this.changes(body), words));
	}

	private move(ids: number[], body: Body): void {
		const { store } = this.board;
		const group = body.group as keyof typeof GROUPS | undefined;
		if (ids.some((id) => store.peek(id)?.current_state === "accepted")) return;
		if (group) {
			const into = group === "unscheduled" ? "icebox" : "backlog";
			return this.board.do(move(store, ids, { group: GROUPS[group], end: "bottom" }, into));
		}
		const [other] = this.stories([(body.before_id ?? body.after_id) as number]);
		const section = other && sectionOf(store.peek(other)!.current_state);
		if (!section || section === "done" || ids.includes(other)) return;
		const place: Place = "before_id" in body ? { before: other } : { after: other };
		this.board.do(move(store, ids, place, section));
	}

	/** What the board does not store itself goes into `rest`. */
	private changes({ description, labels, ...body }: Body): Changes {
		const changes: Body = { ...body };
		if ("label_ids" in body) changes.label_ids = this.labels(body.label_ids);
		if ("owner_ids" in body)
			changes.owner_ids = [...new Set((body.owner_ids as string[]).map((name) => this.people[name]))];
		if ("requested_by_id" in body) changes.requested_by_id = this.people[body.requested_by_id as string];
		const rest = { ...(description === undefined ? {} : { description }), ...(labels === undefined ? {} : { labels }) };
		return (Object.keys(rest).length > 0 ? { ...changes, rest } : changes) as Changes;
	}

	private stories(numbers: number[]): number[] {
		const all = this.board.store.all().map((s) => s.id);
		return all.length > 0 ? [...new Set(numbers.map((n) => all[n % all.length]!))] : [];
	}

	private labels(numbers: unknown): number[] {
		const ids = [...this.board.store.labels.peek().keys()];
		return ids.length > 0 ? [...new Set(((numbers as number[]) ?? []).map((n) => ids[n % ids.length]!))] : [];
	}
}
