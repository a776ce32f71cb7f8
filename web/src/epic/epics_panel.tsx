/** The project's epics in their order, each with how much of it is done; they expand like cards. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { AddButtons } from "../board/add_form";
import { useBoard } from "../board/context";
import { Empty, PanelFrame } from "../board/panel";
import { UnsavedMark } from "../board/unsaved_mark";
import { t } from "../text/i18n";
import { open, type Panel } from "../app/layout";
import { asked, whenKnown } from "../app/session";
import { announce } from "../app/toast";
import EpicForm from "./epic";
import { epicCommand } from "./epic_editor";
import { loadPast, pastOf, ProgressBar, progressOf } from "./progress";
import type { Command } from "../model/command";
import { flat } from "../model/order";
import type { Epic } from "../model/types";
import { watchDrags } from "../ui/drag";
import { focus } from "../ui/focus";
import { Icon } from "../ui/icon";
import { LineDrag } from "../ui/line_drag";
import { Menu, type MenuItem } from "../ui/menu";
import type { Board } from "../board/model";

/** Moves an epic to another index of the list, from 0; it moves on the page immediately. */
function moved(board: Board, epic: Epic, to: number): Command | null {
	const epics = board.store.epics.peek();
	const from = epics.findIndex((e) => e.id === epic.id);
	const rest = epics.filter((e) => e.id !== epic.id);
	const anchor = rest[to];
	const last = rest[rest.length - 1];
	if (from < 0 || from === to || !last) return null;
	const body = anchor ? { before_id: anchor.id } : { after_id: last.id };
	board.store.epics.value = [...rest.slice(0, to), epics[from]!, ...rest.slice(to)];
	return {
		...epicCommand(board, "PUT", `/projects/${board.id}/epics/${epic.id}`, body, epic.name),
		words: { key: "did.moved", values: { name: epic.name } },
		inverse: () => moved(board, epic, from),
		again: () => moved(board, epic, to)!,
	};
}

function move(board: Board, epic: Epic, to: number): void {
	const command = moved(board, epic, to);
	if (command) board.do(command);
}

/** Drags epics in the panel, by mouse, pen or finger. */
function dragEpics(board: Board, list: HTMLElement): () => void {
	return watchDrags(list, (target) => {
		const row = target.closest<HTMLElement>("[data-epic]");
		const epic = board.store.epics.peek().find((e) => e.id === Number(row?.dataset.epic));
		if (!row || !epic || target.closest(".form, .menu") || !board.canWrite.peek()) return null;
		getSelection()?.removeAllRanges();
		const things = [...list.querySelectorAll<HTMLElement>(":scope > [data-epic]")];
		const own = things.indexOf(row);
		const hold = (held: boolean) => board.sync && (board.sync.held.value = held);
		hold(true);
		return new LineDrag({
			things,
			own,
			name: epic.name,
			list: list.parentElement!,
			over: () => hold(false),
			drop: (to) => move(board, epic, to),
			cancelled: () => announce(t("drag.cancelled")),
		});
	});
}

function moves(board: Board, epic: Epic, at: number): MenuItem[] {
	const last = board.store.epics.peek().length - 1;
	return [
		{ label: t("epic.top"), act: () => move(board, epic, 0), disabled: at === 0 },
		{ label: t("part.up"), act: () => move(board, epic, at - 1), disabled: at === 0 },
		{ label: t("part.down"), act: () => move(board, epic, at + 1), disabled: at === last },
		{ label: t("epic.bottom"), act: () => move(board, epic, last), disabled: at === last },
	];
}

function pressed(board: Board, epic: Epic, event: KeyboardEvent): void {
	const by = { ArrowUp: -1, ArrowDown: 1, Home: -Infinity, End: Infinity }[event.key];
	if (!event.altKey || !by || (asked.peek() && !board.canWrite.peek())) return;
	event.preventDefault();
	event.stopPropagation();
	const focus = event.target as HTMLElement;
	whenKnown(() => {
		if (!board.canWrite.peek()) return;
		const epics = board.store.epics.peek();
		const to = epics.findIndex((e) => e.id === epic.id) + by;
		move(board, epic, Math.max(0, Math.min(to, epics.length - 1)));
		requestAnimationFrame(() => focus.focus());
	});
}

function EpicRow({ epic, at }: { epic: Epic; at: number }) {
	const board = useBoard();
	board.store.tick.value;
	const past = pastOf(board).value.get(epic.id);
	const progress = progressOf(epic, flat(board.store.order.value), (id) => board.store.peek(id), past);
	const place = board.openedEpics.place(epic.id);
	const isOpen = place.value !== null;
	return (
		<li class="row epic" aria-label={epic.name} data-epic={epic.id} onKeyDown={(event) => pressed(board, epic, event)}>
			<button
				type="button"
				class={isOpen ? "quiet icon-only fold is-open" : "quiet icon-only fold"}
				aria-expanded={isOpen}
				aria-label={t("epic.details", { name: epic.name })}
				onClick={() => (isOpen ? board.openedEpics.close(epic.id) : board.openedEpics.open(epic.id, "epics"))}
			>
				<Icon name="down" />
			</button>
			<span class="epic-body">
				<button type="button" class="title" onClick={() => open(board.layout, { kind: "epic", arg: String(epic.id) })}>
					{epic.name}
				</button>
				{!isOpen && <UnsavedMark of={`${board.id}.epic.${epic.id}`} />}
				<ProgressBar progress={progress} projected={past?.projected ?? ""} />
			</span>
			{board.canWrite.value && (
				<Menu label={t("move")} items={() => moves(board, epic, at)} class="quiet icon-only" align="right">
					<Icon name="more" />
				</Menu>
			)}
			{isOpen && <EpicForm id={epic.id} />}
		</li>
	);
}

function AddEpic({ close }: { close: () => void }) {
	const board = useBoard();
	const [name, setName] = useState("");
	const save = (event: Event) => {
		event.preventDefault();
		if (!name.trim()) return;
		const path = `/projects/${board.id}/epics`;
		board.do(epicCommand(board, "POST", path, { name: name.trim() }, name.trim()), true);
		setName("");
		close();
	};
	return (
		<form
			class="add-story"
			aria-label={t("epic.add")}
			onSubmit={save}
			onKeyDown={(event) => event.key === "Escape" && close()}
		>
			<label>
				{t("title")}
				<input ref={focus} value={name} maxLength={5000} onInput={(event) => setName(event.currentTarget.value)} />
			</label>
			<AddButtons cancel={close} />
		</form>
	);
}

export default function EpicsPanel({ panel }: { panel: Panel }) {
	const board = useBoard();
	const epics = board.store.epics.value;
	const [adds, add] = useState(false);
	const list = useRef<HTMLUListElement>(null);
	const used = useRef<string | undefined>(undefined);
	const before = useRef(epics);
	// The browser drops the focus of elements that move or go: that of a deleted epic falls to the one in its place.
	useLayoutEffect(() => {
		const at = before.current.findIndex((e) => String(e.id) === used.current);
		before.current = epics;
		if (!used.current || document.activeElement !== document.body) return;
		const id = (epics.find((e) => String(e.id) === used.current) ?? epics[Math.min(at, epics.length - 1)])?.id;
		list.current?.querySelector<HTMLElement>(`[data-epic="${id}"] .title`)?.focus({ preventScroll: true });
	}, [epics]);
	useEffect(() => dragEpics(board, list.current!), [board]);
	useEffect(() => {
		const again = () => void loadPast(board).catch(() => {});
		again();
	}, [board, epics]);
	const button = board.canWrite.value && (
		<button
			type="button"
			class="quiet icon-only"
			aria-label={t("epic.add")}
			title={t("epic.add")}
			onClick={() => add(true)}
		>
			<Icon name="plus" />
		</button>
	);
	return (
		<PanelFrame panel={panel} sum={t("epics_n", { n: epics.length })} tools={button}>
			{adds && <AddEpic close={() => add(false)} />}
			<ul
				class="rows"
				ref={list}
				onFocusIn={(event) =>
					(used.current = (event.target as Element).closest<HTMLElement>("[data-epic]")?.dataset.epic)
				}
				onFocusOut={(event) => event.relatedTarget && (used.current = undefined)}
			>
				{epics.map((epic, at) => (
					<EpicRow key={epic.id} epic={epic} at={at} />
				))}
			</ul>
			{epics.length === 0 && !adds && <Empty>{t("empty.epics")}</Empty>}
		</PanelFrame>
	);
}
