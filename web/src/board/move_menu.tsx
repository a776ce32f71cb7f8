/** Every move that can be dragged, as a menu: to the ends of the panels, or above another story. */
import { useState } from "preact/hooks";
import { t } from "../text/i18n";
import { warn } from "../app/toast";
import { move } from "../model/commands";
import { flat, sectionOf, type Place, type Section } from "../model/order";
import { Icon } from "../ui/icon";
import { Menu, type MenuItem } from "../ui/menu";
import { closeDialog, Dialog, shownDialog } from "../ui/dialog";
import { refusalOf } from "./drop";
import type { Board } from "./model";

/** The story, or all that are chosen when it is one of them. */
export function movedWith(board: Board, id: number): number[] {
	if (!board.selection.ids.peek().has(id)) return [id];
	return board.selection.inOrder(flat(board.store.order.peek()));
}

export function moveTo(board: Board, id: number, place: Place, section: Section): void {
	moveAll(board, movedWith(board, id), place, section);
}

/** Accepted ones stay; the others keep their order. What cannot be is told, what is already is not sent. */
export function moveAll(board: Board, all: readonly number[], place: Place, section: Section): void {
	const moved = all.flatMap((id) => board.store.peek(id) ?? []).filter((s) => s.current_state !== "accepted");
	const refusal = refusalOf(moved, section);
	if (refusal) return warn(t(refusal));
	const ids = moved.map((s) => s.id);
	const order = board.store.order.peek();
	if (JSON.stringify(move(board.store, ids, place, section).reorder!(order, ids)) === JSON.stringify(order)) return;
	board.doMany(ids, (some, last) => move(board.store, some, last === undefined ? place : { after: last }, section));
}

function items(board: Board, id: number): MenuItem[] {
	const to = (group: "backlog" | "icebox", end: "top" | "bottom") => () => moveTo(board, id, { group, end }, group);
	return [
		{ label: t("move.backlog_top"), act: to("backlog", "top") },
		{ label: t("move.backlog_bottom"), act: to("backlog", "bottom") },
		{ label: t("move.icebox_top"), act: to("icebox", "top") },
		{
			label: t("move.above"),
			act: () => {
				shownDialog.value = <AboveDialog board={board} id={id} />;
			},
		},
	];
}

export function MoveMenu({ board, id }: { board: Board; id: number }) {
	if (!board.canWrite.value || board.store.story(id)?.current_state === "accepted") return null;
	return (
		<Menu label={t("move")} items={() => items(board, id)} class="quiet icon-only" align="right" tabIndex={-1}>
			<Icon name="more" />
		</Menu>
	);
}

const SHOWN = 50;

/** Chooses the story above which another one is put, by some letters of its title. */
function AboveDialog({ board, id }: { board: Board; id: number }) {
	const [text, setText] = useState("");
	const order = board.store.order.value;
	const moved = movedWith(board, id);
	const isWork = order.work.includes(id);
	const candidates = [...(isWork ? order.work : [...order.planned, ...order.backlog]), ...order.icebox]
		.flatMap((n) => board.store.peek(n) ?? [])
		.filter((s) => !moved.includes(s.id) && s.id > 0 && s.name.toLowerCase().includes(text.toLowerCase()))
		.slice(0, SHOWN);
	const choose = (anchor: number) => {
		closeDialog();
		moveTo(board, id, { before: anchor }, sectionOf(board.store.peek(anchor)!.current_state));
	};
	return (
		<Dialog title={t("move.above_title")} close={closeDialog}>
			<label>
				{t("move.filter")}
				<input autofocus value={text} onInput={(e) => setText(e.currentTarget.value)} />
			</label>
			<ul class="choices">
				{candidates.map((s) => (
					<li key={s.id}>
						<button type="button" class="choice" onClick={() => choose(s.id)}>
							{s.name}
						</button>
					</li>
				))}
			</ul>
		</Dialog>
	);
}
