/** Browsers in which the user is signed in. */
import { del, get } from "../api/http";
import { formatTime, t } from "../text/i18n";
import { go } from "../app/router";
import { signOut } from "../app/session";
import { warn } from "../app/toast";
import { useLoaded, Waiting, wordsOf } from "../app/loaded";
import { Block } from "./page_kit";

interface Session {
	id: number;
	agent?: string;
	current?: boolean;
	created_at?: string;
	used_at?: string;
}

const BROWSERS = [
	["Edg/", "Edge"],
	["OPR/", "Opera"],
	["Firefox/", "Firefox"],
	["Chrome/", "Chrome"],
	["Safari/", "Safari"],
] as const;
const SYSTEMS = [
	["Android", "Android"],
	["iPhone", "iPhone"],
	["iPad", "iPad"],
	["Windows", "Windows"],
	["Mac OS", "macOS"],
	["Linux", "Linux"],
] as const;

/** "Firefox, Linux" from a user agent; otherwise the user agent itself. */
function nameOf(agent: string): string {
	const find = (rows: readonly (readonly [string, string])[]) => rows.find(([word]) => agent.includes(word))?.[1];
	return [find(BROWSERS), find(SYSTEMS)].filter(Boolean).join(", ") || agent || t("sessions.unknown");
}

function Row({ session: s, end }: { session: Session; end: () => void }) {
	const name = nameOf(s.agent ?? "");
	return (
		<li class="line">
			<span class="name" title={s.agent}>
				{name}
				<span class="hint">
					{" "}
					{s.current ? t("sessions.this") : t("sessions.used", { time: formatTime(Date.parse(s.used_at ?? "")) })}
				</span>
			</span>
			<button type="button" aria-label={s.current ? t("sign_out") : t("sessions.end_name", { name })} onClick={end}>
				{t(s.current ? "sign_out" : "sessions.end")}
			</button>
		</li>
	);
}

export function Sessions() {
	const list = useLoaded(async () => (await get<Session[]>("/my/sessions")).data, []);
	const end = async (ended: readonly Session[]) => {
		try {
			for (const session of ended) {
				if (session.current) {
					await signOut();
					go("/signin");
					return;
				}
				await del(`/my/sessions/${session.id}`);
			}
		} catch (error) {
			warn(wordsOf(error));
		}
		await list.again();
	};
	const others = (list.data ?? []).filter((s) => !s.current);
	const all = others.length > 1 && (
		<button type="button" onClick={() => void end(others)}>
			{t("sessions.end_others")}
		</button>
	);
	return (
		<Block title={t("sessions")} hint={t("sessions.hint")} tools={all}>
			{!list.data && <Waiting of={list} />}
			<ul class="lines">
				{list.data?.map((s) => (
					<Row key={s.id} session={s} end={() => void end([s])} />
				))}
			</ul>
		</Block>
	);
}
