/** What begins a session: it loads with the pages that do it. */
import { post, put } from "../api/http";
import type * as api from "../api/types.gen";
import { asked, FIELDS, forgetMe, renewal, take } from "../app/session";

export async function signIn(login: string, password: string, code?: string): Promise<void> {
	take((await post<api.Me>(`/session?fields=${FIELDS}`, { login, password, code }, { isProof: true })).data);
	asked.value = true;
}

export async function changePassword(
	login: string,
	old_password: string,
	new_password: string,
	keep_token: boolean,
	code?: string,
): Promise<void> {
	renewal.runs = true;
	let isIn = false;
	try {
		await put("/me/password", { old_password, new_password, keep_token }, { isProof: true });
		isIn = await signIn(login, new_password, code).then(
			() => true,
			() => false, // the code was wrong: the password is the new one all the same
		);
	} finally {
		renewal.runs = false;
	}
	if (!isIn) forgetMe();
}
