/** Puts a project's labels, epics, members and settings into its store, as far as they are new. */
import type { Frame } from "./load";
import type { Store } from "./store";

type Part = "labels" | "epics" | "members" | "reviewTypes" | "project";

const PARTS: readonly [Part, (store: Store, frame: Frame) => void][] = [
	["labels", (store, { labels }) => void (store.labels.value = new Map(labels.map((l) => [l.id, l])))],
	["epics", (store, { epics }) => void (store.epics.value = epics)],
	["members", (store, { members }) => void (store.members.value = new Map(members.map((m) => [m.id, m])))],
	[
		"reviewTypes",
		(store, { reviewTypes }) => void (store.reviewTypes.value = new Map(reviewTypes.map((r) => [r.id, r.name]))),
	],
	["project", (store, { project }) => void (store.project.value = project)],
];

export class FrameKeeper {
	/** What each part was when it was set. */
	private readonly known = new Map<Part, string>();

	constructor(private readonly store: Store) {}

	/** Unchanged values stay the same object, so that nothing is redrawn for them. */
	set(frame: Frame): void {
		for (const [part, put] of PARTS) {
			const text = JSON.stringify(frame[part]);
			if (this.known.get(part) === text) continue;
			// An order that waits for its answer stays; it requests this again when it has one.
			if (part === "epics" && this.store.pending.peek().some((c) => c.of === "epics")) continue;
			this.known.set(part, text);
			put(this.store, frame);
		}
	}

	/** The next one is set even if it is the same. */
	forget(part: Part): void {
		this.known.delete(part);
	}
}
