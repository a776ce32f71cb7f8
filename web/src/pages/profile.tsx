/** What people say about themselves, and what secures their account. */
import { useState } from "preact/hooks";
import { put } from "../api/http";
import type * as api from "../api/types.gen";
import { LANGUAGES, t, type Language } from "../text/i18n";
import { keptOf, loadMe, me } from "../app/session";
import { say } from "../app/toast";
import { Block, Form, useAction, usePage } from "./page_kit";
import { Identities } from "./identities";
import { Passkeys } from "./passkeys";
import { Password, Token } from "./profile_secrets";
import { SecondFactorBlock } from "./second_factor";
import { Sessions } from "./sessions";
import { Tokens } from "./tokens";
import { ZoneField } from "./zone";

const NAMES: Record<Language, string> = { en: "English", de: "Deutsch" };

function LanguageField({ mine }: { mine: api.Me }) {
	const kept = keptOf(mine).language ?? "";
	return (
		<label>
			{t("field.language")}
			<select name="language" defaultValue={kept}>
				<option value="">{t("profile.browser")}</option>
				{LANGUAGES.map((word) => (
					<option key={word} value={word} lang={word} selected={word === kept}>
						{NAMES[word]}
					</option>
				))}
			</select>
		</label>
	);
}

function Self({ mine }: { mine: api.Me }) {
	const action = useAction();
	const send = async (from: Record<string, string>) => {
		const old: Record<string, unknown> = { ...mine, time_zone: mine.time_zone?.olson_name };
		const body: api.PutMeBody = {};
		for (const name of ["name", "initials", "username", "time_zone"] as const)
			if (from[name] !== old[name]) body[name] = from[name] ?? "";
		const { language, ...kept } = keptOf(mine);
		const chosen = (from.language || undefined) as Language | undefined;
		if (chosen !== language) body.personal_settings = { web: chosen ? { ...kept, language: chosen } : kept };
		if (Object.keys(body).length === 0) return say(t("page.saved"));
		await put("/me", body);
		await loadMe();
		say(t("page.saved"));
	};
	return (
		<Block title={t("profile")}>
			<Form action={action} submit={t("save")} send={send}>
				<div class="grid">
					<label>
						{t("field.name")}
						<input name="name" required maxLength={255} defaultValue={mine.name} autocomplete="name" />
					</label>
					<label>
						{t("field.initials")}
						<input name="initials" required maxLength={10} defaultValue={mine.initials} autocomplete="off" />
					</label>
					<label>
						{t("field.username")}
						<input name="username" required maxLength={100} defaultValue={mine.username} autocomplete="username" />
					</label>
					<ZoneField value={mine.time_zone?.olson_name ?? "Etc/UTC"} />
					<LanguageField mine={mine} />
				</div>
			</Form>
		</Block>
	);
}

function Address({ mine }: { mine: api.Me }) {
	const action = useAction();
	const [email, setEmail] = useState(mine.email ?? "");
	const send = async (from: Record<string, string>, form: HTMLFormElement) => {
		await put("/me", { email: from.email, password: from.password }, { isProof: true });
		await loadMe();
		form.reset();
		say(t("page.saved"));
	};
	return (
		<Block title={t("field.email")} hint={t("profile.email_hint")}>
			<Form action={action} submit={t("profile.change_email")} send={send} class="row-form">
				<label>
					{t("field.email")}
					<input
						name="email"
						type="email"
						required
						maxLength={255}
						value={email}
						autocomplete="email"
						onInput={(event) => setEmail(event.currentTarget.value)}
					/>
				</label>
				<label>
					{t("profile.present")}
					<input name="password" type="password" required autocomplete="current-password" />
				</label>
			</Form>
		</Block>
	);
}

export default function ProfilePage() {
	usePage(t("profile"));
	const mine = me.value;
	if (!mine) return null;
	return (
		<main class="page">
			<div class="sheet">
				<Self mine={mine} />
				<Address mine={mine} />
				<Password mine={mine} />
				<Identities />
				<SecondFactorBlock />
				<Passkeys />
				<Token mine={mine} />
				<Tokens />
				<Sessions />
			</div>
		</main>
	);
}
