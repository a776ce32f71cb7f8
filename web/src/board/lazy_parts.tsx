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
export const RejectDialog = part<{ name: string; draft: string; reject: (comment: string) => void }>();
export const SearchHelp = part<{ board: Board; field: RefObject<HTMLInputElement | null> }>("panels");
export const SearchPanel = part<{ panel: Panel }>("panels");
export const SeveralStories = part<{ text: string; add: (titles: string[], left: string) => void }>("panels");
export const StoryForm = part<{ id: number; alone?: boolean }>("story");

/** A function that is loaded later; load_parts.ts says from where. */
interface Later<T> {
	load: () => Promise<T>;
}

const later = <T,>() => ({}) as Later<T>;

/** Opens a story or an epic in place on its board: story/reveal.ts. */
export const revealing =
	later<(board: Board, what: { story?: number | undefined; epic?: number | undefined }) => Promise<void>>();

/** Shows what the story of the focused card is about, or no longer: story/preview.tsx. */
export const previewing = later<(board: Board, id: number) => void>();

/** Starts something that runs for a board (in `root`, if there are several on the page); it returns what stops it. */
export type Companion = Later<(board: Board, root?: EventTarget) => () => void>;

/** Shows a preview while the pointer rests on a card. */
export const watching: Companion = later();
/** Lets cards and panels be dragged: board/drag.ts. */
export const dragging: Companion = later();
/** Tells others which stories are open: board/tell_presence.ts. */
export const telling: Companion = later();
