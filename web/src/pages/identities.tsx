/** The user's accounts at OpenID providers. */
import { get, post } from "../api/http";
import { formatTime, t } from "../text/i18n";
import { useLoaded, Waiting } from "../app/loaded";
import { Block, Problem, useAction } from "./page_kit";
import { RemoveButton } from "./remove_button";
import { useWays } from "./sign_in_ways";

interface Identity {
	id: number;
	provider: string;
	email?: string;
	last_used_at?: string;
}

function Row({ of, label, ended }: { of: Identity; label: string; ended: () => Promise<void> }) {
	const used = of.last_used_at;
	return (
		<li class="line">
			<span class="name">
				<bdi>{label}</bdi>
				<span class="hint">
					{" "}
					{of.email && `${of.email} · `}
					{used ? t("sessions.used", { time: formatTime(Date.parse(used)) }) : t("tokens.unused")}
				</span>
			</span>
			<RemoveButton
				path={`/my/identities/${of.id}`}
				label={t("identities.end_name", { label })}
				text={t("identities.end_text")}
				words={t("identities.end")}
				then={ended}
			/>
		</li>
	);
}

/** Renders nothing if the server has no providers and the user no identities. */
export function Identities() {
	const ways = useWays();
	const list = useLoaded(async () => (await get<Identity[]>("/my/identities")).data, []);
	const action = useAction();
	const labelOf = (name: string) => ways.data?.providers.find((p) => p.name === name)?.label ?? name;
	const link = (name: string) =>
		action.run(async () => {
			location.assign((await post<{ url: string }>("/my/identities", { provider: name })).data.url);
		});
	if (!ways.data || (!ways.data.providers.length && !list.data?.length)) return null;
	return (
		<Block title={t("identities")} hint={t("identities.hint")}>
			{!list.data && <Waiting of={list} />}
			<ul class="lines">
				{list.data?.map((one) => (
					<Row key={one.id} of={one} label={labelOf(one.provider)} ended={list.again} />
				))}
			</ul>
			<p class="actions">
				{ways.data.providers.map(({ name, label }) => (
					<button key={name} type="button" disabled={action.busy} onClick={() => void link(name)}>
						{t("identities.link", { label })}
					</button>
				))}
			</p>
			<Problem of={action} />
		</Block>
	);
}
