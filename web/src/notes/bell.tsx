/** Notifications: how many are unread, and their list, which is loaded when it is opened. */
import { effect, signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { get } from "../api/http";
import type * as api from "../api/types.gen";
import { goLive, isLive, unreadTold } from "../model/hints";
import { listen, stopAll } from "../model/listen";
import { t } from "../text/i18n";
import { NoteList } from "../app/lazy_parts";
import { Icon } from "../ui/icon";

const POLL = 30_000;
/** Between requests while there is a stream. */
const SELDOM = 120_000;
const MOST = 100;

/** Null: not known yet. */
export const unread = signal<number | null>(null);

/** The newest notifications, of every kind and age. */
export const WHICH = { limit: MOST, notification_types: ":all", created_after: "2005-01-01T00:00:00Z" };

let counted = 0; // when they were last counted

export async function countUnread(): Promise<void> {
	counted = Date.now();
	const { data } = await get<api.Notification[]>("/my/notifications", { ...WHICH, fields: "read_at" });
	unread.value = data.filter((n) => !n.read_at).length;
}

let isSoon = false;

/** Something happened that may have caused notifications: counts them in a moment, once for several events. */
export function hearNews(): void {
	if (isSoon || isLive.peek()) return;
	isSoon = true;
	setTimeout(() => {
		isSoon = false;
		void countUnread().catch(() => {});
	}, 2_000);
}

function useCount(): void {
	useEffect(() => {
		const look = () => {
			if (document.visibilityState === "visible") void countUnread().catch(() => {});
		};
		// After the page's own content has loaded.
		const first = setTimeout(() => {
			look();
			goLive();
		}, 800);
		const timer = setInterval(() => (isLive.peek() && Date.now() - counted < SELDOM) || look(), POLL);
		const told = effect(() => {
			if (unreadTold.value !== null && unread.peek() !== null && unreadTold.value !== unread.peek()) look();
		});
		return stopAll(
			() => clearTimeout(first),
			() => clearInterval(timer),
			told,
			listen(document, "visibilitychange", look),
		);
	}, []);
}

/** A click elsewhere closes the list; Escape closes it and gives the focus back. */
function useLeaving(
	around: RefObject<HTMLElement | null>,
	open: boolean,
	setOpen: (open: boolean) => void,
	close: () => void,
): void {
	useEffect(() => {
		if (!open) return;
		const away = (event: Event) => {
			if (!around.current?.contains(event.target as Node)) setOpen(false);
		};
		const pressed = (event: KeyboardEvent) => {
			if (event.key === "Escape") close();
		};
		return stopAll(listen(window, "pointerdown", away, { capture: true }), listen(window, "keydown", pressed));
	}, [around, open, setOpen, close]);
}

export function Bell() {
	useCount();
	const [open, setOpen] = useState(false);
	const around = useRef<HTMLSpanElement>(null);
	const button = useRef<HTMLButtonElement>(null);
	const close = useCallback(() => {
		setOpen(false);
		button.current?.focus();
	}, []);
	useLeaving(around, open, setOpen, close);
	const n = unread.value;
	return (
		<span class="bell" ref={around}>
			<button
				type="button"
				ref={button}
				class="quiet icon-only"
				aria-label={t("notes")}
				title={t("notes")}
				aria-describedby="unread"
				aria-expanded={open}
				onClick={() => setOpen(!open)}
			>
				<Icon name="bell" />
			</button>
			{n !== null && n > 0 && (
				<span class="count" aria-hidden="true">
					{n >= MOST ? `${MOST - 1}+` : n}
				</span>
			)}
			<span class="hidden" id="unread">
				{n !== null && t("notes.unread", { n })}
			</span>
			{open && <NoteList close={close} />}
		</span>
	);
}
