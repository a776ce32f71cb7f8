/** Exchanges between the browser and the server about passkeys. */
import { get, post, Refused } from "../api/http";
import { t, type Key } from "../text/i18n";
import { signInWith } from "./entering";
import type { Ways } from "./sign_in_ways";

/** Whether the server accepts passkeys, and the browser can read the server's options. */
export const mayHavePasskeys = (ways: Ways | null | undefined): boolean =>
	!!ways?.passkey && "PublicKeyCredential" in window && "parseRequestOptionsFromJSON" in PublicKeyCredential;

/**
 * The browser's own errors (the user cancelled, there is no passkey) are written for programmers: this throws `words`
 * instead.
 */
async function asked(credential: Promise<Credential | null>, words: Key): Promise<PublicKeyCredential> {
	const found = await credential.catch(() => null);
	if (!found) throw new Refused(400, { general_problem: t(words) }, 0);
	return found as PublicKeyCredential;
}

export async function addPasskey(name: string, password: string, code?: string): Promise<void> {
	const { data } = await post<{ options: PublicKeyCredentialCreationOptionsJSON }>(
		"/my/passkeys/options",
		{ password, code },
		{ isProof: true },
	);
	const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(data.options);
	const made = await asked(navigator.credentials.create({ publicKey }), "passkeys.none");
	const { response } = made.toJSON() as RegistrationResponseJSON;
	await post("/my/passkeys", {
		name,
		client_data: response.clientDataJSON,
		authenticator_data: response.authenticatorData,
		public_key: response.publicKey,
		alg: response.publicKeyAlgorithm,
	});
}

export async function enterByPasskey(): Promise<void> {
	const { data } = await get<{ options: PublicKeyCredentialRequestOptionsJSON }>("/session/passkey");
	const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(data.options);
	const shown = await asked(navigator.credentials.get({ publicKey }), "signin.no_passkey");
	const { rawId, response } = shown.toJSON() as AuthenticationResponseJSON;
	await signInWith("/session/passkey", {
		credential: rawId,
		client_data: response.clientDataJSON,
		authenticator_data: response.authenticatorData,
		signature: response.signature,
	});
}
