/** Puts a project's labels, epics, members and settings into its store, as far as they have changed. */
import type { Frame } from "./load";
import type { Store } from "./store";

type Part = "labels" | "epics" | "members" | "reviewTypes" | "project";

const PARTS: readonly [Part, (store: Store, frame: Frame) => void][] = [
	["labels", (store, { labels }) => store.setLabels(labels)],
	["epics", (store, { epics }) => void (store.epics.value = epics)],
	["members", (store, { members }) => void (store.members.value = new Map(members.map((m) => [m.id, m])))],
	[
		"reviewTypes",
		(store, { reviewTypes }) => void (store.reviewTypes.value = new Map(reviewTypes.map((r) => [r.id, r.name]))),
	],
	["project", (store, { project }) => void (store.project.value = project)],
];

export class FrameKeeper {
	/** The value of each part when it was last set. */
	private readonly known = new Map<Part, string>();

	constructor(private readonly store: Store) {}

	/** Unchanged values stay the same objects, so that nothing is rendered again for them. */
	set(frame: Frame & { version: number }): void {
		this.store.lower(frame.version);
		for (const [part, put] of PARTS) {
			const text = JSON.stringify(frame[part]);
			if (this.known.get(part) === text) continue;
			// While a change of the epics waits for its answer, theirs stay; the board requests them again after the
			// answer.
			if (part === "epics" && this.store.pending.peek().some((c) => c.of === "epics")) continue;
			this.known.set(part, text);
			put(this.store, frame);
		}
	}

	/** Makes set() put this part next time even if it has not changed. */
	forget(part: Part): void {
		this.known.delete(part);
	}
}
