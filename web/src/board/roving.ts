/**
 * One stop of the Tab key a panel: the title of the card that was used last, and its buttons behind
 * it. All other cards are reached with the arrow keys, j and k.
 */
import { effect } from "@preact/signals-core";
import type { Board } from "./model";

const INSIDE = "button, input, a";

function set(card: Element, index: 0 | -1): void {
	for (const node of card.querySelectorAll<HTMLElement>(INSIDE)) node.tabIndex = index;
}

/** Every panel has a card to stop at; the buttons of that card may be new ones. */
function refresh(): void {
	for (const panel of document.querySelectorAll("[data-panel]")) {
		const stop = panel.querySelector(".card[data-stop]") ?? panel.querySelector(".card");
		if (!stop) continue;
		stop.setAttribute("data-stop", "");
		set(stop, 0);
	}
}

function focused(event: FocusEvent): void {
	const card = (event.target as Element).closest(".card");
	if (!card || card.hasAttribute("data-stop")) return;
	for (const other of card.closest("[data-panel]")?.querySelectorAll(".card[data-stop]") ?? []) {
		other.removeAttribute("data-stop");
		set(other, -1);
	}
	card.setAttribute("data-stop", "");
	set(card, 0);
}

export function startRoving(board: Board): () => void {
	document.addEventListener("focusin", focused);
	let timer = 0;
	const stop = effect(() => {
		board.store.tick.value;
		board.layout.value;
		clearTimeout(timer);
		timer = window.setTimeout(refresh, 200);
	});
	return () => {
		clearTimeout(timer);
		stop();
		document.removeEventListener("focusin", focused);
	};
}
