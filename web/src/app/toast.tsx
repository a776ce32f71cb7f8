/** Messages: what was done, with Undo (role=status), and what was refused (role=alert). */
import { signal } from "@preact/signals";
import { t } from "../text/i18n";

export interface Act {
	label: string;
	act: () => void;
}

interface Message {
	id: number;
	text: string;
	isAlert: boolean;
	act?: Act | undefined;
}

const LASTS = 6_000;
const ALERT_LASTS = 15_000;
const messages = signal<readonly Message[]>([]);
let last = 0;

function put(text: string, isAlert: boolean, act?: Act): void {
	const id = ++last;
	// An alert that offers an action, such as copying what was typed, stays until it is answered.
	const others = messages.peek().filter((m) => m.isAlert && (m.act || m.text !== text));
	messages.value = [...others.filter((m, i) => m.act || i > others.length - 3), { id, text, isAlert, act }];
	if (!isAlert || !act) setTimeout(() => drop(id), isAlert ? ALERT_LASTS : LASTS);
}

function drop(id: number): void {
	messages.value = messages.peek().filter((m) => m.id !== id);
}

export function say(text: string, act?: Act): void {
	put(text, false, act);
}

export function warn(text: string, act?: Act | false): void {
	put(text, true, act || undefined);
}

const told = signal("");

/** For screen readers only: what moved where. */
export function announce(text: string): void {
	told.value = told.peek() === text ? `${text} ` : text;
}

function Line({ message }: { message: Message }) {
	const { act } = message;
	const run = () => {
		act?.act();
		drop(message.id);
	};
	return (
		<div class={message.isAlert ? "toast is-alert" : "toast"}>
			<span>{message.text}</span>
			{act && (
				<button type="button" class="link" onClick={run}>
					{act.label}
				</button>
			)}
			<button type="button" class="quiet icon-only" aria-label={t("dismiss")} onClick={() => drop(message.id)}>
				×
			</button>
		</div>
	);
}

export function Toasts() {
	const of = (isAlert: boolean) =>
		messages.value.filter((m) => m.isAlert === isAlert).map((m) => <Line key={m.id} message={m} />);
	return (
		<div class="toasts">
			<div role="status">{of(false)}</div>
			<div class="hidden" aria-live="polite">
				{told.value}
			</div>
			<div role="alert">{of(true)}</div>
		</div>
	);
}
