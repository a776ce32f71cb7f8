/** Somebody who works on a board: decides at random what they do next. */
import type { Board } from "../src/board/model";
import { add, change, changeMany, estimate, move, step } from "../src/model/commands";
import type { Place, Section } from "../src/model/order";
import { blankStory, type State, type Story } from "../src/model/types";

const STATES: readonly State[] = [
	"unscheduled",
	"unstarted",
	"started",
	"finished",
	"delivered",
	"accepted",
	"rejected",
];
const TYPES: readonly Story["story_type"][] = ["feature", "feature", "feature", "bug", "chore", "release"];
const GROUPS = ["backlog", "icebox", "current"] as const;

export class Person {
	constructor(
		private readonly board: Board,
		private readonly me: number,
		private readonly random: () => number,
	) {}

	private of<T>(list: readonly T[]): T {
		return list[Math.floor(this.random() * list.length)]!;
	}

	private story(): Story | undefined {
		const list = this.board.store.all().filter((s) => s.current_state !== "accepted" || this.random() < 0.2);
		return list.length > 0 ? this.of(list) : undefined;
	}

	/** Does something that a board allows, though the server may refuse it. */
	act(): void {
		const { store } = this.board;
		const story = this.story();
		if (!story || (store.all().length < 20 && this.random() < 0.2)) return this.board.do(this.added());
		const words = { key: "did.changed", values: { name: story.name } } as const;
		const acts: (() => void)[] = [
			() => this.move(story),
			() => this.move(story),
			() => this.board.do(step(store, story.id, this.of(STATES), this.me)),
			() => this.board.do(estimate(store, story.id, this.of([null, 0, 1, 2, 3, 8]))),
			() => this.board.do(change(store, story.id, { name: `n${Math.floor(this.random() * 100)}` }, words)),
			() => this.board.do(change(store, story.id, { story_type: this.of(TYPES), label_ids: this.labels() }, words)),
			() => this.board.do(changeMany(store, this.some(), { current_state: this.of(STATES) })),
			() => this.board.do(changeMany(store, this.some(), {}, { add: this.labels() })),
			() => this.board.remove(this.random() < 0.7 ? [story.id] : this.some()),
			() => this.board.takeBack(),
			() => this.board.redo(),
		];
		this.of(acts)();
	}

	private added() {
		const state = this.of(STATES);
		return add(this.board.store, {
			...blankStory(),
			name: `s${Math.floor(this.random() * 1000)}`,
			story_type: this.of(TYPES),
			current_state: state,
			estimate: this.random() < 0.7 ? this.of([0, 1, 2, 3]) : null,
		});
	}

	private labels(): number[] {
		const ids = [...this.board.store.labels.peek().keys()];
		return ids.length > 0 && this.random() < 0.8 ? [this.of(ids)] : [];
	}

	private some(): number[] {
		const ids = this.board.store.all().map((s) => s.id);
		return [...new Set([this.of(ids), this.of(ids), this.of(ids)])].filter((id) => id > 0).slice(0, 3);
	}

	private move(story: Story): void {
		const { store } = this.board;
		const order = store.order.peek();
		const sections = (["work", "planned", "backlog", "icebox"] as const).filter((s) => order[s].some((id) => id > 0));
		if (story.current_state === "accepted" || sections.length === 0) return;
		const section: Section = this.of(sections);
		const other = this.of(order[section].filter((id) => id > 0));
		const ids = this.random() < 0.7 ? [story.id] : this.some();
		const group = this.of(GROUPS);
		const beside: Place = this.random() < 0.5 ? { before: other } : { after: other };
		if (ids.includes(other) || ids.some((id) => store.peek(id)?.current_state === "accepted")) return;
		if (this.random() < 0.6) this.board.do(move(store, ids, beside, section));
		else {
			const into = { backlog: "backlog", icebox: "icebox", current: "backlog" } as const;
			this.board.do(move(store, ids, { group, end: this.of(["top", "bottom"] as const) }, into[group]));
		}
	}
}
