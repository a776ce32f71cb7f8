/** What begins a session: loaded with the pages that do so. */
import { post, put } from "../api/http";
import type * as api from "../api/types.gen";
import { asked, FIELDS, forgetMe, renewal, take } from "../app/session";

export async function signInWith(path: string, proof: object): Promise<void> {
	take((await post<api.Me>(`${path}?fields=${FIELDS}`, proof, { isProof: true })).data);
	asked.value = true;
}

export const signIn = (login: string, password: string, code?: string): Promise<void> =>
	signInWith("/session", { login, password, code });

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
			() => false, // the code was wrong, but the password was changed all the same
		);
	} finally {
		renewal.runs = false;
	}
	if (!isIn) forgetMe();
}
