/**
 * Where dragged stories may go: which section and place a gap between two cards stands for, or why nothing can be
 * dropped there. No DOM and no requests, so that it can be tested alone.
 */
import { sectionOf, type Order, type Place, type Section } from "../model/order";
import type { Story } from "../model/types";

export type Refusal =
	| "drop.accepted_stays"
	| "drop.done_closed"
	| "drop.above_started"
	| "drop.work_stays"
	| "drop.gathered";

export type Goal = { place: Place; section: Section } | { refusal: Refusal };

export interface Gap {
	/** The panel's kind. */
	panel: string;
	/** The nearest cards above and below that are not being dragged. */
	above: Story | null;
	below: Story | null;
}

function beside(gap: Gap, section: Section): Place | null {
	if (gap.below && sectionOf(gap.below.current_state) === section) return { before: gap.below.id };
	if (gap.above && sectionOf(gap.above.current_state) === section) return { after: gap.above.id };
	return null;
}

/**
 * Work in progress stays above everything that waits; dropped above accepted stories, it goes to the top of its
 * section.
 */
function workGoal(gap: Gap, dragged: readonly Story[], order: Order): Goal {
	const place = beside(gap, "work");
	if (place) return { place, section: "work" };
	if (gap.panel === "backlog" || (gap.above && sectionOf(gap.above.current_state) !== "done"))
		return { refusal: "drop.work_stays" };
	const first = order.work.find((id) => dragged.every((s) => s.id !== id));
	return { place: first ? { before: first } : { group: "current", end: "top" }, section: "work" };
}

function waitingGoal(gap: Gap, automatic: boolean): Goal {
	const below = gap.below && sectionOf(gap.below.current_state);
	if (below === "done" || below === "work") return { refusal: "drop.above_started" };
	const planned = !automatic && gap.panel === "current";
	const section: Section = planned ? "planned" : "backlog";
	const place = beside(gap, section) ?? beside(gap, planned ? "backlog" : "planned");
	if (place) return { place, section };
	const end = gap.panel === "current" || gap.below ? "top" : "bottom";
	return { place: { group: planned ? "current" : "backlog", end }, section };
}

/** Why the stories cannot be in a section; null: they can. */
export function refusalOf(moved: readonly Story[], section: Section): Refusal | null {
	const work = moved.filter((s) => sectionOf(s.current_state) === "work").length;
	if (moved.length === 0) return "drop.accepted_stays";
	if (section === "work") return work < moved.length ? "drop.above_started" : null;
	return section !== "icebox" && work === moved.length ? "drop.work_stays" : null;
}

export function goalOf(gap: Gap, dragged: readonly Story[], order: Order, automatic: boolean): Goal {
	if (dragged.some((s) => s.current_state === "accepted")) return { refusal: "drop.accepted_stays" };
	if (gap.panel === "done") return { refusal: "drop.done_closed" };
	if (gap.panel === "icebox")
		return { place: beside(gap, "icebox") ?? { group: "icebox", end: "top" }, section: "icebox" };
	if (gap.panel !== "current" && gap.panel !== "backlog") return { refusal: "drop.gathered" };
	if (dragged.every((s) => sectionOf(s.current_state) === "work")) return workGoal(gap, dragged, order);
	return waitingGoal(gap, automatic);
}
