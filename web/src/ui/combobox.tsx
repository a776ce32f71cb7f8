/** A field for several items of a list: selected ones are shown as chips; typing finds more, or creates them. */
import { useId, useRef, useState } from "preact/hooks";
import { t } from "../text/i18n";
import { Listbox, walked, type Option } from "./listbox";

interface ComboboxProps {
	label: string;
	chosen: readonly string[];
	options: readonly Option[];
	change: (keys: string[]) => void;
	/** If new items can be created: the key for the typed text. */
	create?: (text: string) => string;
	disabled?: boolean;
}

const MOST = 12;

function matching(props: ComboboxProps, text: string): Option[] {
	const wanted = text.trim().toLowerCase();
	const found = props.options
		.filter((o) => !props.chosen.includes(o.key))
		.filter((o) => `${o.text} ${o.hint ?? ""}`.toLowerCase().includes(wanted))
		.slice(0, MOST);
	if (!props.create || !wanted) return found;
	const key = props.create(text.trim());
	const known = props.chosen.includes(key) || props.options.some((o) => o.key === key);
	return known ? found : [...found, { key, text: t("combo.new", { name: key }) }];
}

function Chips({ chosen, options, change, disabled }: ComboboxProps) {
	return (
		<>
			{chosen.map((key) => {
				const text = options.find((o) => o.key === key)?.text ?? key;
				return (
					<span key={key} class="chip">
						{text}
						{!disabled && (
							<button
								type="button"
								class="quiet"
								aria-label={t("combo.remove", { name: text })}
								onClick={() => change(chosen.filter((k) => k !== key))}
							>
								×
							</button>
						)}
					</span>
				);
			})}
		</>
	);
}

export function Combobox(props: ComboboxProps) {
	const { label, chosen, change, disabled } = props;
	const [text, setText] = useState("");
	const [open, setOpen] = useState(false);
	const [active, setActive] = useState(0);
	const box = useRef<HTMLDivElement>(null);
	const id = useId();
	const found = open ? matching(props, text) : [];
	const choose = (option: Option) => {
		change([...chosen, option.key]);
		setText("");
		setActive(0);
	};
	const pressed = (event: KeyboardEvent) => {
		const next = walked(event.key, active, found.length);
		if (next !== null) setActive(next);
		else if (event.key === "ArrowDown") setOpen(true);
		else if (event.key === "Enter" && found[active]) choose(found[active]);
		else if (event.key === "Escape" && open) setOpen(false);
		else if (event.key === "Backspace" && text === "" && chosen.length > 0) change(chosen.slice(0, -1));
		else return;
		event.preventDefault();
		event.stopPropagation();
	};
	return (
		<div class="combo" ref={box}>
			<Chips {...props} />
			{!disabled && (
				<input
					role="combobox"
					aria-label={label}
					aria-autocomplete="list"
					aria-expanded={found.length > 0}
					aria-controls={found.length > 0 ? id : undefined}
					aria-activedescendant={found[active] ? `${id}-${active}` : undefined}
					autocomplete="off"
					value={text}
					onInput={(event) => {
						setText(event.currentTarget.value);
						setActive(0);
						setOpen(true);
					}}
					onClick={() => setOpen(true)}
					onBlur={() => setOpen(false)}
					onKeyDown={pressed}
				/>
			)}
			{found.length > 0 && (
				<Listbox id={id} label={label} options={found} active={active} anchor={box} choose={choose} />
			)}
		</div>
	);
}
