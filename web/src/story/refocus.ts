/**
 * If a form moves while the user types, because its card moved, it is created anew: the focus goes to the same field,
 * at the same position. The first time, it goes to the form's first field, unless a menu that was opened meanwhile has it.
 */
import type { Editor } from "./editor";

interface Place {
	label: string;
	start: number | null;
	end: number | null;
	at: number;
}

const SOON = 2_000;
const places = new WeakMap<Editor, Place>();

function find(form: HTMLElement, label: string): HTMLInputElement | null {
	return (
		[...form.querySelectorAll<HTMLInputElement>("input, textarea, select, button")].find((n) => name(n) === label) ??
		null
	);
}

const name = (node: Element) => node.getAttribute("aria-label") ?? node.textContent ?? "";

export function refocus(editor: Editor, form: HTMLElement): () => void {
	const was = places.get(editor);
	places.delete(editor);
	if (was && Date.now() - was.at < SOON) {
		const field = find(form, was.label);
		field?.focus();
		if (field && was.start !== null) field.setSelectionRange?.(was.start, was.end ?? was.start);
	} else if (!matchMedia("(pointer: coarse)").matches && !document.activeElement?.closest("[role=menu]"))
		form.querySelector<HTMLElement>(".story-title")?.focus();
	let last: Place | null = null;
	const note = (event: Event) => {
		const node = event.target as HTMLInputElement;
		const isText = node.matches("textarea, input:not([type])");
		last = {
			label: name(node),
			start: isText ? node.selectionStart : null,
			end: isText ? node.selectionEnd : null,
			at: 0,
		};
	};
	const left = (event: FocusEvent) => {
		if (event.relatedTarget) last = null;
	};
	for (const kind of ["focusin", "input", "keyup"]) form.addEventListener(kind, note);
	form.addEventListener("focusout", left);
	return () => {
		if (last && editor.isOpen) places.set(editor, { ...last, at: Date.now() });
	};
}
