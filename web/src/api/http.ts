/**
 * Requests to the server. The session is a cookie that scripts cannot read; a header says that this page sent the
 * request: without it, the server does not accept the cookie. Paths are below /services/v5.
 */
import { signal } from "@preact/signals-core";
import type * as api from "./types.gen";

export const ROOT = "/services/v5";

/** The server refused: its status and its message. */
export class Refused extends Error {
	constructor(
		readonly status: number,
		readonly body: Partial<api.Error>,
		readonly retryAfter: number,
	) {
		super(words(body) || `HTTP ${status}`);
	}

	/** It may succeed later: the request itself is not wrong. */
	get isPassing(): boolean {
		return this.status === 429 || this.status >= 502;
	}

	get isSignedOut(): boolean {
		return this.status === 401 || this.body.code === "invalid_authentication";
	}
}

/** There was no answer: no network, or no server. */
export class Unreached extends Error {}

/** The same request may succeed later. */
export const passes = (error: unknown): boolean =>
	error instanceof Unreached || (error instanceof Refused && error.isPassing);

function words(body: Partial<api.Error>): string {
	const { general_problem: problem, requirement, error, possible_fix } = body;
	return [requirement ?? problem ?? error, possible_fix].filter(Boolean).join(" ");
}

export interface Reply<T> {
	data: T;
	/** The project's version after the request; 0 outside projects. */
	version: number;
	/** This request made that version. */
	isNew: boolean;
	/** For a paged list, the total; otherwise 0. */
	total: number;
	headers: Headers;
}

export interface Options {
	query?: Record<string, string | number | boolean | undefined>;
	signal?: AbortSignal;
	/** Sent even while the page is being left. */
	keepalive?: boolean;
	/** The request includes a password: if that is wrong, it does not mean that nobody is signed in. */
	isProof?: boolean;
	headers?: Record<string, string>;
}

/** Incremented when an answer says that nobody is, or perhaps nobody is, signed in any more. */
export const signedOut = signal(0);
export const doubtful = signal(0);
/** The person must set up a second factor before anything else. */
export const mustEnrol = signal(false);

function address(path: string, query: Options["query"]): string {
	const params = new URLSearchParams();
	for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) params.set(name, String(value));
	const text = params.toString();
	return ROOT + path + (text ? (path.includes("?") ? "&" : "?") + text : "");
}

async function readError(response: Response): Promise<Refused> {
	const body = await response.json().catch(() => ({}));
	const wait = Number(response.headers.get("Retry-After") ?? 0);
	return new Refused(response.status, body as Partial<api.Error>, wait);
}

export async function call<T>(method: string, path: string, body?: unknown, options: Options = {}): Promise<Reply<T>> {
	const headers: Record<string, string> = { "X-Requested-With": "planwright", ...options.headers };
	const init: RequestInit = { method, headers, credentials: "same-origin" };
	if (body instanceof FormData) init.body = body;
	else if (body !== undefined) {
		init.body = JSON.stringify(body);
		headers["Content-Type"] = "application/json";
	}
	if (options.signal) init.signal = options.signal;
	if (options.keepalive) init.keepalive = true;
	let response: Response;
	try {
		response = await fetch(address(path, options.query), init);
	} catch (error) {
		if (error instanceof DOMException && error.name === "AbortError") throw error;
		throw new Unreached();
	}
	if (!response.ok) {
		const refused = await readError(response);
		if (options.isProof) throw refused;
		if (refused.body.code === "second_factor_enrolment_required") mustEnrol.value = true;
		else if (refused.isSignedOut) signedOut.value++;
		// Without a cookie one is a stranger, and strangers are refused in the same words as non-members.
		else if (refused.status === 403 && path !== "/me") doubtful.value++;
		throw refused;
	}
	const number = (name: string) => Number(response.headers.get(name) ?? 0);
	try {
		return {
			data: (response.status === 204 ? undefined : await response.json()) as T,
			version: number("X-Tracker-Project-Version") || number("X-Service-Project-Version"),
			isNew: Boolean(number("X-Tracker-Project-Changed") || number("X-Service-Project-Changed")),
			total: number("X-Tracker-Pagination-Total"),
			headers: response.headers,
		};
	} catch {
		throw new Unreached(); // the connection broke off in the middle of the body
	}
}

export const get = <T>(path: string, query?: Options["query"], options?: Options) =>
	call<T>("GET", path, undefined, { ...options, query });
export const post = <T>(path: string, body?: unknown, options?: Options) => call<T>("POST", path, body, options);
export const put = <T>(path: string, body?: unknown, options?: Options) => call<T>("PUT", path, body, options);
export const del = <T = void>(path: string, options?: Options & { body?: unknown }) =>
	call<T>("DELETE", path, options?.body, options);
