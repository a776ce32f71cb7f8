/** A modal dialog: the browser's own, which keeps the focus inside and closes on Escape. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { signal } from "@preact/signals";
import { t } from "../text/i18n";
import { Icon } from "./icon";

interface DialogProps {
	title: string;
	close: () => void;
	children: ComponentChildren;
	class?: string;
}

export function Dialog({ title, close, children, class: style = "" }: DialogProps) {
	const dialog = useRef<HTMLDialogElement>(null);
	useLayoutEffect(() => {
		const node = dialog.current!;
		const before = document.activeElement as HTMLElement | null;
		node.showModal();
		return () => {
			node.close();
			if (before?.isConnected) before.focus();
		};
	}, []);
	const cancelled = (event: Event) => {
		event.preventDefault();
		close();
	};
	/** A selection of text may end outside. */
	const begunOutside = useRef(false);
	const pressed = (event: PointerEvent) => {
		begunOutside.current = event.target === dialog.current;
	};
	const clicked = (event: MouseEvent) => {
		if (event.target === dialog.current && begunOutside.current) close();
	};
	return (
		<dialog
			ref={dialog}
			class={`dialog ${style}`}
			aria-label={title}
			onCancel={cancelled}
			onPointerDown={pressed}
			onClick={clicked}
		>
			<div class="dialog-body">
				<header>
					<h2>{title}</h2>
					<button type="button" class="quiet icon-only" aria-label={t("close")} onClick={close}>
						<Icon name="close" />
					</button>
				</header>
				{children}
			</div>
		</dialog>
	);
}

interface ButtonsProps {
	/** The text of the button that submits the form. */
	submit: string;
	danger?: boolean;
	disabled?: boolean;
	cancel?: () => void;
	/** Shown between both buttons. */
	children?: ComponentChildren;
}

/** The end of a dialog's form: submits it, or closes the dialog. */
export function DialogButtons({ submit, danger, disabled, cancel = closeDialog, children }: ButtonsProps) {
	return (
		<p class="actions">
			<button type="submit" class={danger ? "primary is-danger" : "primary"} disabled={disabled}>
				{submit}
			</button>
			{children}
			<button type="button" onClick={cancel}>
				{t("cancel")}
			</button>
		</p>
	);
}

/** The dialog that is open over the page, whichever part opened it. */
export const shownDialog = signal<ComponentChildren>(null);

export function closeDialog(): void {
	shownDialog.value = null;
}
