/** One field for everything: projects, panels, stories by number or by words, and every command with its key. */
import { useRef, useState } from "preact/hooks";
import { go } from "../app/router";
import { me } from "../app/session";
import { t } from "../text/i18n";
import { closeDialog, Dialog } from "../ui/dialog";
import { ALL, atBoard, atStory, perform, type Action, type At } from "./actions";
import { here } from "./context";
import { focusedCard } from "./focus";
import type { Board } from "./model";

interface Entry {
	id: string;
	label: string;
	kind: string;
	/** The key of a command. */
	hint?: string;
	run: () => void;
}

const MOST = 40;
const STORIES = 20;

/** Commands apply to the card that had the focus. */
function place(board: Board): At {
	const card = focusedCard();
	const id = Number(card?.dataset.story);
	return board.store.peek(id) ? { ...atStory(board, id), card } : atBoard(board);
}

function commands(at: At): Entry[] {
	const can = (row: Action) => (!row.ofCard || at.card !== null) && (row.can?.(at) ?? true) !== false;
	return ALL.filter((row) => row.keys.length !== 10 && can(row)).map((row) => ({
		id: row.words,
		label: t(row.words),
		kind: t(row.panel ? "palette.kind_panel" : "palette.kind_command"),
		hint: row.keys.join(" "),
		run: () => void perform(row, at),
	}));
}

function pages(): Entry[] {
	const page = (label: string, href: string, kind: "project" | "page"): Entry => ({
		id: href,
		label,
		kind: t(`palette.kind_${kind}`),
		run: () => go(href),
	});
	const projects = (me.peek()?.projects ?? []).map((p) =>
		page(p.project_name ?? "", `/n/projects/${p.project_id}`, "project"),
	);
	return [...projects, page(t("dashboard"), "/dashboard", "page"), page(t("account"), "/profile", "page")];
}

function stories(board: Board | null, text: string): Entry[] {
	const entry = (id: number, label: string, href: string): Entry => ({
		id: `story ${id}`,
		label,
		kind: t("palette.kind_story"),
		hint: `#${id}`,
		run: () => go(href),
	});
	const number = Number(/^#?(\d+)$/.exec(text)?.[1] ?? 0);
	const known = board && number > 0 && board.store.peek(number);
	const inBoard = (id: number) => `/n/projects/${board!.id}/stories/${id}`;
	if (number > 0 && !known) return [entry(number, t("palette.story", { id: String(number) }), `/story/show/${number}`)];
	if (known) return [entry(number, known.name, inBoard(number))];
	if (!board || text.length < 2) return [];
	const found = [...board.store.all()].filter((s) => s.id > 0 && fits(s.name, text)).slice(0, STORIES);
	return found.map((s) => entry(s.id, s.name, inBoard(s.id)));
}

/** Whether the label contains every word of the text. */
function fits(label: string, text: string): boolean {
	const low = label.toLowerCase();
	return text
		.toLowerCase()
		.split(/\s+/)
		.every((word) => low.includes(word));
}

function find(board: Board | null, at: At | null, typed: string): Entry[] {
	const text = typed.trim();
	const orders = at ? commands(at) : [];
	const places = [...pages(), ...orders.filter((e) => e.kind === t("palette.kind_panel"))];
	const all = [...places, ...orders.filter((e) => !places.includes(e))].filter(
		(e) => fits(e.label, text) || fits(e.kind, text),
	);
	return [...stories(board, text), ...all].slice(0, MOST);
}

const idOf = (entry: Entry | undefined) => entry && `palette ${entry.id}`.replace(/\s/g, "-");

function Row({ entry, isOn, choose }: { entry: Entry; isOn: boolean; choose: (entry: Entry) => void }) {
	return (
		<li role="option" id={idOf(entry)} aria-selected={isOn} onClick={() => choose(entry)}>
			<span class="name">{entry.label}</span> <span class="hint">{entry.kind}</span>
			<span class="spring" />
			{entry.hint && <kbd>{entry.hint}</kbd>}
		</li>
	);
}

export default function Palette() {
	const [board] = useState(() => here.peek());
	const [at] = useState(() => board && place(board));
	const [text, setText] = useState("");
	const [chosen, setChosen] = useState(0);
	const list = useRef<HTMLUListElement>(null);
	const entries = find(board, at, text);
	const on = Math.min(chosen, entries.length - 1);
	const choose = (entry: Entry | undefined) => {
		if (!entry) return;
		closeDialog();
		// After the closing dialog has given the focus back.
		setTimeout(entry.run);
	};
	const pressed = (event: KeyboardEvent) => {
		const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		if (by) {
			const next = (on + by + entries.length) % entries.length;
			setChosen(next);
			list.current?.children[next]?.scrollIntoView({ block: "nearest" });
		} else if (event.key === "Enter" && !event.isComposing) choose(entries[on]);
		else return;
		event.preventDefault();
	};
	return (
		<Dialog title={t("key.palette")} close={closeDialog} class="palette">
			<input
				autofocus
				role="combobox"
				aria-expanded="true"
				aria-controls="palette"
				aria-activedescendant={idOf(entries[on])}
				aria-label={t("palette")}
				placeholder={t("palette")}
				value={text}
				onInput={(e) => {
					setText(e.currentTarget.value);
					setChosen(0);
				}}
				onKeyDown={pressed}
			/>
			<ul id="palette" role="listbox" aria-label={t("key.palette")} ref={list}>
				{entries.map((entry, i) => (
					<Row key={entry.id} entry={entry} isOn={i === on} choose={choose} />
				))}
			</ul>
			{entries.length === 0 && <p class="empty">{t("palette.none")}</p>}
		</Dialog>
	);
}
