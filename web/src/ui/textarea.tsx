/** A multi-line field that grows; "@" completes the names of people, and pasted files are accepted. */
import type { RefObject } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { mentioned } from "../model/mentions";
import { Listbox, walked, type Option } from "./listbox";

interface TextAreaProps {
	label: string;
	value: string;
	change: (value: string) => void;
	rows?: number;
	/** Shown in it while it is empty. */
	ghost?: string;
	maxLength?: number;
	/** The keys are what is typed after the "@". */
	people?: readonly Option[];
	files?: (files: File[]) => void;
	keyDown?: (event: KeyboardEvent) => void;
	autofocus?: boolean;
	disabled?: boolean;
	class?: string;
}

const MOST = 8;
const NOBODY: readonly Option[] = [];

/** The people who match what is typed after an "@". */
function useMentions(
	{ people = NOBODY, change, keyDown }: TextAreaProps,
	field: RefObject<HTMLTextAreaElement | null>,
) {
	const [wanted, setWanted] = useState<string | null>(null);
	const [active, setActive] = useState(0);
	const leave = () => setWanted(null);
	const found =
		wanted === null
			? []
			: people.filter((p) => `${p.key} ${p.hint ?? ""}`.toLowerCase().includes(wanted.toLowerCase())).slice(0, MOST);
	const choose = (person: Option) => {
		const node = field.current!;
		const start = node.selectionStart - wanted!.length;
		node.setRangeText(`${person.key} `, start, node.selectionStart, "end");
		leave();
		change(node.value);
	};
	const typed = () => {
		const node = field.current!;
		change(node.value);
		setActive(0);
		setWanted(people.length > 0 ? mentioned(node.value, node.selectionStart) : null);
	};
	const pressed = (event: KeyboardEvent) => {
		const next = walked(event.key, active, found.length);
		if (next !== null) setActive(next);
		else if ((event.key === "Enter" || event.key === "Tab") && found[active]) choose(found[active]);
		else if (event.key === "Escape" && found.length > 0) leave();
		else return keyDown?.(event);
		event.preventDefault();
		event.stopPropagation();
	};
	return { found, active, choose, typed, pressed, leave };
}

export function TextArea(props: TextAreaProps) {
	const { value, people = NOBODY, files, rows = 1 } = props;
	const field = useRef<HTMLTextAreaElement>(null);
	const id = useId();
	// The `autofocus` attribute has no effect once the page has had a focus.
	// biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is rendered
	useLayoutEffect(() => void (props.autofocus && field.current!.focus()), []);
	const { found, active, choose, typed, pressed, leave } = useMentions(props, field);
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
				onInput={typed}
				onKeyDown={pressed}
				onBlur={leave}
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
