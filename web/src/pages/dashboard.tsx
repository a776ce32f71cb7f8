/** All projects and workspaces of the user: their progress, and how to begin. */
import { useEffect } from "preact/hooks";
import { get } from "../api/http";
import type * as api from "../api/types.gen";
import { naturally, t } from "../text/i18n";
import { loadMe, me } from "../app/session";
import { shownDialog } from "../ui/dialog";
import { Icon } from "../ui/icon";
import { useLoaded, Waiting } from "../app/loaded";
import { Block, usePage } from "./page_kit";
import { NewProject } from "./new_project";
import { ProjectRow, type Membership } from "./project_row";
import { loadStandings } from "./project_standing";
import { AccountLinks } from "./account_links";
import { EditWorkspace } from "./edit_workspace";

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

/** Favorites first. */
function inOrder(all: readonly Membership[]): Membership[] {
	const isFavorite = (m: Membership) => Number(m.favorite ?? false);
	return [...all].sort(
		(a, b) => isFavorite(b) - isFavorite(a) || naturally(a.project_name ?? "", b.project_name ?? ""),
	);
}

function Projects() {
	const all = inOrder(me.value?.projects ?? []);
	const ids = all
		.map((m) => m.project_id ?? 0)
		.sort((a, b) => a - b)
		.join();
	const standings = useLoaded(() => loadStandings(ids, me.peek()?.id ?? 0), [ids]);
	const button = (
		<button type="button" onClick={newProject}>
			<Icon name="plus" /> {t("dashboard.new_project")}
		</button>
	);
	return (
		<Block title={t("projects")} tools={all.length > 0 && button}>
			{standings.error && <Waiting of={standings} />}
			{all.length === 0 ? (
				<FirstSteps />
			) : (
				<ul class="lines">
					{all.map((m) => (
						<ProjectRow key={m.id} membership={m} standing={standings.data?.get(m.project_id ?? 0)} />
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
					{[...list.data]
						.sort((a, b) => naturally(a.name ?? "", b.name ?? ""))
						.map((w) => (
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
