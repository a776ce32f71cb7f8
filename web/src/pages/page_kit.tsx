/** What pages other than the board share: their frame, forms, saving, asking before something is deleted. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../text/i18n";
import { wordsOf } from "../app/loaded";
import { headline, tools } from "../app/shell";
import { say, warn } from "../app/toast";
import { Dialog, DialogButtons, closeDialog, shownDialog } from "../ui/dialog";

/** `of`: the name of what the page is about, as people chose it. */
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
	/** True if it succeeded. */
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

/** Sends what a click changed, reports the outcome, and reloads. True if it succeeded. */
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

/** Copies what is shown only once. Browsers have a clipboard only for pages served over https. */
export async function copy(text: string): Promise<void> {
	try {
		await navigator.clipboard.writeText(text);
		say(t("copied"));
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

interface TableProps {
	label: string;
	/** The heading of each column; in brackets: its cells are numbers. */
	heads: readonly (ComponentChildren | readonly [string])[];
	class?: string;
	/** The rows. */
	children: ComponentChildren;
}

/** A table that scrolls by itself where the page is too narrow for it. */
export function Table({ label, heads, class: style = "", children }: TableProps) {
	return (
		<div class="scroll" tabIndex={0} role="group" aria-label={label}>
			<table class={`table ${style}`} aria-label={label}>
				<thead>
					<tr>
						{heads.map((head, n) => (
							<th key={n} scope="col" class={Array.isArray(head) ? "number" : ""}>
								{head as ComponentChildren}
							</th>
						))}
					</tr>
				</thead>
				<tbody>{children}</tbody>
			</table>
		</div>
	);
}

/** Entries of a long list that are shown at a time. */
export const PAGE = 50;

export function Pages({ at, total, turn }: { at: number; total: number; turn: (at: number) => void }) {
	if (total <= PAGE) return null;
	return (
		<p class="actions">
			<button type="button" disabled={at === 0} onClick={() => turn(Math.max(at - PAGE, 0))}>
				{t("page.previous")}
			</button>
			<span>{t("page.range", { from: at + 1, to: Math.min(at + PAGE, total), n: total })}</span>
			<button type="button" disabled={at + PAGE >= total} onClick={() => turn(at + PAGE)}>
				{t("page.next")}
			</button>
		</p>
	);
}

/** Fields of a form by name; a checked box is "on". */
export function values(form: HTMLFormElement): Record<string, string> {
	return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]));
}

interface FormProps {
	action: Action;
	/** The button's text; empty: no button. */
	submit: string;
	send: (values: Record<string, string>, form: HTMLFormElement) => Promise<unknown>;
	/** Shown after the button. */
	more?: ComponentChildren;
	danger?: boolean;
	class?: string;
	children: ComponentChildren;
}

/** A form that shows a refusal above its button; the button keeps the focus while the request is under way. */
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
	/** The user has to type this first. */
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

/** Asks before something is done that cannot be undone. */
export function confirm(props: ConfirmProps): void {
	shownDialog.value = <Confirm {...props} />;
}
