/**
 * Other people's changes must not move what the user is about to click. Updates that move a card wait while the
 * pointer or the keyboard is busy with a card; then that card stays where it is on the screen: its list scrolls by
 * the difference, and gets extra space at an end if it cannot.
 */

/** How long nothing must have been moved or pressed. */
export const REST = 500;

const CARD = ":is([data-story], [data-epic])";

/** The one with the focus, and the one under the pointer: the last one wins. */
export const cardsInHand = (): HTMLElement[] =>
	["focus-within", "hover"].flatMap((how) => document.querySelector<HTMLElement>(`${CARD}:${how}`) ?? []);

const roomy = new Set<HTMLElement>();

/** Removes space that is no longer needed. */
function tidy(): void {
	for (const node of roomy) {
		if (node.matches(":hover, :focus-within")) continue;
		node.style.padding = "";
		roomy.delete(node);
	}
}

document.addEventListener("pointerover", tidy);
document.addEventListener("focusin", tidy);

function pad(node: HTMLElement, side: "paddingTop" | "paddingBottom", by: number): void {
	node.style[side] = `${Math.max(0, (parseFloat(node.style[side]) || 0) + by)}px`;
	roomy.add(node);
}

/** Scrolls a list up or down by this many pixels. */
function scrollBy(card: HTMLElement, by: number): void {
	const body = card.closest<HTMLElement>(".panel-body");
	const list = card.closest<HTMLElement>(".is-joined") ?? body;
	if (!list || !body) return;
	const wanted = list.scrollTop + by;
	list.scrollTop = wanted;
	const left = wanted - list.scrollTop;
	if (left < -1) pad(body, "paddingTop", -left);
	else if (left > 1) {
		const end = body.lastElementChild?.getBoundingClientRect().bottom ?? 0;
		pad(body, "paddingBottom", left + Math.max(0, list.getBoundingClientRect().bottom - end));
		list.scrollTop = wanted;
	}
}

/** Call before a change: afterwards, the cards in use are where they were. */
export function keepPlaces(): void {
	const places = cardsInHand().map((card) => ({
		panel: card.closest<HTMLElement>("[data-panel]")?.dataset.panel,
		card: card.dataset.story ? `[data-story="${card.dataset.story}"]` : `[data-epic="${card.dataset.epic}"]`,
		top: card.getBoundingClientRect().top,
	}));
	const keep = () => {
		for (const { panel, card, top } of places) {
			const now = document.querySelector<HTMLElement>(`[data-panel="${panel}"] ${card}`);
			if (now) scrollBy(now, Math.round(now.getBoundingClientRect().top - top));
		}
	};
	if (places.length === 0) return;
	requestAnimationFrame(() => {
		keep();
		requestAnimationFrame(keep);
	});
}
