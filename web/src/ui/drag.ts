/**
 * Recognizes a drag by mouse, pen or finger and follows it: after 4 pixels of movement, or 350 ms of a resting
 * finger. The caller decides what is dragged, where it may go and what it looks like; a move costs no layout here,
 * and is reported at most once per frame.
 */

export interface Drag {
	/** Once a frame, with the place of the pointer. */
	move: (x: number, y: number) => void;
	/** Let go there. */
	drop: () => void;
	/** Escape, a lost pointer, or whatever else ends it without a drop. */
	cancel: () => void;
	/** What scrolls under the pointer; asked once a frame near an edge. */
	scroller: (x: number, y: number) => Element | null;
	/** After it scrolled. */
	scrolled: () => void;
}

const WAY = 4;
const REST = 350;
const EDGE = 48;
const FASTEST = 18;

interface Press {
	x: number;
	y: number;
	isTouch: boolean;
	target: Element;
}

type Listener = readonly [EventTarget, string, (event: never) => void, AddEventListenerOptions?];

/** Returns what stops it. */
function listen(all: readonly Listener[]): () => void {
	for (const [target, name, act, options] of all) target.addEventListener(name, act as EventListener, options);
	return () => {
		for (const [target, name, act, options] of all) target.removeEventListener(name, act as EventListener, options);
	};
}

type Begin = (target: Element, x: number, y: number) => Drag | null;

/** A pointer that is down, and what became of it: nothing yet, or a drag. */
function watchPress(begin: Begin) {
	let press: Press | null = null;
	let rest: ReturnType<typeof setTimeout> | undefined;
	let active: ReturnType<typeof follow> | null = null;

	// While a finger drags, the page must not scroll or open a menu.
	const still = (event: Event) => {
		if (active) event.preventDefault();
	};
	const forget = () => {
		clearTimeout(rest);
		press = null;
	};
	const start = (x: number, y: number) => {
		const { target } = press!;
		forget();
		const drag = begin(target, x, y);
		if (!drag) return;
		// It may leave the page while it is dragged; a finger's events still go to it, and to nobody else.
		const stop = listen([[target, "touchmove", still, { passive: false }]]);
		active = follow(drag, x, y, () => {
			active = null;
			stop();
		});
	};
	const down = (event: PointerEvent) => {
		if (active || event.button !== 0 || !event.isPrimary) return;
		const { clientX: x, clientY: y } = event;
		press = { x, y, isTouch: event.pointerType === "touch", target: event.target as Element };
		if (press.isTouch) rest = setTimeout(() => press && start(x, y), REST);
	};
	const move = ({ clientX: x, clientY: y }: PointerEvent) => {
		if (active) active.at(x, y);
		else if (press && Math.hypot(x - press.x, y - press.y) >= WAY) {
			if (press.isTouch)
				forget(); // it scrolls
			else start(x, y);
		}
	};
	const end = (dropped: boolean) => {
		forget();
		active?.end(dropped);
	};
	return { still, down, move, end, isDown: () => press !== null, isActive: () => active !== null };
}

/** begin: null when nothing can be dragged there. Returns what stops listening. */
export function watchDrags(root: EventTarget, begin: Begin): () => void {
	const { still, down, move, end, isDown, isActive } = watchPress(begin);
	const lost = () => end(false);
	const key = (event: KeyboardEvent) => {
		if (!isActive() || event.key !== "Escape") return;
		event.preventDefault();
		event.stopPropagation();
		lost();
	};
	const stop = listen([
		[root, "pointerdown", down],
		[window, "pointermove", move],
		[window, "pointerup", () => end(true)],
		[window, "pointercancel", lost],
		[window, "blur", lost],
		[window, "keydown", key, { capture: true }],
		[root, "touchmove", still, { passive: false }],
		[root, "contextmenu", still],
		[root, "selectstart", still],
		[root, "dragstart", (event: Event) => isDown() && event.preventDefault()],
	]);
	return () => {
		lost();
		stop();
	};
}

/** The current drag: one step per frame. */
function follow(drag: Drag, x: number, y: number, over: () => void) {
	let frame = 0;
	let moved = true;
	const step = () => {
		const scroller = drag.scroller(x, y);
		if (scroller && scroll(scroller, x, y)) {
			drag.scrolled();
			moved = true;
		}
		if (moved) drag.move(x, y);
		moved = false;
		frame = requestAnimationFrame(step);
	};
	frame = requestAnimationFrame(step);
	return {
		at(nx: number, ny: number) {
			x = nx;
			y = ny;
			moved = true;
		},
		end(dropped: boolean) {
			cancelAnimationFrame(frame);
			if (dropped) {
				drag.move(x, y);
				drag.drop();
			} else drag.cancel();
			// The button under the pointer is not clicked by it.
			const swallow = (event: Event) => {
				event.stopPropagation();
				event.preventDefault();
			};
			addEventListener("click", swallow, { capture: true, once: true });
			setTimeout(() => removeEventListener("click", swallow, { capture: true }));
			over();
		},
	};
}

/** How far to scroll for a pointer near one of two edges: the nearer, the faster. */
function push(at: number, from: number, to: number): number {
	const back = Math.min(EDGE, Math.max(0, EDGE - (at - from)));
	const on = Math.min(EDGE, Math.max(0, EDGE - (to - at)));
	return Math.round((on - back) * (FASTEST / EDGE));
}

/** True when something moved. */
function scroll(scroller: Element, x: number, y: number): boolean {
	const box = scroller.getBoundingClientRect();
	if (x < box.left || x > box.right) return false;
	const [right, down] = [push(x, box.left, box.right), push(y, box.top, box.bottom)];
	if (right === 0 && down === 0) return false;
	const { scrollLeft, scrollTop } = scroller;
	scroller.scrollBy({ left: right, top: down, behavior: "instant" });
	return scroller.scrollTop !== scrollTop || scroller.scrollLeft !== scrollLeft;
}
