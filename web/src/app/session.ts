/** Who is signed in. The secret is a cookie that this program never sees. */
import { signal } from "@preact/signals-core";
import { del, get, post, put, Refused } from "../api/http";
import { draftsOf, WHO } from "../model/unsaved";
import { setLanguage, type Language } from "../text/i18n";
import type * as api from "../api/types.gen";

/** Null: nobody, or not known yet (`asked`). */
export const me = signal<api.Me | null>(null);
export const asked = signal(false);

const FIELDS = ":default,personal_settings";

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

function take(person: api.Me): void {
	draftsOf(person.id!);
	me.value = person;
	setLanguage(keptOf(person).language ?? null);
}

/** A new password ends the session that requests it: refusals until the next session begins mean nothing. */
let renews = false;

/** A request was refused as a stranger's is. */
export function forgetMe(): void {
	if (renews) return;
	me.value = null;
	asked.value = true;
}

export async function changePassword(
	login: string,
	old_password: string,
	new_password: string,
	keep_token: boolean,
	code?: string,
): Promise<void> {
	renews = true;
	let isIn = false;
	try {
		await put("/me/password", { old_password, new_password, keep_token }, { isProof: true });
		isIn = await signIn(login, new_password, code).then(
			() => true,
			() => false, // the code was wrong: the password is the new one all the same
		);
	} finally {
		renews = false;
	}
	if (!isIn) forgetMe();
}

/** Throws if there is no answer: then it stays unknown. */
export async function loadMe(): Promise<void> {
	if (renews) return;
	try {
		take((await get<api.Me>("/me", { fields: FIELDS })).data);
	} catch (error) {
		if (!(error instanceof Refused) || error.isPassing) throw error;
		forgetMe();
	}
	asked.value = true;
}

export async function signIn(login: string, password: string, code?: string): Promise<void> {
	take((await post<api.Me>(`/session?fields=${FIELDS}`, { login, password, code }, { isProof: true })).data);
	asked.value = true;
}

export async function signOut(): Promise<void> {
	await del("/session");
	draftsOf(null);
	me.value = null;
}
