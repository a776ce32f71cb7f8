/** The changes that a user makes on the board, as commands. */
import type { Command, Request, Words } from "./command";
import { same } from "./drafts";
import type { Store } from "./store";
import { arrive, neighbours, placed, sectionOf, stateAt, type Order, type Place, type Section } from "./order";
import type { State, Story } from "./types";
import { withComment } from "./with_comment";

/** What one PUT can change in a story, and how it looks before the answer. */
export interface Changes {
	name?: string;
	story_type?: Story["story_type"];
	current_state?: State;
	estimate?: number | null;
	story_priority?: Story["story_priority"];
	requested_by_id?: number;
	owner_ids?: number[];
	label_ids?: number[];
	deadline?: string | null;
	/** Fields that the board does not store: description, comment, labels by name … */
	rest?: Record<string, unknown>;
}

function apply(story: Story | undefined, { rest: _, ...changes }: Changes): Story | undefined {
	if (!story) return story;
	const next = { ...story, ...changes };
	if (next.current_state !== story.current_state)
		next.accepted_at = next.current_state === "accepted" ? new Date().toISOString() : null;
	return next;
}

/** The current values of these fields. */
function former(story: Story, names: readonly string[]): Changes {
	return Object.fromEntries(
		names.filter((name) => name !== "rest").map((name) => [name, story[name as keyof Story]]),
	) as Changes;
}

/** Changes fields of one story, in one request. */
export function change(store: Store, id: number, changes: Changes, words: Words, place?: Command["reorder"]): Command {
	const was = store.peek(id);
	const spot = was && sectionOf(was.current_state) !== "done" ? neighbours(store.order.peek(), id) : null;
	const { rest, ...fields } = changes;
	let left: object = fields;
	const command: Command = {
		ids: [id],
		words,
		patch: (story) => apply(story, changes),
		request: ([real]) => ({
			method: "PUT",
			path: `/projects/${store.id}/stories/${real}`,
			body: { ...fields, ...rest },
		}),
		inverse: () => (was && !rest ? back(store, command.ids[0]!, was, former(was, Object.keys(changes)), spot) : null),
		again: () => change(store, command.ids[0]!, changes, words, place),
		done: (story) => {
			left = former(story, Object.keys(fields));
		},
		stands: () => has(store.peek(command.ids[0]!), left),
	};
	if (place) command.reorder = place;
	return command;
}

/** Whether the story has these values. */
function has(story: Story | undefined, fields: object): boolean {
	const now = story as Record<string, unknown> | undefined;
	return now !== undefined && Object.entries(fields).every(([name, value]) => same(now[name], value));
}

type Spot = { after: number | null; before: number | null } | null;

/** Restores fields, and the place if the section was another one. */
function back(store: Store, id: number, was: Story, fields: Changes, spot: Spot): Command {
	const now = store.peek(id);
	const moved = now && sectionOf(now.current_state) !== sectionOf(was.current_state);
	return restore(store, id, was, fields, moved ? spot : null);
}

function restore(store: Store, id: number, was: Story, fields: Changes, spot: Spot): Command {
	const section = sectionOf(was.current_state);
	const words: Words = { key: "did.changed", values: { name: was.name } };
	const place = spot && near(store, section, spot);
	if (!place) return change(store, id, fields, words);
	const command = change(store, id, fields, words, (order, ids) => placed(order, ids, section, place));
	return Object.assign(command, { request: placedRequest(command.request, place) });
}

const placedRequest =
	(request: Command["request"], place: Place): Command["request"] =>
	(ids) =>
		withPlace(request(ids), place);

/** The neighbour that is still in the same section. */
function near(store: Store, section: Section, spot: { after: number | null; before: number | null }): Place | null {
	const list = store.order.peek()[section];
	if (spot.before !== null && list.includes(spot.before)) return { before: spot.before };
	if (spot.after !== null && list.includes(spot.after)) return { after: spot.after };
	return null;
}

function withPlace(request: Request, place: Place): Request {
	const where = "before" in place ? { before_id: place.before } : "after" in place ? { after_id: place.after } : {};
	return { ...request, body: { ...(request.body as object), ...where } };
}

/** A state button; Start makes the user an owner. */
export function step(store: Store, id: number, to: State, me: number, comment?: string): Command {
	const story = store.peek(id)!;
	const changes: Changes = { current_state: to };
	if (to === "started" && story.current_state !== "rejected" && !story.owner_ids.includes(me))
		changes.owner_ids = [...story.owner_ids, me];
	const command = change(store, id, changes, { key: "did.state", values: { name: story.name, state: to } });
	return comment ? withComment(store, command, story, me, comment) : command;
}

export function estimate(store: Store, id: number, points: number | null): Command {
	const name = store.peek(id)?.name ?? "";
	return change(store, id, { estimate: points }, { key: "did.estimated", values: { name, points: points ?? "–" } });
}

/** The last temporary id. It starts at the time, so that ids of several pages differ. */
let own = -Date.now();

/** Adds a story; where it appears depends on its state, as on the server. */
export function add(store: Store, story: Omit<Story, "id" | "is_new">, rest?: Record<string, unknown>): Command {
	const id = --own;
	const made: Story = { ...story, id, is_new: true };
	const { comment_ids: _c, blockers: _b, reviews: _r, accepted_at: _a, requested_by_id: _q, ...fields } = story;
	const body = Object.fromEntries(Object.entries(fields).filter(([, v]) => v !== null));
	const command: Command = {
		ids: [id],
		words: { key: "did.added", values: { name: story.name } },
		patch: (known) => known ?? made,
		reorder: (order, [at]) =>
			order[sectionOf(story.current_state)].includes(at!)
				? order
				: arrive(order, at!, sectionOf(story.current_state), null),
		request: () => ({ method: "POST", path: `/projects/${store.id}/stories`, body: { ...body, ...rest } }),
		inverse: () => remove(store, command.ids),
		again: () => add(store, story, rest),
		stands: () => {
			const { name, story_type, current_state, estimate: points, owner_ids } = story;
			return has(store.peek(command.ids[0]!), { name, story_type, current_state, estimate: points, owner_ids });
		},
	};
	return command;
}

export function remove(store: Store, ids: readonly number[]): Command {
	const names = ids.map((id) => store.peek(id)?.name ?? "");
	return {
		ids: [...ids],
		words:
			ids.length === 1
				? { key: "did.deleted", values: { name: names[0]! } }
				: { key: "did.deleted_many", values: { n: ids.length } },
		patch: () => undefined,
		again: () => remove(store, ids),
		request: (real) =>
			real.length === 1
				? { method: "DELETE", path: `/projects/${store.id}/stories/${real[0]}` }
				: bulk(store, real, { delete: true }),
	};
}

function bulk(store: Store, ids: readonly number[], body: Record<string, unknown>): Request {
	return { method: "PUT", path: `/projects/${store.id}/stories/bulk`, body: { ids, ...body } };
}

/** The request's place for stories that are moved into a section. */
function placeBody(store: Store, place: Place, ids: readonly number[]): Record<string, unknown> {
	if ("before" in place) return { before_id: place.before };
	if ("after" in place) return { after_id: place.after };
	const byHand = place.group === "current" && store.project.peek()?.automatic_planning === false;
	const section = byHand ? "planned" : place.group === "icebox" ? "icebox" : "backlog";
	const list = store.confirmedPlaces[section].filter((id) => !ids.includes(id) && id > 0);
	const anchor = place.end === "top" ? list[0] : list[list.length - 1];
	if (anchor !== undefined) return place.end === "top" ? { before_id: anchor } : { after_id: anchor };
	return { group: byHand ? "current" : place.group === "icebox" ? "unscheduled" : "scheduled" };
}

/** Moves one or several stories to a place; they keep their order. */
export function move(store: Store, ids: readonly number[], place: Place, section: Section): Command {
	const automatic = store.project.peek()?.automatic_planning ?? true;
	const was = ids.map((id) => store.peek(id)!);
	const words: Words =
		ids.length === 1
			? { key: "did.moved", values: { name: was[0]!.name } }
			: { key: "did.moved_many", values: { n: ids.length } };
	const states = new Map(was.map((s) => [s.id, stateAt(s, section, automatic)]));
	return {
		ids: [...ids],
		words,
		again: () => move(store, ids, place, section),
		stands: () => ids.every((id) => has(store.peek(id), { current_state: states.get(id) })),
		patch: (story) => story && apply(story, { current_state: stateAt(story, section, automatic) }),
		reorder: (order, real) => regroup(store, order, real, place, section),
		request: (real) => {
			const body = placeBody(store, place, real);
			return real.length === 1
				? { method: "PUT", path: `/projects/${store.id}/stories/${real[0]}`, body }
				: bulk(store, real, body);
		},
		inverses: backEach(store, was, ["current_state"]),
	};
}

/** Work in progress stays in its section wherever it is placed. */
function regroup(store: Store, order: Order, ids: readonly number[], place: Place, section: Section): Order {
	const groups = new Map<Section, number[]>();
	for (const id of ids) {
		const story = store.peek(id);
		const own = story && section !== "icebox" && sectionOf(story.current_state) === "work" ? "work" : section;
		groups.set(own, [...(groups.get(own) ?? []), id]);
	}
	for (const [own, members] of groups) order = placed(order, members, own, place);
	return order;
}

/** The same change to several stories. */
export function changeMany(
	store: Store,
	ids: readonly number[],
	changes: Changes,
	labels: { add?: number[]; remove?: number[] } = {},
): Command {
	const was = ids.flatMap((id) => store.peek(id) ?? []);
	const patch = (story: Story | undefined) => {
		if (!story) return story;
		const gone = new Set(labels.remove ?? []);
		const label_ids = [...new Set([...story.label_ids, ...(labels.add ?? [])])].filter((id) => !gone.has(id));
		return apply(story, { ...changes, label_ids });
	};
	return {
		ids: [...ids],
		inverses: changes.current_state
			? backEach(store, was, Object.keys(changes))
			: backMany(store, was, changes, labels.add || labels.remove ? ["label_ids"] : []),
		words: { key: "did.changed_many", values: { n: ids.length } },
		again: () => changeMany(store, ids, changes, labels),
		stands: () => was.every((s) => has(store.peek(s.id), { ...changes, label_ids: patch(s)!.label_ids })),
		patch,
		request: (real) =>
			bulk(store, real, {
				...(Object.keys(changes).length ? { changes } : {}),
				...(labels.add?.length ? { add_label_ids: labels.add } : {}),
				...(labels.remove?.length ? { remove_label_ids: labels.remove } : {}),
			}),
	};
}

/** Restores the last one first, so that the story after each one is already back in place. */
function backEach(store: Store, was: readonly Story[], names: readonly string[]): (() => Command)[] {
	const spots = was.map((s) => (sectionOf(s.current_state) === "done" ? null : neighbours(store.order.peek(), s.id)));
	return was.map((s, i) => () => restore(store, s.id, s, former(s, names), spots[i]!)).reverse();
}

/** Stories that had the same values are restored together. */
function backMany(store: Store, was: readonly Story[], changes: Changes, more: readonly string[]): (() => Command)[] {
	const names = [...Object.keys(changes), ...more];
	const groups = new Map<string, { fields: Changes; ids: number[] }>();
	for (const story of was) {
		const fields = former(story, names);
		const key = JSON.stringify(fields);
		const group = groups.get(key) ?? { fields, ids: [] };
		group.ids.push(story.id);
		groups.set(key, group);
	}
	return [...groups.values()].map(
		({ fields, ids }) =>
			() =>
				changeMany(store, ids, fields),
	);
}
