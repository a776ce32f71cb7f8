/**
 * Drags stories over the board. The positions of visible cards are measured in each frame, since scrolling, replanning
 * and what is loaded late change them; only a ghost and a line move.
 */
import { announce, warn } from "../app/toast";
import { t } from "../text/i18n";
import { move } from "../model/commands";
import type { Order } from "../model/order";
import { shiftColumn } from "../app/layout";
import { watchDrags, type Drag } from "../ui/drag";
import { floating, LineDrag } from "../ui/line_drag";
import { goalOf, type Goal } from "./drop";
import type { Board } from "./model";
import { moveAll, movedWith } from "./moves";

/** How long the pointer must rest before the plan is recomputed with the stories at its place. */
const PLAN_AFTER = 250;
/** Replanning moves cards: the place then stays the same until the pointer moves further than this, in pixels. */
const STILL = 8;

interface Row {
	id: number;
	top: number;
	bottom: number;
}

interface Area {
	panel: string;
	node: HTMLElement;
	scroller: Element;
	left: number;
	right: number;
	top: number;
	bottom: number;
	rows: Row[];
}

/**
 * The visible cards. Does not read the geometry of what the browser skips in layout, since that would force the
 * layout, and does not search the whole page, which takes longer than a frame.
 */
function* cardsSeen(body: Element, top: number, bottom: number): Generator<HTMLElement> {
	for (const block of body.children) {
		if (!block.matches(".iteration, .cards")) continue;
		const box = block.getBoundingClientRect();
		if (box.bottom >= top && box.top <= bottom) yield* block.querySelectorAll<HTMLElement>("[data-story]");
	}
}

/** The panels, each with its visible cards; marks the cards that are being dragged. */
function measure(panels: readonly HTMLElement[], dragged: ReadonlySet<number>): Area[] {
	return panels.map((node) => {
		const body = node.querySelector(":scope > .panel-body")!;
		const joined = node.closest(".is-joined");
		const frame = (joined ?? node).getBoundingClientRect();
		const own = node.getBoundingClientRect();
		const top = Math.max(frame.top, own.top);
		const bottom = Math.min(frame.bottom, own.bottom);
		const rows: Row[] = [];
		const marked: HTMLElement[] = [];
		for (const card of cardsSeen(body, top, bottom)) {
			const id = Number(card.dataset.story);
			const at = card.getBoundingClientRect();
			if (dragged.has(id)) marked.push(card);
			else rows.push({ id, top: at.top, bottom: at.bottom });
		}
		for (const card of marked) card.setAttribute("data-dragged", "");
		const scroller = joined ?? body;
		const panel = node.dataset.panel!.split(":")[0]!;
		return { panel, node, scroller, left: own.left, right: own.right, top, bottom, rows };
	});
}

/** The number of rows above a height. */
function gapAt(rows: readonly Row[], y: number): number {
	let low = 0;
	let high = rows.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		const { top, bottom } = rows[middle]!;
		if (y < (top + bottom) / 2) high = middle;
		else low = middle + 1;
	}
	return low;
}

class BoardDrag implements Drag {
	private readonly ghost = floating("drag-ghost");
	private readonly line = floating("drag-line");
	/** Covers everything, so that no card under the pointer reacts to it. */
	private readonly cover = floating("drag-cover");
	private readonly dragged: ReadonlySet<number>;
	private readonly panels: readonly HTMLElement[];
	private areas: Area[];
	private goal: Goal | null = null;
	private key = "";
	private planned = "";
	private x = 0;
	private y = 0;
	private rested: { x: number; y: number } | null = null;
	private timer: ReturnType<typeof setTimeout> | undefined;

	constructor(
		private readonly board: Board,
		private readonly ids: readonly number[],
		/** If several boards are next to each other, the one that the drag stays in. */
		root: Element,
	) {
		this.panels = [...root.querySelectorAll<HTMLElement>("[data-panel]")];
		this.dragged = new Set(ids);
		this.areas = measure(this.panels, this.dragged);
		if (board.sync) board.sync.held.value = true;
	}

	private text(reason: string): void {
		const first = this.board.store.peek(this.ids[0]!)?.name ?? "";
		this.ghost.textContent = reason || (this.ids.length === 1 ? first : t("drag.count", { n: this.ids.length }));
		this.ghost.classList.toggle("is-refused", reason !== "");
	}

	move(x: number, y: number, isScrolled?: boolean): void {
		this.ghost.style.transform = `translate(${x + 12}px, ${y + 10}px)`;
		if (!isScrolled && this.rested && Math.hypot(x - this.rested.x, y - this.rested.y) < STILL) return;
		this.rested = null;
		this.areas = measure(this.panels, this.dragged);
		if (isScrolled || x !== this.x || y !== this.y) {
			clearTimeout(this.timer);
			this.timer = setTimeout(() => this.plan(), PLAN_AFTER);
		}
		this.x = x;
		this.y = y;
		const area = this.areas.find((a) => x >= a.left && x < a.right && y >= a.top && y < a.bottom);
		if (!area) return this.aim("", null);
		const at = gapAt(area.rows, y);
		const above = area.rows[at - 1];
		const below = area.rows[at];
		const { store } = this.board;
		const edge = below?.top ?? above?.bottom ?? Math.min(area.top + 64, area.bottom);
		this.line.style.transform = `translate(${area.left}px, ${edge - 1}px) scaleX(${(area.right - area.left) / 100})`;
		const key = `${area.panel} ${above?.id} ${below?.id}`;
		if (key === this.key) return;
		this.aim(
			key,
			goalOf(
				{
					panel: area.panel,
					above: above ? (store.peek(above.id) ?? null) : null,
					below: below ? (store.peek(below.id) ?? null) : null,
				},
				this.ids.flatMap((id) => store.peek(id) ?? []),
				store.order.peek(),
				store.project.peek()?.automatic_planning ?? true,
			),
		);
	}

	/** Makes a place the current target. */
	private aim(key: string, goal: Goal | null): void {
		if (key === this.key && goal === this.goal) return;
		this.key = key;
		this.goal = goal;
		const refusal = goal && "refusal" in goal ? t(goal.refusal) : "";
		this.text(refusal);
		this.line.hidden = !goal || refusal !== "";
	}

	private plan(): void {
		const { store } = this.board;
		if (this.planned === this.key) return;
		this.planned = this.key;
		this.rested = { x: this.x, y: this.y };
		const command = this.command();
		const order: Order | null = command?.reorder?.(store.order.peek(), this.ids) ?? null;
		if (order === store.preview.peek()) return;
		store.preview.value = order;
		// By then the new plan is rendered and cards have moved.
		requestAnimationFrame(() => setTimeout(() => this.again()));
	}

	private again(): void {
		if (!this.board.sync?.held.peek()) return;
		const at = this.command() && document.querySelector("[data-dragged]")?.getBoundingClientRect();
		if (at && this.rested)
			this.line.style.transform = `translate(${at.left}px, ${at.top - 1}px) scaleX(${at.width / 100})`;
	}

	private command() {
		const { goal } = this;
		return goal && "place" in goal ? move(this.board.store, this.ids, goal.place, goal.section) : null;
	}

	scroller(x: number, y: number): Element | null {
		return this.areas.find((a) => x >= a.left && x < a.right && y >= a.top && y < a.bottom)?.scroller ?? null;
	}

	drop(): void {
		const { goal } = this;
		this.end();
		if (goal && "place" in goal) moveAll(this.board, this.ids, goal.place, goal.section);
		else if (goal && "refusal" in goal) warn(t(goal.refusal));
	}

	cancel(): void {
		this.end();
		announce(t("drag.cancelled"));
	}

	private end(): void {
		clearTimeout(this.timer);
		for (const card of document.querySelectorAll("[data-dragged]")) card.removeAttribute("data-dragged");
		for (const node of [this.ghost, this.line, this.cover]) node.remove();
		this.board.store.preview.value = null;
		if (this.board.sync) {
			this.board.sync.held.value = false;
			void this.board.sync.now();
		}
	}
}

const NOT_HERE = ".form, input, select, textarea, .side button, .label, .menu-list";

/** Drags a panel by its heading; its whole column moves with it. */
function dragPanel(board: Board, head: Element): Drag | null {
	const column = head.closest<HTMLElement>(".column");
	const list = column?.parentElement;
	if (!column || !list) return null;
	const things = [...list.querySelectorAll<HTMLElement>(":scope > .column")];
	const own = things.indexOf(column);
	const name = head.querySelector("h2")?.textContent ?? "";
	const drop = (to: number) => {
		shiftColumn(board.layout, own, to);
		announce(t("did.moved", { name }));
	};
	return new LineDrag({ things, own, across: true, name, list, drop, cancelled: () => announce(t("drag.cancelled")) });
}

/** `root`: if several boards are next to each other, where this one is. */
export function startDrags(board: Board, root: EventTarget = document): () => void {
	return watchDrags(root, (target) => {
		const head = target.closest(".panel-head");
		if (head && !target.closest("button")) return dragPanel(board, head);
		const card = target.closest<HTMLElement>(".card");
		if (!card || target.closest(NOT_HERE) || !board.canWrite.peek()) return null;
		const id = Number(card.dataset.story);
		if (!board.store.peek(id)) return null;
		getSelection()?.removeAllRanges();
		return new BoardDrag(board, movedWith(board, id), card.closest(".board, .one") ?? document.body);
	});
}
