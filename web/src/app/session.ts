/** Who is signed in. The secret is a cookie that this program never sees. */
import { signal } from "@preact/signals-core";
import { del, get, Refused } from "../api/http";
import { draftsOf, WHO } from "../model/unsaved";
import { setLanguage, type Language } from "../text/i18n";
import type * as api from "../api/types.gen";

/** Null: nobody, or not known yet (`asked`). */
export const me = signal<api.Me | null>(null);
export const asked = signal(false);

export const FIELDS = ":default,personal_settings";

/** What this program keeps of a person on the server, for all of their devices. */
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

/** The session ended while somebody worked. */
export const ended = signal(false);

/** A new password ends the session that requests it: refusals until the next session begins mean nothing. */
export const renewal = { runs: false };

/** A request was refused as a stranger's is. */
export function forgetMe(): void {
	if (renewal.runs) return;
	if (me.peek()) ended.value = true;
	me.value = null;
	asked.value = true;
}

/** Throws if there is no answer: then it stays unknown. */
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
	// To sign out at the provider, too, which leads back.
	if (data?.end_session_url) location.assign(data.end_session_url);
}
