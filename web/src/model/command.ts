/**
 * A change that the user makes on the board: how it looks immediately, which request makes it, the message about it,
 * and what undoes it.
 */
import type { Detail, Kind } from "./detail";
import type { Order } from "./order";
import type { Story } from "./types";

export interface Request {
	method: "POST" | "PUT" | "DELETE";
	path: string;
	body?: unknown;
}

export interface Words {
	key: CommandText;
	values?: Record<string, string | number>;
}

/** `field`: the key of its draft. */
export interface Typed {
	field: string;
	text: string;
}

export type CommandText =
	| "did.added"
	| "did.added_many"
	| "did.changed"
	| "did.changed_many"
	| "did.deleted"
	| "did.deleted_many"
	| "did.estimated"
	| "did.moved"
	| "did.moved_many"
	| "did.state";

export interface Command {
	/** The stories concerned; ids below 0 are our own until the server assigns one. */
	ids: number[];
	words: Words;
	/** The new state of the story; undefined: deleted. */
	patch: (story: Story | undefined, id: number) => Story | undefined;
	reorder?: (order: Order, ids: readonly number[]) => Order;
	/** Called when it is sent, since ids may have changed by then. */
	request: (ids: readonly number[]) => Request;
	/** What undoes it; called after the answer or before. */
	inverse?: () => Command | null;
	/** For a change that takes several commands to undo: each is created once the previous ones are shown. */
	inverses?: (() => Command)[];
	/** Makes the same change again, after it was undone. */
	again?: () => Command;
	/** False: what it changed has been changed again since. */
	stands?: () => boolean;
	/** Loads what must be known before it can be sent; false: there is nothing to do any more. */
	prepare?: () => Promise<boolean>;
	/** The key by which the server recognizes a repeated POST. */
	key?: string;
	/** Called with the story when the server has answered. */
	done?: (story: Story) => void;
	/** Called with the server's message when it was refused. */
	refused?: (words: string) => void;
	/** For a request about something other than a story of this board: takes its answer before the command ends. */
	answered?: (data: unknown) => void;
	/** With `answered`: whether a request whose answer was lost was carried out anyway. */
	wasDone?: () => Promise<boolean>;
	/** Afterwards, the stories are not on this board. */
	leaves?: boolean;
	/** How it changes the parts of `of` (model/parts.ts). */
	of?: string;
	detail?: (detail: Detail) => Detail;
	/** What it adds there, as it looks until the server answers. */
	adds?: { kind: Kind; item: object };
	/** What was typed for it into a field of `of`: it goes back there if it is refused. */
	typed?: Typed;
	/** What it sends is stored as a draft until the server answers. */
	isDraft?: boolean;
	/** It was left over from a page that is gone (model/outbox.ts). */
	isOld?: boolean;
	/** Not sent until it is released. */
	held?: boolean;
}
