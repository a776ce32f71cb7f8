/**
 * A button that opens a list of actions. Arrow keys move in the list; Escape and a click elsewhere close it. It is
 * drawn on top of everything else, next to its button.
 */
import type { ComponentChildren } from "preact";
import { signal } from "@preact/signals";
import { listen, stopAll } from "../model/listen";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

export interface MenuItem {
	label: string;
	act?: () => void;
	href?: string;
	disabled?: boolean;
	checked?: boolean;
}

interface MenuProps {
	/** The button's accessible name; it shows `children`, or the name if there are none. */
	label: string;
	items: readonly MenuItem[] | (() => readonly MenuItem[]);
	children?: ComponentChildren;
	class?: string;
	describedBy?: string;
	tabIndex?: number;
	align?: "left" | "right";
}

/** The list that is open. It is rendered in the header of the page, since a panel would clip it at its edge. */
export const shownMenu = signal<ComponentChildren>(null);

let opened = 0;

export function Menu(props: MenuProps) {
	const { label, items, children, class: style = "", align = "left" } = props;
	/** The number of its list while that is open; otherwise 0. */
	const [open, setOpen] = useState(0);
	const button = useRef<HTMLButtonElement>(null);
	const close = useCallback((back: boolean) => {
		setOpen(0);
		shownMenu.value = null;
		if (back) button.current?.focus();
	}, []);
	const shown = open === 0 ? [] : typeof items === "function" ? items() : items;
	// The list changes with its items: what one may do can become known while it is open.
	// biome-ignore lint/correctness/useExhaustiveDependencies: `shown` is new in each rendering
	useLayoutEffect(() => {
		if (open > 0)
			shownMenu.value = (
				<MenuList key={open} label={label} items={shown} anchor={button.current!} align={align} close={close} />
			);
	}, [open, JSON.stringify(shown)]);
	const press = () => (open > 0 ? close(true) : setOpen(++opened));
	const stop = (event: Event) => event.stopPropagation();
	return (
		<span class="menu" onPointerDown={stop}>
			<button
				type="button"
				ref={button}
				class={style}
				aria-label={children ? label : undefined}
				aria-haspopup="menu"
				aria-expanded={open > 0}
				aria-describedby={props.describedBy}
				tabIndex={props.tabIndex}
				title={children ? label : undefined}
				onClick={press}
			>
				{children ?? label}
			</button>
		</span>
	);
}

/** Opens a list of actions without a button, next to `anchor`, which gets the focus back. */
export function showMenu(anchor: HTMLElement, label: string, items: readonly MenuItem[]): void {
	const close = (back: boolean) => {
		shownMenu.value = null;
		if (back) anchor.focus();
	};
	shownMenu.value = <MenuList key={++opened} label={label} items={items} anchor={anchor} align="left" close={close} />;
}

interface ListProps {
	label: string;
	items: readonly MenuItem[];
	anchor: HTMLElement;
	align: "left" | "right";
	close: (back: boolean) => void;
}

export function MenuList({ label, items, anchor, align, close }: ListProps) {
	const list = useRef<HTMLDivElement>(null);
	useLayoutEffect(() => put(list.current!, anchor, align), [anchor, align, items]);
	useLayoutEffect(() => step(list.current!, 1), []);
	useEffect(() => {
		const away = (event: Event) => {
			const at = event.target as Node;
			if (!list.current?.contains(at) && !anchor.contains(at)) close(false);
		};
		const resized = () => close(false);
		return stopAll(listen(window, "pointerdown", away, { capture: true }), listen(window, "resize", resized));
	}, [anchor, close]);
	const pressed = (event: KeyboardEvent) => {
		const { key } = event;
		const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
		const by = moves[key];
		if (by) step(list.current!, by);
		else if (key === "Escape" || key === "Tab") close(true);
		else if (key === "Home" || key === "End") edge(list.current!, key);
		else if (/^\S$/u.test(key) && !event.ctrlKey && !event.altKey && !event.metaKey) seek(list.current!, key);
		else return;
		event.preventDefault();
		event.stopPropagation();
	};
	return (
		<div class="menu-list" role="menu" aria-label={label} ref={list} onKeyDown={pressed}>
			{items.map((item) => (
				<Item key={item.label} item={item} close={close} />
			))}
		</div>
	);
}

function Item({ item, close }: { item: MenuItem; close: (back: boolean) => void }) {
	if (item.href)
		return (
			<a role="menuitem" tabIndex={-1} href={item.href} onClick={() => close(false)}>
				{item.label}
			</a>
		);
	const choose = () => {
		close(true);
		item.act?.();
	};
	const role = item.checked === undefined ? "menuitem" : "menuitemradio";
	return (
		<button
			type="button"
			role={role}
			tabIndex={-1}
			aria-checked={item.checked}
			disabled={item.disabled}
			onClick={choose}
		>
			{item.label}
		</button>
	);
}

const itemsOf = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>("[role^=menuitem]:not([disabled])")];

function step(list: HTMLElement, by: number): void {
	const items = itemsOf(list);
	const at = items.indexOf(document.activeElement as HTMLElement);
	items[(at + by + items.length) % items.length]?.focus();
}

function edge(list: HTMLElement, key: "Home" | "End"): void {
	itemsOf(list)
		.at(key === "Home" ? 0 : -1)
		?.focus();
}

/** Moves to the next action that begins with the letter. */
function seek(list: HTMLElement, letter: string): void {
	const items = itemsOf(list);
	const at = items.indexOf(document.activeElement as HTMLElement) + 1;
	const fits = (item: HTMLElement) => item.textContent!.toLowerCase().startsWith(letter.toLowerCase());
	[...items.slice(at), ...items.slice(0, at)].find(fits)?.focus();
}

/** Below its button if there is room, otherwise above; never outside the window. */
export function put(list: HTMLElement, anchor: HTMLElement, align: "left" | "right"): void {
	const box = anchor.getBoundingClientRect();
	const { offsetWidth: width, offsetHeight: height } = list;
	const left = align === "left" ? box.left : box.right - width;
	const below = box.bottom + height + 8 < innerHeight || box.top < height + 8;
	list.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
	list.style.top = `${Math.max(8, below ? Math.min(box.bottom + 2, innerHeight - height - 8) : box.top - height - 2)}px`;
}
