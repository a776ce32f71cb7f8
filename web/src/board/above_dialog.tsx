/** Chooses the story above which others are put, by typing part of its title. */
import { useState } from "preact/hooks";
import { t } from "../text/i18n";
import { sectionOf } from "../model/order";
import { closeDialog, Dialog } from "../ui/dialog";
import type { Board } from "./model";
import { moveAll, movedWith } from "./moves";

const SHOWN = 50;

export function AboveDialog({ board, id }: { board: Board; id: number }) {
	const [text, setText] = useState("");
	const order = board.store.order.value;
	const ids = movedWith(board, id);
	const isWork = order.work.includes(id);
	const candidates = [...(isWork ? order.work : [...order.planned, ...order.backlog]), ...order.icebox]
		.flatMap((n) => board.store.peek(n) ?? [])
		.filter((s) => !ids.includes(s.id) && s.id > 0 && s.name.toLowerCase().includes(text.toLowerCase()))
		.slice(0, SHOWN);
	const choose = (anchor: number) => {
		closeDialog();
		moveAll(board, ids, { before: anchor }, sectionOf(board.store.peek(anchor)!.current_state));
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
