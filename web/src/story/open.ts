/** All forms on the page, for Ctrl+S; and what happens to a form whose card moves to another panel. */
import { useEffect } from "preact/hooks";
import { t } from "../text/i18n";
import { say } from "../app/toast";
import { ACTIONS, savers, startActions } from "../board/actions";
import type { Board } from "../board/model";
import type { Editor } from "./editor";

function save(editor: Editor): void {
	if (editor.conflicting().length > 0) say(t("conflict.left", { name: editor.name }));
	else editor.save();
}

const TRIES = 20;

/** A story that left the panel in which it was open stays open in its new place. */
export function rehome(board: Board, id: number, tries = TRIES): void {
	const panel = board.opened.place(id).peek();
	if (panel === null) return;
	const card = `[data-story="${id}"]`;
	if (document.querySelector(`[data-panel="${CSS.escape(panel)}"] ${card} .form`)) return;
	const now = document.querySelector(card)?.closest<HTMLElement>("[data-panel]")?.dataset.panel;
	if (now && now !== panel) board.opened.open(id, now);
	else if (tries > 0) setTimeout(() => rehome(board, id, tries - 1), 50);
}

/** Loads what an editor shows, and lets it react to keys while it is visible. */
export function useEditor(editor: Editor): void {
	useEffect(() => {
		void editor.load();
		const saver = () => save(editor);
		savers.add(saver);
		// Needed where no board listens to keys.
		const stop = startActions(editor.board, [ACTIONS.help, ACTIONS.save]);
		return () => {
			stop();
			savers.delete(saver);
		};
	}, [editor]);
}
