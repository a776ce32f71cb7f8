/** Who is signed in. The secret is a cookie that this program never sees. */
import { effect, signal } from "@preact/signals-core";
import { del, get, Refused } from "../api/http";
import { draftsOf, WHO } from "../model/unsaved";
import { setLanguage, type Language } from "../text/i18n";
import type * as api from "../api/types.gen";

/** Null: nobody, or not known yet (see `asked`). */
export const me = signal<api.Me | null>(null);
export const asked = signal(false);

/** Does it once it is known who is signed in: a board is there, and can be used, before. */
export function whenKnown(act: () => void): void {
	if (asked.peek()) return act();
	const stop = effect(() => {
		if (!asked.value) return;
		queueMicrotask(() => {
			stop();
			act();
		});
	});
}

export const FIELDS = ":default,personal_settings";

/** What this program stores about a person on the server, for all of their devices. */
export interface Kept {
	language?: Language;
}

export function keptOf(person: api.Me): Kept {
	const { web } = (person.personal_settings ?? {}) as { web?: Kept };
	return web ?? {};
}

// The other tabs have the same cookie.
globalThis.addEventListener?.("storage", ({ key, newValue }) => {
	const own = me.peek()?.id;
	if (key === WHO && newValue !== (own ? String(own) : null)) location.reload();
});

export function take(person: api.Me): void {
	draftsOf(person.id!);
	ended.value = false;
	me.value = person;
	setLanguage(keptOf(person).language ?? null);
}

/** The session ended while somebody was working. */
export const ended = signal(false);

/** A new password ends the session that set it: refusals mean nothing until the next session has begun. */
export const renewal = { runs: false };

/** A request was refused in the way that strangers are. */
export function forgetMe(): void {
	if (renewal.runs) return;
	if (me.peek()) ended.value = true;
	me.value = null;
	asked.value = true;
}

/** Throws if there is no answer: then it stays unknown who is signed in. */
export async function loadMe(): Promise<void> {
	if (renewal.runs) return;
	try {
		take((await get<api.Me>("/me", { fields: FIELDS })).data);
	} catch (error) {
		if (!(error instanceof Refused) || error.isPassing) throw error;
		forgetMe();
	}
	asked.value = true;
}

export async function signOut(): Promise<void> {
	const { data } = await del<{ end_session_url?: string } | undefined>("/session");
	draftsOf(null);
	me.value = null;
	// Signs out at the provider, too, which leads back here.
	if (data?.end_session_url) location.assign(data.end_session_url);
}
