/** One's own accounts of OpenID providers. */
import { del, get, post } from "../api/http";
import { formatTime, t } from "../text/i18n";
import { useLoaded, Waiting } from "../app/loaded";
import { Block, confirm, Problem, useAction } from "./kit";
import { useWays } from "./ways";

interface Identity {
	id: number;
	provider: string;
	email?: string;
	last_used_at?: string;
}

function Row({ of, label, end }: { of: Identity; label: string; end: () => void }) {
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
			<button type="button" aria-label={t("identities.end_name", { label })} onClick={end}>
				{t("identities.end")}
			</button>
		</li>
	);
}

/** Nothing, where nobody signs in by a provider. */
export function Identities() {
	const ways = useWays();
	const list = useLoaded(async () => (await get<Identity[]>("/my/identities")).data, []);
	const action = useAction();
	const labelOf = (name: string) => ways.data?.providers.find((p) => p.name === name)?.label ?? name;
	const link = (name: string) =>
		action.run(async () => {
			location.assign((await post<{ url: string }>("/my/identities", { provider: name })).data.url);
		});
	const end = ({ id, provider }: Identity) =>
		confirm({
			title: t("identities.end_name", { label: labelOf(provider) }),
			text: t("identities.end_text"),
			button: t("identities.end"),
			act: async () => {
				await del(`/my/identities/${id}`);
				await list.again();
			},
		});
	if (!ways.data || (!ways.data.providers.length && !list.data?.length)) return null;
	return (
		<Block title={t("identities")} hint={t("identities.hint")}>
			{!list.data && <Waiting of={list} />}
			<ul class="lines">
				{list.data?.map((one) => (
					<Row key={one.id} of={one} label={labelOf(one.provider)} end={() => end(one)} />
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
