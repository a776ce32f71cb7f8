/** All projects and workspaces of the person, and how to begin. */
import { useEffect } from "preact/hooks";
import { get, put } from "../api/http";
import type * as api from "../api/types.gen";
import { t } from "../text/i18n";
import { loadMe, me } from "../app/session";
import { warn } from "../app/toast";
import { shownDialog } from "../ui/dialog";
import { Icon } from "../ui/icon";
import { useLoaded, Waiting, wordsOf } from "../app/loaded";
import { Block, usePage } from "./kit";
import { NewProject } from "./new_project";
import { AccountLinks } from "./account_links";
import { EditWorkspace } from "./edit_workspace";

type Membership = api.MembershipSummary;

async function turnFavorite(m: Membership): Promise<void> {
	try {
		await put(`/projects/${m.project_id}/memberships/${m.id}`, { favorite: !m.favorite });
		await loadMe();
	} catch (error) {
		warn(wordsOf(error));
	}
}

function ProjectRow({ membership: m }: { membership: Membership }) {
	return (
		<li class="line">
			<button
				type="button"
				class={m.favorite ? "quiet icon-only star is-on" : "quiet icon-only star"}
				aria-label={t("dashboard.favorite", { name: m.project_name ?? "" })}
				aria-pressed={m.favorite ?? false}
				onClick={() => void turnFavorite(m)}
			>
				<Icon name="feature" />
			</button>
			<a class="name" href={`/n/projects/${m.project_id}`}>
				{m.project_name}
			</a>
			<span class="hint">{t(`role.${m.role}` as "role.owner")}</span>
			<a href={`/projects/${m.project_id}/members`}>{t("tab.members")}</a>
			<a href={`/projects/${m.project_id}/settings`}>{t("settings")}</a>
		</li>
	);
}

const newProject = () => {
	shownDialog.value = <NewProject />;
};

function FirstSteps() {
	const canMake = (me.value?.accounts ?? []).length > 0;
	return (
		<div class="first-steps">
			<h3>{t("dashboard.first")}</h3>
			<p>{t(canMake ? "dashboard.first_text" : "dashboard.none")}</p>
			<p class="actions">
				<button type="button" class="primary" onClick={newProject}>
					{t("dashboard.new_project")}
				</button>
			</p>
		</div>
	);
}

function Projects() {
	const all = [...(me.value?.projects ?? [])].sort(
		(a, b) =>
			Number(b.favorite ?? false) - Number(a.favorite ?? false) ||
			(a.project_name ?? "").localeCompare(b.project_name ?? ""),
	);
	const button = (
		<button type="button" onClick={newProject}>
			<Icon name="plus" /> {t("dashboard.new_project")}
		</button>
	);
	return (
		<Block title={t("projects")} tools={all.length > 0 && button}>
			{all.length === 0 ? (
				<FirstSteps />
			) : (
				<ul class="lines">
					{all.map((m) => (
						<ProjectRow key={m.id} membership={m} />
					))}
				</ul>
			)}
		</Block>
	);
}

function Workspaces() {
	const list = useLoaded(async () => (await get<api.Workspace[]>("/my/workspaces")).data, []);
	const edit = (workspace: api.Workspace | null) => {
		shownDialog.value = <EditWorkspace workspace={workspace} done={list.again} />;
	};
	const button = (
		<button type="button" onClick={() => edit(null)}>
			<Icon name="plus" /> {t("workspace.new")}
		</button>
	);
	const names = new Map((me.value?.projects ?? []).map((m) => [m.project_id, m.project_name]));
	return (
		<Block title={t("workspaces")} hint={t("workspace.hint")} tools={button}>
			{!list.data && <Waiting of={list} />}
			{list.data && list.data.length > 0 && (
				<ul class="lines">
					{list.data.map((w) => (
						<li class="line" key={w.id}>
							<a class="name" href={`/n/workspaces/${w.id}`}>
								{w.name}
							</a>
							<span class="hint">
								{(w.project_ids ?? [])
									.map((id) => names.get(id))
									.filter(Boolean)
									.join(", ")}
							</span>
							<button type="button" aria-label={t("page.edit_name", { name: w.name ?? "" })} onClick={() => edit(w)}>
								{t("page.edit")}
							</button>
						</li>
					))}
				</ul>
			)}
		</Block>
	);
}

export default function Dashboard() {
	usePage(t("dashboard"));
	useEffect(() => void loadMe().catch(() => {}), []);
	return (
		<main class="page">
			<div class="sheet">
				<Projects />
				{(me.value?.projects ?? []).length > 0 && <Workspaces />}
				{(me.value?.accounts ?? []).length > 0 && <AccountLinks />}
			</div>
		</main>
	);
}
