/**
 * What can be done on a board, one row each: its key, its text and its icon, when it can be done, and what it does.
 * Keys, menus, buttons and the list of keys use these rows; dev/checks/keys_documented.sh compares them with the
 * manual's list.
 */
import { loadTexts, t, type Key } from "../text/i18n";
import { PALETTE, POST, startKeys } from "../app/keys";
import { press, type PanelKind } from "../app/layout";
import { KeyHelp } from "../app/lazy_parts";
import { copy } from "../app/clipboard";
import { go } from "../app/router";
import { asked, whenKnown } from "../app/session";
import { warn } from "../app/toast";
import { estimate } from "../model/commands";
import { isEstimatable, scale, stepsOf, type Step } from "../model/states";
import { shownDialog } from "../ui/dialog";
import type { IconName } from "../ui/icon";
import { showMenu, type MenuItem } from "../ui/menu";
import { startAdding } from "./add_story";
import { takeStep } from "./card_buttons";
import { cross, focusedCard, shownIds, walk } from "./focus";
import type { Board } from "./model";
import { AboveDialog, previewing } from "./lazy_parts";
import { moveAll, movedWith, shift, type Shift } from "./moves";

/** Where an action was invoked. */
export interface At {
	board: Board;
	/** The stories that it applies to. */
	ids: readonly number[];
	/** The story whose card it was invoked on. */
	id: number;
	card: HTMLElement | null;
	/** Which of its keys was pressed. */
	key: string;
}

export interface Action {
	keys: readonly string[];
	words: Key;
	icon?: IconName;
	/** The panel that it shows and hides. */
	panel?: PanelKind;
	/** Its key acts on the card that has the focus; without such a card, the key is ignored. */
	ofCard?: boolean;
	/** False: it cannot be done here. A text: why it cannot. Null: that depends on who is signed in, which is asked. */
	can?: (at: At) => boolean | Key | null;
	run: (at: At) => void;
}

/** What Ctrl+S saves: open forms add themselves here. */
export const savers = new Set<() => void>();

const canWrite = ({ board }: At) => (asked.peek() ? board.canWrite.peek() : null);
const known = () => asked.peek() || null;

type Keyless = Omit<Action, "keys">;

function panel(kind: PanelKind, icon: IconName): Keyless & { panel: PanelKind; icon: IconName } {
	return {
		words: `panel.${kind}` as Key,
		icon,
		panel: kind,
		run: ({ board }) => press(board.layout, kind),
	};
}

function shifting(to: Shift): Keyless {
	return {
		words: `key.${to}`,
		ofCard: true,
		can: (at) => canWrite(at) && (!at.board.store.order.peek().done.includes(at.id) || "drop.accepted_stays"),
		run: ({ board, id }) => shift(board, id, to),
	};
}

function moving(words: Key, group: "backlog" | "icebox", end: "top" | "bottom"): Keyless {
	return { words, run: ({ board, ids }) => moveAll(board, ids, { group, end }, group) };
}

function selecting({ board, id, card }: At, by: number): void {
	board.selection.has(id) || board.selection.toggle(id);
	walk(by);
	const next = focusedCard();
	if (next && next !== card) board.selection.extend(Number(next.dataset.story), shownIds(next));
}

function stepping(words: Key, find: (steps: readonly Step[]) => Step | undefined): Keyless {
	const stepOf = ({ board, id }: At) => find(stepsOf(board.store.peek(id)!));
	return {
		words,
		ofCard: true,
		can: (at) => canWrite(at) && stepOf(at) !== undefined,
		run: (at) => takeStep(at.board, at.id, stepOf(at)!),
	};
}

function canEstimate(at: At): boolean | null {
	const { board, id, key } = at;
	const project = board.store.project.peek();
	const may = project && canWrite(at);
	return may && isEstimatable(project, board.store.peek(id)!.story_type) && scale(project).includes(Number(key));
}

/** A menu of all actions that have a key and can be done with the card now, and of the moves. */
async function openCardMenu(at: At): Promise<void> {
	const { estimate, menu, move, backlog_top, backlog_bottom, icebox_top, above } = ACTIONS;
	const rows = ALL.filter((row) => row.ofCard && row !== estimate && row !== menu && row !== move);
	const moves = canWrite(at) ? [backlog_top, backlog_bottom, icebox_top, above] : [];
	await loadTexts("panels");
	const items = [...rows.filter((row) => (row.can?.(at) ?? true) === true), ...moves].map((row) => menuItem(row, at));
	showMenu(at.card!.querySelector<HTMLElement>(".title")!, t("key.menu"), items);
}

const click = (node: HTMLElement | null | undefined) => node?.click();

/** In the order of the list of keys. */
export const ACTIONS = {
	help: { keys: ["?"], words: "key.help", run: () => (shownDialog.value = <KeyHelp />) },
	add: { keys: ["a"], words: "add_story", icon: "plus", can: canWrite, run: ({ board }) => startAdding(board) },
	search: {
		keys: ["/"],
		words: "search",
		run: () => document.querySelector<HTMLElement>(".search input")?.focus(),
	},
	next: { keys: ["j"], words: "key.next", run: () => walk(1) },
	previous: { keys: ["k"], words: "key.previous", run: () => walk(-1) },
	panel_left: { keys: ["h"], words: "key.panel_left", run: () => cross(-1) },
	panel_right: { keys: ["l"], words: "key.panel_right", run: () => cross(1) },
	open: {
		keys: ["Enter", "o"],
		words: "key.open",
		ofCard: true,
		run: ({ card }) => click(card?.querySelector<HTMLElement>(".title")),
	},
	open_alone: {
		keys: ["Shift+O"],
		words: "key.open_alone",
		ofCard: true,
		run: ({ id }) => go(`/story/show/${id}`),
	},
	select: { keys: ["x"], words: "select", ofCard: true, run: ({ board, id }) => board.selection.toggle(id) },
	select_down: { keys: ["Shift+J"], words: "key.select_down", ofCard: true, run: (at) => selecting(at, 1) },
	select_up: { keys: ["Shift+K"], words: "key.select_up", ofCard: true, run: (at) => selecting(at, -1) },
	select_none: {
		keys: ["Escape"],
		words: "select_none",
		can: ({ board }) => board.selection.size.peek() > 0,
		run: ({ board }) => board.selection.clear(),
	},
	up: { keys: ["Alt+ArrowUp"], ...shifting("up") },
	down: { keys: ["Alt+ArrowDown"], ...shifting("down") },
	top: { keys: ["Alt+Home"], ...shifting("top") },
	bottom: { keys: ["Alt+End"], ...shifting("bottom") },
	backlog_top: { keys: [], ...moving("move.backlog_top", "backlog", "top") },
	backlog_bottom: { keys: [], ...moving("move.backlog_bottom", "backlog", "bottom") },
	icebox_top: { keys: [], ...moving("move.icebox_top", "icebox", "top") },
	above: {
		keys: [],
		words: "move.above",
		run: ({ board, id }) => (shownDialog.value = <AboveDialog board={board} id={id} />),
	},
	step: { keys: ["s"], ...stepping("key.step", (steps) => steps[0]) },
	reject: { keys: ["r"], ...stepping("step.reject", (steps) => steps.find((s) => s.name === "reject")) },
	estimate: {
		keys: ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"],
		words: "estimate",
		ofCard: true,
		can: canEstimate,
		run: ({ board, id, key }) => board.do(estimate(board.store, id, Number(key))),
	},
	copy_id: {
		keys: ["#"],
		words: "key.copy_id",
		ofCard: true,
		run: ({ id }) => void copy(`#${id}`, t("id_copied", { id: String(id) })),
	},
	preview: {
		keys: ["v"],
		words: "key.preview",
		ofCard: true,
		run: ({ board, id }) => void previewing.load().then((turn) => turn(board, id)),
	},
	menu: {
		keys: ["."],
		words: "key.menu",
		ofCard: true,
		can: known,
		run: (at) => void openCardMenu(at).catch(() => {}),
	},
	move: {
		keys: ["m"],
		words: "move",
		icon: "more",
		ofCard: true,
		can: known,
		run: ({ card }) => click(card?.querySelector<HTMLElement>(".side .menu button")),
	},
	fold: {
		keys: ["f"],
		words: "key.fold",
		run: ({ board }) => board.folds.turn(),
	},
	work: { keys: ["Shift+W"], ...panel("work", "work") },
	current: { keys: ["Shift+C"], ...panel("current", "current") },
	backlog: { keys: ["Shift+B"], ...panel("backlog", "backlog") },
	icebox: { keys: ["Shift+I"], ...panel("icebox", "icebox") },
	done: { keys: ["Shift+D"], ...panel("done", "done") },
	epics: { keys: ["Shift+E"], ...panel("epics", "epics") },
	blocked: { keys: [], ...panel("blocked", "blocked") },
	labels: { keys: [], ...panel("labels", "label") },
	history: { keys: [], ...panel("history", "history") },
	results: { keys: [], ...panel("search", "search") },
	save: {
		keys: ["Ctrl+s"],
		words: "key.save",
		can: () => savers.size > 0,
		run: () => {
			for (const save of savers) save();
		},
	},
	// The frame of every page handles it.
	palette: { ...PALETTE, words: "key.palette", can: () => false, run: () => {} },
	// The field in which one types handles it.
	post: { ...POST, words: "key.post", can: () => false, run: () => {} },
	undo: { keys: ["Ctrl+z"], words: "undo", run: ({ board }) => board.takeBack() },
	redo: { keys: ["Ctrl+Shift+Z", "Ctrl+y"], words: "redo", run: ({ board }) => board.redo() },
} satisfies Record<string, Action>;

export const ALL: readonly Action[] = Object.values(ACTIONS);
/** The actions that show a panel, as the sidebar lists them. */
export const PANELS = ALL.filter((a): a is Action & { panel: PanelKind; icon: IconName } => a.panel !== undefined);

/** Performs it, or says why it cannot be done. Returns true if it handled the key. */
export function perform(action: Action, at: At): boolean {
	const can = action.can ? action.can(at) : true;
	if (typeof can === "string") warn(t(can));
	else if (can === null) whenKnown(() => (at.id === 0 || at.board.store.peek(at.id)) && perform(action, at));
	else if (can) action.run(at);
	return can !== false;
}

/** For the board as a whole, or for these stories. */
export function atBoard(board: Board, ids: readonly number[] = []): At {
	return { board, ids, id: ids[0] ?? 0, card: null, key: "" };
}

export function atStory(board: Board, id: number): At {
	return { ...atBoard(board, movedWith(board, id)), id };
}

export function menuItem(action: Action, at: At): MenuItem {
	return { label: t(action.words), act: () => perform(action, at) };
}

/** Lets a board react to keys. Returns a function that stops this. */
export function startActions(board: Board, actions = ALL): () => void {
	return startKeys(actions, (action, key) => {
		if (!action.ofCard) return perform(action, { ...atBoard(board), key });
		const card = focusedCard();
		const id = Number(card?.dataset.story);
		return board.store.peek(id) !== undefined && perform(action, { ...atStory(board, id), card, key });
	});
}
