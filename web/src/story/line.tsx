/** A line that can be edited: a new one at the end of a list, or an existing one. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { t } from "../text/i18n";
import { isKeyOf, POST } from "../app/keys";
import type { Option } from "../ui/listbox";
import { TextArea } from "../ui/textarea";
import type { Editor } from "./editor";

interface AddProps {
	editor: Editor;
	/** The input is stored under this key. */
	draft: string;
	label: string;
	maxLength: number;
	add: (text: string) => void;
	people?: readonly Option[];
}

/** Enter adds the line and leaves the field ready for the next one. */
export function AddLine({ editor, draft, label, maxLength, add, people }: AddProps) {
	const text = (editor.drafts.value[draft]?.value as string | undefined) ?? "";
	const setText = (value: string) => (value ? editor.set(draft, value) : editor.drop(draft));
	const send = () => {
		if (!text.trim()) return;
		add(text.trim());
		setText("");
	};
	const pressed = (event: KeyboardEvent) => {
		if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
		event.preventDefault();
		send();
	};
	return (
		<div class="add-line">
			<TextArea
				label={label}
				ghost={label}
				value={text}
				change={setText}
				maxLength={maxLength}
				keyDown={pressed}
				people={people ?? []}
			/>
			<button type="button" aria-label={`${t("part.add")}: ${label}`} disabled={!text.trim()} onClick={send}>
				{t("part.add")}
			</button>
		</div>
	);
}

interface EditProps {
	label: string;
	value: string;
	maxLength: number;
	save: (text: string) => void;
	cancel: () => void;
	rows?: number;
	people?: readonly Option[];
	/** Enter begins a new line instead of saving. */
	isLong?: boolean;
}

export function EditLine({ label, value, maxLength, save, cancel, people, isLong, rows }: EditProps) {
	const [text, setText] = useState(value);
	const send = () => (text.trim() ? save(text.trim()) : undefined);
	const pressed = (event: KeyboardEvent) => {
		const enters = event.key === "Enter" && !event.shiftKey && !event.isComposing;
		if (event.key === "Escape") cancel();
		else if (isLong ? isKeyOf(POST, event) : enters) send();
		else return;
		event.preventDefault();
		event.stopPropagation();
	};
	return (
		<div class="edit-line">
			<TextArea
				label={label}
				value={text}
				change={setText}
				maxLength={maxLength}
				keyDown={pressed}
				people={people ?? []}
				rows={rows ?? 1}
				autofocus
			/>
			<p class="actions">
				<button type="button" class="primary" aria-label={`${t("save")}: ${label}`} onClick={send}>
					{t("save")}
				</button>
				<button type="button" aria-label={`${t("cancel")}: ${label}`} onClick={cancel}>
					{t("cancel")}
				</button>
			</p>
		</div>
	);
}

interface WrittenProps extends Omit<EditProps, "cancel"> {
	/** The line in reading mode; `write` opens its field. */
	children: (write: () => void) => ComponentChildren;
}

/** A line of a list that can be edited in place. */
export function WrittenLine({ save, children, ...field }: WrittenProps) {
	const [writes, write] = useState(false);
	if (!writes) return <>{children(() => write(true))}</>;
	const shut = () => write(false);
	const saved = (text: string) => {
		save(text);
		shut();
	};
	return (
		<li>
			<EditLine {...field} save={saved} cancel={shut} />
		</li>
	);
}
