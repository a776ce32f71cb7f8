/**
 * A change that a person makes on the board: how it looks at once, which request asks for it, the words
 * that tell it, and what takes it back.
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
	/** The story as it shall be; undefined: it is gone. */
	patch: (story: Story | undefined, id: number) => Story | undefined;
	reorder?: (order: Order, ids: readonly number[]) => Order;
	/** Asked for when it is sent, as ids may have changed. */
	request: (ids: readonly number[]) => Request;
	/** What takes it back, made when it is answered or before. */
	inverse?: () => Command | null;
	/** Of a change that takes several to take back: each is made when those before it are shown. */
	inverses?: (() => Command)[];
	/** By which the server knows a POST again. */
	key?: string;
	/** Called with the story when the server answered. */
	done?: (story: Story) => void;
	/** Called with the server's words when it was refused. */
	refused?: (words: string) => void;
	/** Of a request about something else than a story of this board: takes its answer, before it ends. */
	answered?: (data: unknown) => void;
	/** With `answered`: tells whether a request whose answer was lost was done all the same. */
	wasDone?: () => Promise<boolean>;
	/** The stories are not on this board afterwards. */
	leaves?: boolean;
	/** What hangs on `of` as it shall be (model/parts.ts). */
	of?: string;
	detail?: (detail: Detail) => Detail;
	/** What it adds there, as it looks until the server answers. */
	adds?: { kind: Kind; item: object };
	/** What it sends is kept as a draft until it is answered. */
	isDraft?: boolean;
	/** Of a page that went away (model/outbox.ts). */
	isOld?: boolean;
	/** Not sent before release. */
	held?: boolean;
}
