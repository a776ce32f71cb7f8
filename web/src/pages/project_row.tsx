/** A project on the dashboard: its progress, and what waits there for the user. */
import type { ComponentChildren } from "preact";
import { put } from "../api/http";
import type * as api from "../api/types.gen";
import { formatDay, formatNumber, t } from "../text/i18n";
import { open, openLayout } from "../app/layout";
import { go } from "../app/router";
import { loadMe, me } from "../app/session";
import { warn } from "../app/toast";
import { wordsOf } from "../app/loaded";
import { Icon } from "../ui/icon";
import { searchOf, type Standing, type Waits } from "./project_standing";

export type Membership = api.MembershipSummary;

async function turnFavorite(m: Membership): Promise<void> {
	try {
		await put(`/projects/${m.project_id}/memberships/${m.id}`, { favorite: !m.favorite });
		await loadMe();
	} catch (error) {
		warn(wordsOf(error));
	}
}

function Star({ membership: m }: { membership: Membership }) {
	return (
		<button
			type="button"
			class={m.favorite ? "quiet icon-only star is-on" : "quiet icon-only star"}
			aria-label={t("dashboard.favorite", { name: m.project_name ?? "" })}
			aria-pressed={m.favorite ?? false}
			onClick={() => void turnFavorite(m)}
		>
			<Icon name="feature" />
		</button>
	);
}

/** Opens the board with the stories that wait for the user. */
function showWaiting(project: number): void {
	const { layout, close } = openLayout(project);
	open(layout, { kind: "search", arg: searchOf(me.peek()?.username ?? "") });
	close();
	go(`/n/projects/${project}`);
}

function Waiting({ project, waits }: { project: number; waits: Waits }) {
	const parts = (["accept", "review", "work"] as const).filter((kind) => waits[kind] > 0);
	if (parts.length === 0) return <>{t("dashboard.waits_nothing")}</>;
	return (
		<button type="button" class="link" onClick={() => showWaiting(project)}>
			{parts.map((kind) => t(`dashboard.waits_${kind}`, { n: waits[kind] })).join(", ")}
		</button>
	);
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
	return (
		<div>
			<dt>{name}</dt>
			<dd>{children}</dd>
		</div>
	);
}

/** The last day of an iteration is the one before the next begins. */
const HOUR = 3_600_000;

function Facts({ project, standing: s }: { project: number; standing: Standing | undefined }) {
	if (!s) return <dl class="facts" />;
	return (
		<dl class="facts">
			<Fact name={t("velocity")}>{formatNumber(s.velocity)}</Fact>
			<Fact name={t("dashboard.ends", { number: s.number })}>{formatDay(s.finish - HOUR, s.zone)}</Fact>
			<Fact name={t("dashboard.accepted")}>
				{t("points_of", { done: s.accepted, n: s.points })}
				<meter min={0} max={Math.max(s.points, 1)} value={s.accepted} aria-hidden="true" />
			</Fact>
			<Fact name={t("dashboard.waits")}>
				<Waiting project={project} waits={s.waits} />
			</Fact>
		</dl>
	);
}

export function ProjectRow({ membership: m, standing }: { membership: Membership; standing: Standing | undefined }) {
	const id = m.project_id ?? 0;
	return (
		<li class="line project-line">
			<Star membership={m} />
			<div class="project-name">
				<a class="name" href={`/n/projects/${id}`}>
					{m.project_name}
				</a>
				<p class="hint">
					{t(`role.${m.role}` as "role.owner")} · <a href={`/projects/${id}/members`}>{t("tab.members")}</a> ·{" "}
					<a href={`/projects/${id}/settings`}>{t("settings")}</a>
				</p>
			</div>
			<Facts project={id} standing={standing} />
		</li>
	);
}
