/** The user's password and API token. Neither is shown or changed without the password. */
import { useState } from "preact/hooks";
import { post, Refused, ROOT, Unreached } from "../api/http";
import type * as api from "../api/types.gen";
import { t } from "../text/i18n";
import { changePassword } from "./entering";
import { say } from "../app/toast";
import { Block, Form, useAction } from "./page_kit";
import { CodeField } from "./second_factor";

/** Tells password managers whose password it is. */
function Whose({ mine }: { mine: api.Me }) {
	return (
		<input
			class="hidden"
			name="login"
			value={mine.username}
			autocomplete="username"
			readOnly
			tabIndex={-1}
			aria-hidden="true"
		/>
	);
}

export function Password({ mine }: { mine: api.Me }) {
	const action = useAction();
	const send = async (from: Record<string, string>) => {
		await changePassword(mine.username ?? "", from.old ?? "", from.new ?? "", from.keep === "true", from.code);
		say(t("profile.password_changed"));
	};
	return (
		<Block title={t("field.password")} hint={t("profile.password_hint")}>
			<Form action={action} submit={t("profile.change_password")} send={send} class="row-form">
				<Whose mine={mine} />
				<label>
					{t("profile.present")}
					<input name="old" type="password" required autocomplete="current-password" />
				</label>
				<label>
					{t("profile.new_password")}
					<input name="new" type="password" required minLength={8} autocomplete="new-password" />
				</label>
				{mine.twofactor_auth_enabled && <CodeField />}
				<label class="check">
					<input name="keep" type="checkbox" value="true" />
					{t("profile.keep_token")}
				</label>
			</Form>
		</Block>
	);
}

/** The server returns the token only for the password, not for a session. */
async function fetchToken(login: string, password: string): Promise<string> {
	const bytes = new TextEncoder().encode(`${login}:${password}`);
	const answer = await fetch(`${ROOT}/me?fields=api_token`, {
		credentials: "omit",
		cache: "no-store",
		headers: { Authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` },
	}).catch(() => {
		throw new Unreached();
	});
	const body = (await answer.json()) as api.Me & Partial<api.Error>;
	if (!answer.ok) throw new Refused(answer.status, body, Number(answer.headers.get("Retry-After") ?? 0));
	return body.api_token ?? "";
}

export function Token({ mine }: { mine: api.Me }) {
	const shown = useAction();
	const [token, setToken] = useState("");
	const isHidden = mine.twofactor_auth_enabled ?? false; // the password alone does not return it
	const [wished, setRenew] = useState(false);
	const renew = isHidden || wished;
	const send = async (from: Record<string, string>, form: HTMLFormElement) => {
		const password = from.password ?? "";
		if (renew) {
			const { data } = await post<api.ApiToken>("/me/token", { password }, { isProof: true });
			setToken(data.api_token ?? "");
		} else setToken(await fetchToken(mine.username ?? "", password));
		form.reset();
		setRenew(false);
	};
	return (
		<Block title={t("profile.token")} hint={t(isHidden ? "profile.token_hidden" : "profile.token_hint")}>
			{token && (
				<p class="secret">
					<code>{token}</code>
					<button type="button" onClick={() => setToken("")}>
						{t("profile.hide")}
					</button>
				</p>
			)}
			<Form action={shown} submit={t(renew ? "profile.renew" : "profile.show")} send={send} class="row-form">
				<Whose mine={mine} />
				<label>
					{t("profile.present")}
					<input name="password" type="password" required autocomplete="current-password" />
				</label>
				<label class="check">
					<input
						type="checkbox"
						checked={renew}
						disabled={isHidden}
						onChange={(event) => setRenew(event.currentTarget.checked)}
					/>
					{t("profile.renew_hint")}
				</label>
			</Form>
		</Block>
	);
}
