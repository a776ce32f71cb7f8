/** Who is signed in. The secret is a cookie that this program never sees. */
import { signal } from "@preact/signals-core";
import { del, get, post, Refused } from "../api/http";
import type * as api from "../api/types.gen";

/** Null: nobody, or it is not known yet (`asked`). */
export const me = signal<api.Me | null>(null);
export const asked = signal(false);

/** Throws when nobody answers: then it stays unknown. */
export async function loadMe(): Promise<void> {
	try {
		me.value = (await get<api.Me>("/me")).data;
	} catch (error) {
		if (!(error instanceof Refused) || error.isPassing) throw error;
		me.value = null;
	}
	asked.value = true;
}

export async function signIn(login: string, password: string): Promise<void> {
	me.value = (await post<api.Me>("/session", { login, password })).data;
	asked.value = true;
}

export async function signOut(): Promise<void> {
	await del("/session");
	me.value = null;
}
