/** The user's own passkeys. */
import { get } from "../api/http";
import type * as api from "../api/types.gen";
import { formatTime, t } from "../text/i18n";
import { useLoaded, Waiting } from "../app/loaded";
import { me } from "../app/session";
import { Block, Form, useAction } from "./page_kit";
import { RemoveButton } from "./remove_button";
import { addPasskey, mayHavePasskeys } from "./passkey";
import { CodeField } from "./second_factor";
import { useWays } from "./sign_in_ways";

const PATH = "/my/passkeys";

function Add({ done }: { done: () => Promise<void> }) {
	const action = useAction();
	const send = async ({ name = "", password = "", code }: Record<string, string>, form: HTMLFormElement) => {
		await addPasskey(name, password, code);
		form.reset();
		await done();
	};
	return (
		<Form action={action} submit={t("passkeys.add")} send={send} class="row-form">
			<label>
				{t("field.name")}
				<input name="name" required maxLength={100} autocomplete="off" />
			</label>
			<label>
				{t("profile.present")}
				<input name="password" type="password" required autocomplete="current-password" />
			</label>
			{me.value?.twofactor_auth_enabled && <CodeField />}
		</Form>
	);
}

function Row({ of: { id, name = "", last_used_at: used }, ended }: { of: api.Passkey; ended: () => Promise<void> }) {
	return (
		<li class="line">
			<span class="name">
				<bdi>{name}</bdi>
				<span class="hint">
					{" "}
					{used ? t("sessions.used", { time: formatTime(Date.parse(used)) }) : t("tokens.unused")}
				</span>
			</span>
			<RemoveButton
				path={`${PATH}/${id}`}
				label={t("passkeys.end_name", { name })}
				text={t("passkeys.end_text")}
				words={t("passkeys.end")}
				then={ended}
			/>
		</li>
	);
}

/** Shown on the profile; renders nothing where there are none and none can be added. */
export function Passkeys() {
	const ways = useWays();
	const list = useLoaded(async () => (await get<api.Passkey[]>(PATH)).data, []);
	if (!mayHavePasskeys(ways.data) && !list.data?.length) return null;
	return (
		<Block title={t("passkeys")} hint={t("passkeys.hint")}>
			{!list.data && <Waiting of={list} />}
			<ul class="lines">
				{list.data?.map((one) => (
					<Row key={one.id} of={one} ended={list.again} />
				))}
			</ul>
			{mayHavePasskeys(ways.data) && <Add done={list.again} />}
		</Block>
	);
}
