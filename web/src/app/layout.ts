/**
 * Which panels a board shows, in which order and how wide: stored per project on this device. Nothing here is
 * secret.
 */
import { effect, signal, type Signal } from "@preact/signals-core";
import type * as api from "../api/types.gen";

export type PanelKind =
	| "current"
	| "backlog"
	| "icebox"
	| "done"
	| "epics"
	| "work"
	| "blocked"
	| "labels"
	| "history"
	| "search"
	| "label"
	| "epic"
	| "person";

export interface Panel {
	/** Two panels with the same kind and argument are the same panel. */
	kind: PanelKind;
	/** For a label, an epic, a person: the id; for a search: its text. */
	arg?: string;
	/** In pixels; absent: as wide as the others. */
	width?: number;
}

export interface Layout {
	panels: Panel[];
	/** Current and Backlog share a column. */
	joined: boolean;
}

export const FIRST: Layout = {
	panels: [{ kind: "current" }, { kind: "backlog" }, { kind: "icebox" }],
	joined: true,
};

/** In a workspace, where several boards share the width. */
export const SMALL: Layout = { panels: [{ kind: "current" }, { kind: "backlog" }], joined: true };

const KEY = (project: number, place: string) => `planwright.layout.${place}${project}`;
const LAST = "planwright.board";

export function samePanel(a: Panel, b: Panel): boolean {
	return a.kind === b.kind && (a.arg ?? "") === (b.arg ?? "");
}

function read(project: number, place: string): Layout {
	try {
		const kept = JSON.parse(localStorage.getItem(KEY(project, place)) ?? "null") as Layout | null;
		if (kept && Array.isArray(kept.panels) && kept.panels.every((p) => typeof p.kind === "string")) return kept;
	} catch {
		// The stored layout is damaged: start over.
	}
	return place ? SMALL : FIRST;
}

/** A board's layout, on its own page or elsewhere (`place`); changes are stored. */
export function openLayout(project: number, place = ""): { layout: Signal<Layout>; close: () => void } {
	const layout = signal(read(project, place));
	if (!place) localStorage.setItem(LAST, String(project));
	const close = effect(() => localStorage.setItem(KEY(project, place), JSON.stringify(layout.value)));
	return { layout, close };
}

/** The panel that was opened last, and its layout: the board scrolls it into view. */
export const opened = signal<{ layout: Signal<Layout>; panel: Panel } | null>(null);

/** Shows a panel, or hides it. */
export function toggle(layout: Signal<Layout>, panel: Panel): void {
	const { panels, joined } = layout.peek();
	if (panels.some((p) => samePanel(p, panel)))
		layout.value = { joined, panels: panels.filter((p) => !samePanel(p, panel)) };
	else open(layout, panel);
}

/** Shows a panel; if it is there already, scrolls it into view. There is only one search panel. */
export function open(layout: Signal<Layout>, panel: Panel): void {
	const { panels, joined } = layout.peek();
	const at = panels.findIndex((p) => samePanel(p, panel) || (panel.kind === "search" && p.kind === "search"));
	if (at < 0) layout.value = { joined, panels: inserted(panels, panel) };
	else layout.value = { joined, panels: panels.map((p, i) => (i === at ? { ...p, ...panel } : p)) };
	opened.value = { layout, panel };
}

const ORDER: readonly PanelKind[] = ["done", "work", "current", "backlog", "icebox"];

/** The permanent panels keep their order; others come last. */
function inserted(panels: readonly Panel[], panel: Panel): Panel[] {
	const rank = ORDER.indexOf(panel.kind);
	if (rank < 0) return [...panels, panel];
	const at = panels.findIndex((p) => ORDER.indexOf(p.kind) > rank);
	return at < 0 ? [...panels, panel] : [...panels.slice(0, at), panel, ...panels.slice(at)];
}

/** The panel of this kind that is shown, if any; there is only one search panel, whatever it searches for. */
export function shownOne(panels: readonly Panel[], kind: PanelKind): Panel | undefined {
	return panels.find((p) => (kind === "search" ? p.kind === kind : samePanel(p, { kind })));
}

/**
 * For its button or key. A narrow page shows only one panel: there, the panel is scrolled into view rather than
 * hidden.
 */
export function press(layout: Signal<Layout>, kind: PanelKind): void {
	const panel = shownOne(layout.peek().panels, kind) ?? { kind };
	if (matchMedia("(max-width: 799px)").matches) open(layout, panel);
	else toggle(layout, panel);
}

/** Moves a panel by steps to the right, or, below 0, to the left. */
export function shift(layout: Signal<Layout>, panel: Panel, by: number): void {
	const { panels, joined } = layout.peek();
	const at = panels.findIndex((p) => samePanel(p, panel));
	const to = at + by;
	if (at < 0 || to < 0 || to >= panels.length) return;
	const next = panels.filter((_, i) => i !== at);
	next.splice(to, 0, panels[at]!);
	layout.value = { joined, panels: next };
}

/** If they are joined, Current and Backlog share a column when they are next to each other in the list. */
export function columns({ panels, joined }: Layout): Panel[][] {
	const found: Panel[][] = [];
	for (const panel of panels) {
		const last = found[found.length - 1]?.[0];
		if (joined && panel.kind === "backlog" && last?.kind === "current") found[found.length - 1]!.push(panel);
		else found.push([panel]);
	}
	return found;
}

/** Moves a column to another place among the columns. */
export function shiftColumn(layout: Signal<Layout>, from: number, to: number): void {
	const { joined } = layout.peek();
	const all = columns(layout.peek());
	all.splice(to, 0, ...all.splice(from, 1));
	layout.value = { joined, panels: all.flat() };
}

export function resize(layout: Signal<Layout>, panel: Panel, width: number | undefined): void {
	const { panels, joined } = layout.peek();
	layout.value = {
		joined,
		panels: panels.map((p) => {
			if (!samePanel(p, panel)) return p;
			const { width: _, ...rest } = p;
			return width === undefined ? rest : { ...rest, width: Math.max(260, Math.min(1200, Math.round(width))) };
		}),
	};
}

/**
 * The board that was open last, if the user may still see it; otherwise the one that the server saw last, or any.
 */
export function lastBoard(person: api.Me): number | null {
	const projects = [...(person.projects ?? [])].sort((a, b) =>
		(b.last_viewed_at ?? "").localeCompare(a.last_viewed_at ?? ""),
	);
	const last = Number(localStorage.getItem(LAST));
	return (projects.find((p) => p.project_id === last) ?? projects[0])?.project_id ?? null;
}
