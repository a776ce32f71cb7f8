/** A field of several lines that grows; "@" completes the names of people, pasted files are taken. */
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { mentioned } from "../model/mentions";
import { Listbox, walked, type Option } from "./listbox";

interface TextAreaProps {
	label: string;
	value: string;
	change: (value: string) => void;
	rows?: number;
	/** Said in it while it is empty. */
	ghost?: string;
	maxLength?: number;
	/** Keys are what stands behind the "@". */
	people?: readonly Option[];
	files?: (files: File[]) => void;
	keyDown?: (event: KeyboardEvent) => void;
	autofocus?: boolean;
	disabled?: boolean;
	class?: string;
}

const MOST = 8;

export function TextArea(props: TextAreaProps) {
	const { value, people = [], files, rows = 1 } = props;
	const field = useRef<HTMLTextAreaElement>(null);
	const id = useId();
	// The attribute does nothing once the page has a focus.
	useLayoutEffect(() => void (props.autofocus && field.current!.focus()), []);
	const [wanted, setWanted] = useState<string | null>(null);
	const [active, setActive] = useState(0);
	const found =
		wanted === null
			? []
			: people.filter((p) => `${p.key} ${p.hint ?? ""}`.toLowerCase().includes(wanted.toLowerCase())).slice(0, MOST);
	const choose = (person: Option) => {
		const node = field.current!;
		const start = node.selectionStart - wanted!.length;
		node.setRangeText(`${person.key} `, start, node.selectionStart, "end");
		setWanted(null);
		props.change(node.value);
	};
	const pressed = (event: KeyboardEvent) => {
		const next = walked(event.key, active, found.length);
		if (next !== null) setActive(next);
		else if ((event.key === "Enter" || event.key === "Tab") && found[active]) choose(found[active]);
		else if (event.key === "Escape" && found.length > 0) setWanted(null);
		else return props.keyDown?.(event);
		event.preventDefault();
		event.stopPropagation();
	};
	return (
		<>
			<textarea
				ref={field}
				class={`grows ${props.class ?? ""}`}
				aria-label={props.label}
				aria-autocomplete={people.length > 0 ? "list" : undefined}
				aria-controls={found.length > 0 ? id : undefined}
				aria-activedescendant={found[active] ? `${id}-${active}` : undefined}
				rows={rows}
				style={{ minHeight: `${rows * 1.4 + 0.7}em` }}
				placeholder={props.ghost}
				maxLength={props.maxLength}
				disabled={props.disabled}
				value={value}
				onInput={({ currentTarget: node }) => {
					props.change(node.value);
					setActive(0);
					setWanted(people.length > 0 ? mentioned(node.value, node.selectionStart) : null);
				}}
				onKeyDown={pressed}
				onBlur={() => setWanted(null)}
				onPaste={(event) => {
					const list = [...(event.clipboardData?.files ?? [])];
					if (!files || list.length === 0) return;
					event.preventDefault();
					files(list);
				}}
			/>
			{found.length > 0 && (
				<Listbox id={id} label={props.label} options={found} active={active} anchor={field} choose={choose} />
			)}
		</>
	);
}
