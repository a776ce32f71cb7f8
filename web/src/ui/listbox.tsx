/** The list below a field that completes input. It is on top of everything; the field keeps the focus. */
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { listen } from "../model/listen";
import { put } from "./menu";

export interface Option {
	key: string;
	text: string;
	hint?: string;
}

interface ListboxProps {
	id: string;
	label: string;
	options: readonly Option[];
	active: number;
	anchor: RefObject<HTMLElement | null>;
	choose: (option: Option) => void;
}

export function Listbox({ id, label, options, active, anchor, choose }: ListboxProps) {
	const list = useRef<HTMLUListElement>(null);
	useEffect(() => {
		const node = list.current!;
		const place = () => anchor.current && put(node, anchor.current, "left");
		return listen(window, "scroll", place, { capture: true, passive: true });
	}, [anchor]);
	useLayoutEffect(() => {
		const node = list.current!;
		if (!node.matches(":popover-open")) node.showPopover();
		put(node, anchor.current!, "left");
		node.children[active]?.scrollIntoView({ block: "nearest" });
	});
	return (
		<ul popover="manual" role="listbox" class="listbox" id={id} aria-label={label} ref={list}>
			{options.map((option, i) => (
				<li
					key={option.key}
					id={`${id}-${i}`}
					role="option"
					aria-selected={i === active}
					onPointerDown={(event) => event.preventDefault()}
					onClick={() => choose(option)}
				>
					{option.text}
					{option.hint && <span class="hint"> {option.hint}</span>}
				</li>
			))}
		</ul>
	);
}

/** The next active row for an arrow key; null: not an arrow key. */
export function walked(key: string, active: number, count: number): number | null {
	if (count === 0) return null;
	if (key === "ArrowDown") return (active + 1) % count;
	if (key === "ArrowUp") return (active - 1 + count) % count;
	return null;
}
