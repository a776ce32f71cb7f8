/**
 * A change that the user makes on the board: how it looks at once, which request makes it, the message about it,
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
	/** Stories concerned; numbers below 0 are our own until the server gives one. */
	ids: number[];
	words: Words;
	/** The new state of the story; undefined: deleted. */
	patch: (story: Story | undefined, id: number) => Story | undefined;
	reorder?: (order: Order, ids: readonly number[]) => Order;
	/** Asked for when it is sent, as ids may have changed. */
	request: (ids: readonly number[]) => Request;
	/** What takes it back, made when it is answered or before. */
	inverse?: () => Command | null;
	/** For a change that takes several commands to undo: each is made once those before it are shown. */
	inverses?: (() => Command)[];
	/** The same once more, after it was taken back. */
	again?: () => Command;
	/** False: what it did is not as it left it. */
	stands?: () => boolean;
	/** What must be known before it can be sent; false: there is nothing to do any more. */
	prepare?: () => Promise<boolean>;
	/** The key by which the server recognizes a repeated POST. */
	key?: string;
	/** Called with the story when the server answered. */
	done?: (story: Story) => void;
	/** Called with the server's words when it was refused. */
	refused?: (words: string) => void;
	/** For a request about something other than a story of this board: takes its answer, before it ends. */
	answered?: (data: unknown) => void;
	/** With `answered`: whether a request whose answer was lost was done anyway. */
	wasDone?: () => Promise<boolean>;
	/** The stories are not on this board afterwards. */
	leaves?: boolean;
	/** The new parts of `of` (model/parts.ts). */
	of?: string;
	detail?: (detail: Detail) => Detail;
	/** What it adds there, as it looks until the server answers. */
	adds?: { kind: Kind; item: object };
	/** What it sends is stored as a draft until it is answered. */
	isDraft?: boolean;
	/** Of a page that went away (model/outbox.ts). */
	isOld?: boolean;
	/** Not sent before release. */
	held?: boolean;
}
