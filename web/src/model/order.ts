/**
 * The order of a project's stories, by section; each section is a list of ids, first to last. The rules are the
 * server's: where a story goes by default, and which state a place requires.
 */
import type { State, Story } from "./types";

export type Section = "done" | "work" | "planned" | "backlog" | "icebox";

export const SECTIONS: readonly Section[] = ["done", "work", "planned", "backlog", "icebox"];

export type Order = Readonly<Record<Section, readonly number[]>>;

export const EMPTY: Order = { done: [], work: [], planned: [], backlog: [], icebox: [] };

/** Where the user places stories: next to another one, or at an end of a group. */
export type Place =
	| { before: number }
	| { after: number }
	| { group: "backlog" | "icebox" | "current"; end: "top" | "bottom" };

export function sectionOf(state: State): Section {
	switch (state) {
		case "accepted":
			return "done";
		case "planned":
			return "planned";
		case "unstarted":
			return "backlog";
		case "unscheduled":
			return "icebox";
		default:
			return "work";
	}
}

export function findSection(order: Order, id: number): Section | null {
	return SECTIONS.find((section) => order[section].includes(id)) ?? null;
}

export function removed(order: Order, ids: readonly number[]): Order {
	const gone = new Set(ids);
	const next = { ...order };
	for (const section of SECTIONS)
		if (order[section].some((id) => gone.has(id))) next[section] = order[section].filter((id) => !gone.has(id));
	return next;
}

/** Inserts several stories, in their order, at an index of a section. */
export function inserted(order: Order, section: Section, index: number, ids: readonly number[]): Order {
	const list = order[section];
	return { ...order, [section]: [...list.slice(0, index), ...ids, ...list.slice(index)] };
}

/** Puts a story where it goes by default; `from` is the section that it leaves, if any. */
export function arrive(order: Order, id: number, to: Section, from: Section | null): Order {
	if (to === from) return order;
	const rest = removed(order, [id]);
	const top = to === "icebox" || (to === "backlog" && (from === "work" || from === "planned" || from === "done"));
	return inserted(rest, to, top ? 0 : rest[to].length, [id]);
}

/** Puts stories as near to a place as the section allows. */
export function placed(order: Order, ids: readonly number[], section: Section, place: Place): Order {
	const rest = removed(order, ids);
	if ("group" in place) return inserted(rest, section, place.end === "top" ? 0 : rest[section].length, ids);
	const anchor = "before" in place ? place.before : place.after;
	const at = rest[section].indexOf(anchor);
	if (at >= 0) return inserted(rest, section, "before" in place ? at : at + 1, ids);
	const other = findSection(rest, anchor);
	const above = other !== null && SECTIONS.indexOf(other) < SECTIONS.indexOf(section);
	return inserted(rest, section, above ? 0 : rest[section].length, ids);
}

/** The state that a story gets at a place. */
export function stateAt(story: Story, section: Section, automatic: boolean): State {
	if (section === "icebox") return "unscheduled";
	if (sectionOf(story.current_state) === "work") return story.current_state;
	if (section === "backlog") return "unstarted";
	const plannable = story.story_type === "feature" || story.story_type === "bug";
	return !automatic && plannable ? "planned" : "unstarted";
}

/** The neighbours of a story in the whole order; null at its ends. */
export function neighbours(order: Order, id: number): { after: number | null; before: number | null } {
	const all = SECTIONS.flatMap((section) => order[section]);
	const at = all.indexOf(id);
	return { after: all[at - 1] ?? null, before: all[at + 1] ?? null };
}

/** All stories in order: also those of the icebox, which the plan leaves out. */
export function flat(order: Order): number[] {
	return SECTIONS.flatMap((section) => order[section]);
}

/**
 * Puts stories where the server has them: each after `after`, otherwise before `before`. Returns null if neither is
 * known; then the lists must be reloaded.
 */
export function settled(
	order: Order,
	stories: readonly { id: number; section: Section; after: number | null; before: number | null }[],
): Order | null {
	let next = removed(
		order,
		stories.map((s) => s.id),
	);
	let waiting = stories.filter((s) => s.section !== "done");
	while (waiting.length > 0) {
		const left = waiting.filter((s) => {
			const at = spot(next, s);
			if (at < 0) return true;
			next = inserted(next, s.section, at, [s.id]);
			return false;
		});
		if (left.length === waiting.length) return null;
		waiting = left;
	}
	return next;
}

function spot(order: Order, s: { section: Section; after: number | null; before: number | null }): number {
	const list = order[s.section];
	const after = s.after === null ? -1 : list.indexOf(s.after);
	if (after >= 0) return after + 1;
	const before = s.before === null ? -1 : list.indexOf(s.before);
	if (before >= 0) return before;
	if (list.length === 0) return 0;
	// A neighbour is in another section: the story goes to an end of its own section.
	const other = s.before === null ? null : findSection(order, s.before);
	if (s.before === null || (other && SECTIONS.indexOf(other) > SECTIONS.indexOf(s.section))) return list.length;
	const first = s.after === null ? "done" : findSection(order, s.after);
	if (first && SECTIONS.indexOf(first) < SECTIONS.indexOf(s.section)) return 0;
	return -1;
}
