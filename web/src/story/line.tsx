/** A line that can be edited: a new one at the end of a list, or an existing one. */
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { t } from "../text/i18n";
import { isKeyOf, POST } from "../app/keys";
import type { Command } from "../model/command";
import type { Kind } from "../model/detail";
import { addKey, editKey } from "../model/drafts";
import type { Option } from "../ui/listbox";
import { TextArea } from "../ui/textarea";
import type { Editor } from "./editor";

interface AddProps {
	editor: Editor;
	kind: Kind;
	label: string;
	maxLength: number;
	/** The change that adds it; null: it cannot be added like that. */
	add: (text: string) => Command | null;
	people?: readonly Option[];
}

/** Enter adds the line and leaves the field ready for the next one. */
export function AddLine({ editor, kind, label, maxLength, add, people }: AddProps) {
	const draft = addKey(kind);
	const text = (editor.drafts.value[draft]?.value as string | undefined) ?? "";
	const setText = (value: string) => (value ? editor.set(draft, value) : editor.drop(draft));
	const send = () => {
		const typed = text.trim();
		const command = typed ? add(typed) : null;
		if (!command) return;
		command.typed = { field: draft, text: typed };
		editor.board.do(command, true);
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
	editor: Editor;
	/** The part that is edited: the input is stored for it. */
	of: { kind: Kind; id: number };
	label: string;
	value: string;
	maxLength: number;
	/** The change that saves the text. */
	save: (text: string) => Command;
	/** Back to reading mode. */
	close: () => void;
	rows?: number;
	people?: readonly Option[];
	/** Enter begins a new line instead of saving. */
	isLong?: boolean;
}

/** Whether there is input for a part that was neither saved nor cancelled. */
export const isEdited = (editor: Editor, { kind, id }: EditProps["of"]) =>
	editor.drafts.value[editKey(kind, id)] !== undefined;

export function EditLine({ editor, of, label, value, maxLength, save, close, people, isLong, rows }: EditProps) {
	const draft = editKey(of.kind, of.id);
	const text = (editor.drafts.value[draft]?.value as string | undefined) ?? value;
	const node = useRef<HTMLDivElement>(null);
	const cancel = () => {
		editor.drop(draft);
		close();
		// The focus goes to the menu of the line, which is created anew.
		const line = node.current!.closest("li")!;
		const list = line.parentElement!;
		const at = [...list.children].indexOf(line);
		requestAnimationFrame(() => list.children[at]?.querySelector<HTMLElement>(".menu button")?.focus());
	};
	const send = () => {
		const typed = text.trim();
		if (!typed) return;
		const command = save(typed);
		command.typed = { field: draft, text: typed };
		editor.board.do(command, true);
		cancel();
	};
	const pressed = (event: KeyboardEvent) => {
		const enters = event.key === "Enter" && !event.shiftKey && !event.isComposing;
		if (event.key === "Escape") cancel();
		else if (isLong ? isKeyOf(POST, event) : enters) send();
		else return;
		event.preventDefault();
		event.stopPropagation();
	};
	return (
		<div class="edit-line" ref={node}>
			<TextArea
				label={label}
				value={text}
				change={(typed) => (typed === value ? editor.drop(draft) : editor.set(draft, typed))}
				maxLength={maxLength}
				keyDown={pressed}
				people={people ?? []}
				rows={rows ?? 1}
				autofocus={!isEdited(editor, of)}
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

interface WrittenProps extends Omit<EditProps, "close"> {
	/** The line in reading mode; `write` opens its field. */
	children: (write: () => void) => ComponentChildren;
}

/** A line of a list that can be edited in place. */
export function WrittenLine({ children, ...field }: WrittenProps) {
	const [writes, write] = useState(false);
	if (!writes && !isEdited(field.editor, field.of)) return <>{children(() => write(true))}</>;
	return (
		<li>
			<EditLine {...field} close={() => write(false)} />
		</li>
	);
}
