/** Stories that panels gather from the whole project. */
import { blockersOf } from "./states";
import { flat, type Order } from "./order";
import type { Story } from "./types";

type Look = (id: number) => Story | undefined;

function pick(order: Order, look: Look, wanted: (story: Story) => boolean): number[] {
	return flat(order).filter((id) => {
		const story = look(id);
		return story !== undefined && wanted(story);
	});
}

/** Stories that a person owns and that are not accepted. */
export function myWork(order: Order, look: Look, me: number): number[] {
	return pick(order, look, (s) => s.current_state !== "accepted" && s.owner_ids.includes(me));
}

export function blocked(order: Order, look: Look): number[] {
	return pick(order, look, (s) => s.current_state !== "accepted" && blockersOf(s) > 0);
}

export function withLabel(order: Order, look: Look, label: number): number[] {
	return pick(order, look, (s) => s.label_ids.includes(label));
}

export function ownedBy(order: Order, look: Look, person: number): number[] {
	return pick(order, look, (s) => s.owner_ids.includes(person));
}
