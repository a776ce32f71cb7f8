/** A preview next to a card: the story's description and latest comments, without opening it. */
import { render } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { get } from "../api/http";
import type * as api from "../api/types.gen";
import { Markdown } from "../app/lazy_parts";
import type { Board } from "../board/model";
import { listen, stopAll } from "../model/listen";
import { loadTexts, t } from "../text/i18n";
import { storyHref } from "./references";

/** How long the pointer must rest on a card. */
const REST = 700;
const COMMENTS = 2;
const FIELDS = "description,comments(text,person_id,created_at)";
const GAP = 6;

interface Shown {
	board: Board;
	id: number;
	card: HTMLElement;
}

/** Next to the card's column where there is room, otherwise below or above the card; it never covers the card. */
function put(node: HTMLElement, card: HTMLElement): void {
	const box = card.getBoundingClientRect();
	const { offsetWidth: width, offsetHeight: height } = node;
	const right = box.right + GAP + width < innerWidth;
	const left = box.left - GAP - width > 0;
	const beside = right || left;
	const x = right ? box.right + GAP : left ? box.left - GAP - width : box.left;
	const below = box.bottom + GAP + height < innerHeight ? box.bottom + GAP : Math.max(0, box.top - GAP - height);
	node.style.left = `${x}px`;
	node.style.top = `${beside ? Math.max(0, Math.min(box.top, innerHeight - height - GAP)) : below}px`;
}

function Preview({ board, id, card }: Shown) {
	const [story, setStory] = useState<api.Story | null>(null);
	const node = useRef<HTMLDivElement>(null);
	useEffect(() => {
		get<api.Story>(`/projects/${board.id}/stories/${id}`, { fields: FIELDS }).then(
			({ data }) => setStory(data),
			turnOff,
		);
	}, [board, id]);
	useLayoutEffect(() => {
		const place = () => node.current && put(node.current, card);
		const watch = new ResizeObserver(place);
		watch.observe(node.current!);
		return () => watch.disconnect();
	}, [card]);
	const comments = (story?.comments ?? []).filter((c) => c.text).slice(-COMMENTS);
	return (
		<div class="preview" role="status" ref={node}>
			<b>{board.store.peek(id)?.name}</b>
			{story?.description ? (
				<Markdown text={story.description} storyHref={storyHref(board)} />
			) : (
				<p class="hint">{story ? t("story.no_description") : t("loading")}</p>
			)}
			{comments.length > 0 && <p class="hint">{t("preview.comments")}</p>}
			{comments.map((c) => (
				<div key={c.id} class="one-comment">
					<b>{board.store.members.peek().get(c.person_id ?? 0)?.name}</b>
					<Markdown text={c.text ?? ""} storyHref={storyHref(board)} />
				</div>
			))}
		</div>
	);
}

let place: HTMLElement | null = null;
let last = 0;

function turnOff(): void {
	if (!place) return;
	render(null, place);
	place.remove();
	place = null;
	last = 0;
}

function show(shown: Shown): void {
	turnOff();
	last = shown.id;
	place = document.body.appendChild(document.createElement("div"));
	void loadTexts("story").then(() => place && last === shown.id && render(<Preview {...shown} />, place));
	addEventListener("keydown", pressed, { capture: true, once: true });
}

/** Any key but the one that shows the preview closes it; Escape then has no other effect. */
function pressed(event: KeyboardEvent): void {
	if (event.key === "v" || !place) return;
	turnOff();
	if (event.key === "Escape") {
		event.stopPropagation();
		event.preventDefault();
	}
}

export function turn(board: Board, id: number): void {
	const card = document.activeElement?.closest<HTMLElement>(".card");
	if (last === id || !card) turnOff();
	else show({ board, id, card });
}

export function watch(board: Board): () => void {
	let timer: ReturnType<typeof setTimeout> | undefined;
	let over: Element | null = null;
	const leave = () => {
		clearTimeout(timer);
		over = null;
		turnOff();
	};
	const moved = (event: PointerEvent) => {
		const card = (event.target as Element).closest?.<HTMLElement>(".card:not(.is-open)") ?? null;
		if (card === over) return;
		leave();
		const id = Number(card?.dataset.story);
		if (!card || !(id > 0) || event.pointerType !== "mouse" || event.buttons !== 0) return;
		over = card;
		timer = setTimeout(() => card.matches(":hover") && show({ board, id, card }), REST);
	};
	return stopAll(
		leave,
		listen(document, "pointermove", moved, { passive: true }),
		listen(document, "pointerdown wheel scroll", leave, { capture: true, passive: true }),
	);
}
