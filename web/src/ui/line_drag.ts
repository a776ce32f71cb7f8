/** Drags one of several items in a row or column to another place among them. */
import type { Drag } from "./drag";

/** An element drawn over the page during a drag. */
export function floating(style: string): HTMLElement {
	const node = document.createElement("div");
	node.className = style;
	document.body.append(node);
	return node;
}

interface LineDragOptions {
	things: readonly HTMLElement[];
	/** The index of the dragged item. */
	own: number;
	across?: boolean;
	name: string;
	list: Element;
	/** Called with its new index among all items. */
	drop: (to: number) => void;
	/** Called at the end, whatever the outcome; before `drop`. */
	over?: () => void;
	cancelled: () => void;
}

export class LineDrag implements Drag {
	private readonly ghost = floating("drag-ghost");
	private readonly line = floating("drag-line");
	private readonly cover = floating("drag-cover");
	private to: number;

	constructor(private readonly options: LineDragOptions) {
		const { things, own, name } = options;
		this.to = own;
		this.ghost.textContent = name;
		things[own]!.setAttribute("data-dragged", "");
	}

	/**
	 * Finds the gap at the pointer; the two gaps next to the dragged item leave it in place. Measures each time, since
	 * what is loaded late moves the items.
	 */
	move(x: number, y: number): void {
		const { own, across, things } = this.options;
		const places = things.map((thing) => thing.getBoundingClientRect());
		const gap = places.filter((p) => (across ? x > p.left + p.width / 2 : y > p.top + p.height / 2)).length;
		this.to = gap > own ? gap - 1 : gap;
		this.ghost.style.transform = `translate(${x + 12}px, ${y + 10}px)`;
		this.line.hidden = this.to === own;
		const at = places[gap] ?? places[places.length - 1]!;
		const isEnd = gap === places.length;
		this.line.style.transform = across
			? `translate(${(isEnd ? at.right : at.left) - 2}px, ${at.top}px) rotate(90deg) scaleX(${at.height / 100})`
			: `translate(${at.left}px, ${(isEnd ? at.bottom : at.top) - 2}px) scaleX(${at.width / 100})`;
	}

	scroller(): Element {
		return this.options.list;
	}

	drop(): void {
		this.end();
		if (this.to !== this.options.own) this.options.drop(this.to);
	}

	cancel(): void {
		this.end();
		this.options.cancelled();
	}

	private end(): void {
		const { things, own, over } = this.options;
		things[own]!.removeAttribute("data-dragged");
		for (const node of [this.ghost, this.line, this.cover]) node.remove();
		over?.();
	}
}
