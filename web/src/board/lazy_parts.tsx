/** Parts shown by a board and loaded after it. */
import type { RefObject } from "preact";
import type { Panel } from "../app/layout";
import { part } from "../app/lazy";
import type { Board } from "./model";

/** The lists in which a new story can be typed. */
export type ListName = "current" | "backlog" | "icebox";

export type PlanDialog = { about: "velocity" } | { about: "strength"; number: number };

/** Asks above which story others are put. */
export const AboveDialog = part<{ board: Board; id: number }>();
export const AddStoryForm = part<{ to: ListName }>();
export const BulkTools = part();
export const DonePanel = part<{ panel: Panel }>("panels");
export const EpicsPanel = part<{ panel: Panel }>("story");
export const FirstSteps = part("admin");
/** With the project's number: "begun", or "over". */
export const FIRST_STEPS = "planwright.first.";
export const HistoryPanel = part<{ panel: Panel }>("panels");
export const LabelsPanel = part<{ panel: Panel }>("panels");
export const NewLabel = part<{ board: Board; ids: readonly number[] }>();
export const PlanDialogs = part<{ board: Board; what: PlanDialog }>("charts");
export const RejectDialog = part<{ name: string; reject: (comment: string) => void }>();
export const SearchHelp = part<{ board: Board; field: RefObject<HTMLInputElement | null> }>("panels");
export const SearchPanel = part<{ panel: Panel }>("panels");
export const SeveralStories = part<{ text: string; add: (titles: string[], left: string) => void }>("panels");
export const StoryForm = part<{ id: number; alone?: boolean }>("story");

type Reveal = (board: Board, what: { story?: number | undefined; epic?: number | undefined }) => Promise<void>;

/** Opens a story or an epic in place on its board: story/reveal.ts. */
export const revealing: { load: () => Promise<Reveal> } = {
	load: () => Promise.reject(new Error("a part without a place")),
};

interface Preview {
	/** Shows what a story is about next to its card, or no longer. */
	turn: (board: Board, id: number) => void;
	/** The same for a pointer that rests on a card. Returns what stops it. */
	watch: (board: Board) => () => void;
}

/** Looks at stories without opening them: story/preview.tsx. */
export const previewing: { load: () => Promise<Preview> } = {
	load: () => Promise.reject(new Error("a part without a place")),
};

type Drags = (board: Board, root?: EventTarget) => () => void;

/** Lets cards and panels be dragged: board/drag.ts. */
export const dragging: { load: () => Promise<Drags> } = {
	load: () => Promise.reject(new Error("a part without a place")),
};
