/**
 * Recognizes a drag by mouse, pen or finger and follows it: after 4 pixels of movement, or after a finger has rested
 * for 350 ms. The caller decides what is dragged, where it may go and what it looks like; it is asked once per frame.
 */

export interface Drag {
	/**
	 * Called once per frame with the position of the pointer, which may be the same while the page below it changes, and
	 * whether something was scrolled.
	 */
	move: (x: number, y: number, isScrolled?: boolean) => void;
	/** Released at that position. */
	drop: () => void;
	/** Escape, a lost pointer, or anything else that ends the drag without a drop. */
	cancel: () => void;
	/** What scrolls at the pointer; called once per frame. */
	scroller: (x: number, y: number) => Element | null;
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

/** Returns a function that stops listening. */
function listen(all: readonly Listener[]): () => void {
	for (const [target, name, act, options] of all) target.addEventListener(name, act as EventListener, options);
	return () => {
		for (const [target, name, act, options] of all) target.removeEventListener(name, act as EventListener, options);
	};
}

type Begin = (target: Element, x: number, y: number) => Drag | null;

/** A pressed pointer, and what became of it: nothing yet, or a drag. */
function watchPress(begin: Begin) {
	let press: Press | null = null;
	let rest: ReturnType<typeof setTimeout> | undefined;
	let active: ReturnType<typeof follow> | null = null;

	// While a finger drags, the page must not scroll or open a menu.
	const still = (event: Event) => {
		if (active) event.preventDefault();
	};
	// A busy page may notice later than the browser that a finger is resting.
	const open = (event: Event) => {
		if (active || press?.isTouch) event.preventDefault();
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
		// The target may leave the page during the drag; a finger's events still go to it, and nowhere else.
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
				forget(); // the page scrolls
			else start(x, y);
		}
	};
	const end = (dropped: boolean) => {
		forget();
		active?.end(dropped);
	};
	return { still, open, down, move, end, isDown: () => press !== null, isActive: () => active !== null };
}

/** `begin` returns null when nothing can be dragged there. Returns a function that stops listening. */
export function watchDrags(root: EventTarget, begin: Begin): () => void {
	const { still, open, down, move, end, isDown, isActive } = watchPress(begin);
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
		[root, "contextmenu", open],
		[root, "selectstart", open],
		[root, "dragstart", (event: Event) => isDown() && event.preventDefault()],
	]);
	return () => {
		lost();
		stop();
	};
}

/** Follows the current drag: one step per frame. */
function follow(drag: Drag, x: number, y: number, over: () => void) {
	let frame = 0;
	const step = () => {
		const scroller = drag.scroller(x, y);
		drag.move(x, y, scroller !== null && scroll(scroller, x, y));
		frame = requestAnimationFrame(step);
	};
	frame = requestAnimationFrame(step);
	return {
		at(nx: number, ny: number) {
			x = nx;
			y = ny;
		},
		end(dropped: boolean) {
			cancelAnimationFrame(frame);
			if (dropped) {
				drag.move(x, y);
				drag.drop();
			} else drag.cancel();
			// The drop must not click the button under the pointer.
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

/** True if something moved. */
function scroll(scroller: Element, x: number, y: number): boolean {
	const box = scroller.getBoundingClientRect();
	if (x < box.left || x > box.right) return false;
	const [right, down] = [push(x, box.left, box.right), push(y, box.top, box.bottom)];
	if (right === 0 && down === 0) return false;
	const { scrollLeft, scrollTop } = scroller;
	scroller.scrollBy({ left: right, top: down, behavior: "instant" });
	return scroller.scrollTop !== scrollTop || scroller.scrollLeft !== scrollLeft;
}
