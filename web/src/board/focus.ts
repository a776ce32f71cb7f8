/** The card that has the focus, and the way from it to others. */
import { keepFocus } from "./roving";

export function focusedCard(): HTMLElement | null {
	keepFocus();
	return document.activeElement?.closest<HTMLElement>(".card") ?? null;
}

export function focusCard(card: Element | null | undefined): void {
	card?.scrollIntoView({ block: "nearest" });
	card?.querySelector<HTMLElement>(".title")?.focus();
}

/** The stories of the panel that an element is in, as they are shown. */
export function shownIds(element: Element): number[] {
	const panel = element.closest("[data-panel]");
	return [...(panel?.querySelectorAll<HTMLElement>("[data-story]") ?? [])].map((li) => Number(li.dataset.story));
}

const panels = () => [...document.querySelectorAll<HTMLElement>("[data-panel]")];

/** Up or down in the panel. */
export function walk(by: number): void {
	const card = focusedCard();
	const panel = card?.closest("[data-panel]") ?? panels()[0];
	const cards = [...(panel?.querySelectorAll(".card") ?? [])];
	focusCard(card ? cards[cards.indexOf(card) + by] : cards[0]);
}

/** To the next panel that has a card. */
export function cross(by: number): void {
	const all = panels();
	const from = focusedCard()?.closest<HTMLElement>("[data-panel]");
	for (let at = (from ? all.indexOf(from) : -1) + by; at >= 0 && at < all.length; at += by) {
		const panel = all[at]!;
		const card = panel.querySelector(".card[data-stop]") ?? panel.querySelector(".card");
		if (!card) continue;
		panel.scrollIntoView({ inline: "nearest", block: "nearest" });
		focusCard(card);
		return;
	}
}
