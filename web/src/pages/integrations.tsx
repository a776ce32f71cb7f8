/** Other systems that a project is linked to, and addresses that are told what happens in it. */
import { del, get, post, put } from "../api/http";
import type * as api from "../api/types.gen";
import { t } from "../text/i18n";
import { say, warn } from "../app/toast";
import { closeDialog, Dialog, shownDialog } from "../ui/dialog";
import { Block, confirm, Form, useAction, useLoaded, Waiting, wordsOf } from "../app/kit";
import { ProjectFrame, type Here, type ProjectProps } from "./project_frame";
import { Webhooks } from "./webhooks";

const KINDS: readonly (readonly [NonNullable<api.Integration["kind"]>, string])[] = [
	["github_integration", "GitHub"],
	["gitlab_integration", "GitLab"],
	["jira_integration", "Jira"],
	["bugzilla_integration", "Bugzilla"],
	["lighthouse_integration", "Lighthouse"],
	["get_satisfaction_integration", "Get Satisfaction"],
	["zendesk_integration", "Zendesk"],
	["other_integration", ""],
];
const kindName = (kind: string | undefined) => KINDS.find(([word]) => word === kind)?.[1] || t("integration.other");

interface EditProps {
	at: Here;
	/** Null: a new one. */
	integration: api.Integration | null;
	done: () => Promise<void>;
}

function Edit({ at, integration, done }: EditProps) {
	const action = useAction();
	const send = async (from: Record<string, string>) => {
		const body = {
			name: from.name,
			base_url: from.base_url || null,
			external_project_id: from.external_project_id || null,
		};
		if (integration) await put(`${at.path}/integrations/${integration.id}`, body);
		else await post(`${at.path}/integrations`, { kind: from.kind, ...body });
		closeDialog();
		await done();
	};
	return (
		<Dialog title={integration?.name ?? t("integration.new")} close={closeDialog}>
			<Form action={action} submit={t("save")} send={send}>
				{!integration && (
					<label>
						{t("integration.kind")}
						<select name="kind">
							{KINDS.map(([kind]) => (
								<option key={kind} value={kind}>
									{kindName(kind)}
								</option>
							))}
						</select>
					</label>
				)}
				<label>
					{t("field.name")}
					<input name="name" required maxLength={255} defaultValue={integration?.name ?? ""} autofocus />
				</label>
				<label>
					{t("integration.base_url")}
					<input
						name="base_url"
						type="url"
						pattern="https?://.*"
						title={t("integration.base_url_form")}
						maxLength={2000}
						defaultValue={integration?.base_url ?? ""}
						placeholder="https://"
					/>
					<span class="hint">{t("integration.base_url_hint")}</span>
				</label>
				<label>
					{t("integration.project")}
					<input name="external_project_id" maxLength={255} defaultValue={integration?.external_project_id ?? ""} />
				</label>
			</Form>
		</Dialog>
	);
}

function Row({ at, integration: i, done }: EditProps & { integration: api.Integration }) {
	const name = i.name ?? "";
	const turn = async () => {
		try {
			await put(`${at.path}/integrations/${i.id}`, { active: !i.active });
			say(t("page.saved"));
		} catch (error) {
			warn(wordsOf(error));
		}
		await done();
	};
	const edit = () => {
		shownDialog.value = <Edit at={at} integration={i} done={done} />;
	};
	const remove = () =>
		confirm({
			title: t("page.remove_name", { name }),
			text: t("integration.delete_text"),
			button: t("page.remove"),
			act: async () => {
				await del(`${at.path}/integrations/${i.id}`);
				await done();
			},
		});
	return (
		<li class="line">
			<span class="name">
				{name}{" "}
				<span class="hint">
					{kindName(i.kind)}
					{i.base_url && ` · ${i.base_url}`}
				</span>
			</span>
			<label class="check">
				<input type="checkbox" checked={i.active ?? false} disabled={!at.isOwner} onChange={() => void turn()} />
				{t("page.in_use")}
			</label>
			{at.isOwner && (
				<>
					<button type="button" aria-label={t("page.edit_name", { name })} onClick={edit}>
						{t("page.edit")}
					</button>
					<button type="button" aria-label={t("page.remove_name", { name })} onClick={remove}>
						{t("page.remove")}
					</button>
				</>
			)}
		</li>
	);
}

function Integrations({ at }: { at: Here }) {
	const path = `${at.path}/integrations`;
	const list = useLoaded(async () => (await get<api.Integration[]>(path)).data, [path]);
	const add = () => {
		shownDialog.value = <Edit at={at} integration={null} done={list.again} />;
	};
	const button = at.isOwner && (
		<button type="button" onClick={add}>
			{t("integration.new")}
		</button>
	);
	return (
		<Block title={t("tab.integrations")} hint={t("integration.hint")} tools={button}>
			{!list.data && <Waiting of={list} />}
			{list.data?.length === 0 && <p class="empty">{t("integration.none")}</p>}
			<ul class="lines">
				{list.data?.map((i) => (
					<Row key={i.id} at={at} integration={i} done={list.again} />
				))}
			</ul>
		</Block>
	);
}

export default function IntegrationsPage({ project }: ProjectProps) {
	return (
		<ProjectFrame project={project} part="integrations">
			{(at) => (
				<>
					<Integrations at={at} />
					<Webhooks at={at} />
				</>
			)}
		</ProjectFrame>
	);
}
