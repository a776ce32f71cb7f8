/** What pages beside the board share: their frame, forms, saving, asking before something is gone. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../text/i18n";
import { wordsOf } from "../app/loaded";
import { headline, tools } from "../app/shell";
import { say, warn } from "../app/toast";
import { Dialog, DialogButtons, closeDialog, shownDialog } from "../ui/dialog";

/** `of`: the name, chosen by people, of what the page is about. */
export function usePage(title: string, of?: string): void {
	useEffect(() => {
		const whole = of ? `${of}: ${title}` : title;
		headline.value = (
			<h1>
				{of && <bdi>{of}</bdi>}
				{of && ": "}
				{title}
			</h1>
		);
		tools.value = null;
		document.title = whole ? `${whole} – planwright` : "planwright";
	}, [title, of]);
}

export interface Action {
	busy: boolean;
	problem: string;
	/** True when it went well. */
	run: (act: () => Promise<unknown>) => Promise<boolean>;
}

export function useAction(): Action {
	const [busy, setBusy] = useState(false);
	const [problem, setProblem] = useState("");
	const run = async (act: () => Promise<unknown>) => {
		setBusy(true);
		setProblem("");
		try {
			await act();
			return true;
		} catch (error) {
			setProblem(wordsOf(error));
			return false;
		} finally {
			setBusy(false);
		}
	};
	return { busy, problem, run };
}

/** Sends what a click changed, says how that went, and loads again. True when it went well. */
export async function savedAtOnce(
	act: () => Promise<unknown>,
	again: () => Promise<void>,
	words = t("page.saved"),
): Promise<boolean> {
	let went = false;
	try {
		await act();
		went = true;
		if (words) say(words);
	} catch (error) {
		warn(wordsOf(error));
	}
	await again();
	return went;
}

/** Takes what is shown once to the clipboard, which browsers have only for pages that came by https. */
export async function copy(text: string): Promise<void> {
	try {
		await navigator.clipboard.writeText(text);
		say(t("factor.copied"));
	} catch {
		warn(t("factor.not_copied"));
	}
}

export function Problem({ of }: { of: Action }) {
	return <div role="alert">{of.problem && <p class="problem">{of.problem}</p>}</div>;
}

interface BlockProps {
	title: string;
	hint?: ComponentChildren;
	tools?: ComponentChildren;
	children: ComponentChildren;
}

/** A part of a page, with a heading. */
export function Block({ title, hint, tools, children }: BlockProps) {
	return (
		<section class="block" aria-label={title}>
			<header>
				<h2>{title}</h2>
				{tools}
			</header>
			{hint && <p class="hint">{hint}</p>}
			{children}
		</section>
	);
}

/** Fields of a form by name; a checked one is "on". */
export function values(form: HTMLFormElement): Record<string, string> {
	return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]));
}

interface FormProps {
	action: Action;
	/** The button's words; empty: nothing can be sent. */
	submit: string;
	send: (values: Record<string, string>, form: HTMLFormElement) => Promise<unknown>;
	/** Behind the button. */
	more?: ComponentChildren;
	danger?: boolean;
	class?: string;
	children: ComponentChildren;
}

/** A form that shows a refusal above its button, which keeps the focus while it is busy. */
export function Form({ action, submit, send, more, danger, class: style, children }: FormProps) {
	const submitted = (event: SubmitEvent) => {
		event.preventDefault();
		if (action.busy) return;
		const form = event.currentTarget as HTMLFormElement;
		void action.run(() => send(values(form), form));
	};
	return (
		<form class={style} onSubmit={submitted}>
			{children}
			<Problem of={action} />
			{submit && (
				<p class="actions">
					<button type="submit" class={danger ? "primary is-danger" : "primary"} aria-disabled={action.busy}>
						{submit}
					</button>
					{more}
				</p>
			)}
		</form>
	);
}

interface ConfirmProps {
	title: string;
	text: ComponentChildren;
	button: string;
	act: () => Promise<unknown>;
	/** It has to be typed. */
	word?: string;
}

function Confirm({ title, text, button, act, word }: ConfirmProps) {
	const action = useAction();
	const [typed, setTyped] = useState("");
	const run = async (event: SubmitEvent) => {
		event.preventDefault();
		if (await action.run(act)) closeDialog();
	};
	return (
		<Dialog title={title} close={closeDialog}>
			<form onSubmit={(event) => void run(event)}>
				<p>{text}</p>
				{word && (
					<label>
						{t("page.type_name", { name: word })}
						<input autocomplete="off" onInput={(event) => setTyped(event.currentTarget.value)} />
					</label>
				)}
				<Problem of={action} />
				<DialogButtons submit={button} danger disabled={action.busy || (word !== undefined && typed !== word)} />
			</form>
		</Dialog>
	);
}

/** Asks before something is done that cannot be taken back. */
export function confirm(props: ConfirmProps): void {
	shownDialog.value = <Confirm {...props} />;
}
