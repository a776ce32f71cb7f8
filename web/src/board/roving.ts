/**
 * One Tab stop per panel: the title of the most recently used card, followed by its buttons. All other cards are
 * reached with the arrow keys, j and k.
 */
import { effect } from "@preact/signals-core";
import { listen, stopAll } from "../model/listen";
import type { Board } from "./model";

/** What is expanded in a card has Tab stops of its own. */
const INSIDE = ":is(button, input, a, .title):not(.form *)";

function set(card: Element, index: 0 | -1): void {
	for (const node of card.querySelectorAll<HTMLElement>(INSIDE)) node.tabIndex = index;
}

/** Gives every panel a card to stop at; the buttons of that card may be new. */
function refresh(): void {
	for (const panel of document.querySelectorAll("[data-panel]")) {
		const stop = panel.querySelector(".card[data-stop]") ?? panel.querySelector(".card");
		if (!stop) continue;
		stop.setAttribute("data-stop", "");
		set(stop, 0);
	}
}

/** The most recently used card: needed because the browser drops the focus of elements that move or disappear. */
let last: { story: string; panel: string } | null = null;

/** Restores the focus unless something else took it. */
export function keepFocus(): void {
	if (!last || document.activeElement !== document.body) return;
	const card =
		document.querySelector(`[data-panel="${last.panel}"] [data-story="${last.story}"]`) ??
		document.querySelector(`[data-story="${last.story}"]`);
	card?.querySelector<HTMLElement>(".title")?.focus({ preventScroll: true });
}

/** A new story got its number from the server. */
export function renumbered(from: number, to: number): void {
	if (last?.story === String(from)) last.story = String(to);
}

/** A click elsewhere gives the focus up on purpose. */
function pressed(event: Event): void {
	if (!(event.target as Element).closest(".card, .menu-list, .dialog, .toast")) last = null;
}

function focused(event: FocusEvent): void {
	const card = (event.target as Element).closest<HTMLElement>(".card");
	const panel = card?.closest<HTMLElement>("[data-panel]")?.dataset.panel;
	if (card && panel) last = { story: card.dataset.story!, panel };
	else if ((event.target as Element).closest("input, textarea, [data-panel], .top, .sidebar")) last = null;
	if (!card || card.hasAttribute("data-stop")) return;
	for (const other of card.closest("[data-panel]")?.querySelectorAll(".card[data-stop]") ?? []) {
		other.removeAttribute("data-stop");
		set(other, -1);
	}
	card.setAttribute("data-stop", "");
	set(card, 0);
}

export function startRoving(board: Board): () => void {
	let timer = 0;
	return stopAll(
		() => clearTimeout(timer),
		listen(document, "focusin", focused),
		listen(document, "pointerdown", pressed),
		effect(() => {
			board.store.tick.value;
			board.layout.value;
			clearTimeout(timer);
			timer = window.setTimeout(refresh, 200);
			requestAnimationFrame(() => setTimeout(keepFocus));
		}),
	);
}
