/** Other systems that a project is linked to, and its webhooks. */
import type * as api from "../api/types.gen";
import { t } from "../text/i18n";
import { closeDialog, Dialog } from "../ui/dialog";
import { Form, useAction } from "./page_kit";
import { Links, type Kind, type Save } from "./links";
import { ProjectFrame, type ProjectProps } from "./project_frame";
import { WEBHOOKS } from "./webhooks";

const SYSTEMS: readonly (readonly [NonNullable<api.Integration["kind"]>, string])[] = [
	["github_integration", "GitHub"],
	["gitlab_integration", "GitLab"],
	["jira_integration", "Jira"],
	["bugzilla_integration", "Bugzilla"],
	["lighthouse_integration", "Lighthouse"],
	["get_satisfaction_integration", "Get Satisfaction"],
	["zendesk_integration", "Zendesk"],
	["other_integration", ""],
];
const systemName = (kind: string | undefined) => SYSTEMS.find(([word]) => word === kind)?.[1] || t("integration.other");

function System() {
	return (
		<label>
			{t("integration.kind")}
			<select name="kind">
				{SYSTEMS.map(([kind]) => (
					<option key={kind} value={kind}>
						{systemName(kind)}
					</option>
				))}
			</select>
		</label>
	);
}

function Edit({ integration, save }: { integration: api.Integration | null; save: Save }) {
	const action = useAction();
	const send = (from: Record<string, string>) =>
		save(
			{
				name: from.name,
				base_url: from.base_url || null,
				external_project_id: from.external_project_id || null,
			},
			{ kind: from.kind },
		);
	return (
		<Dialog title={integration?.name ?? t("integration.new")} close={closeDialog}>
			<Form action={action} submit={t("save")} send={send}>
				{!integration && <System />}
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

const INTEGRATIONS: Kind<api.Integration> = {
	path: "integrations",
	title: "tab.integrations",
	hint: "integration.hint",
	none: "integration.none",
	add: "integration.new",
	flag: "active",
	nameOf: (i) => i.name ?? "",
	removal: (name) => ({ title: t("page.remove_name", { name }), text: t("integration.delete_text") }),
	edit: (integration, save) => <Edit integration={integration} save={save} />,
	about: (i) => [systemName(i.kind), i.base_url].filter(Boolean).join(" · "),
};

export default function IntegrationsPage({ project }: ProjectProps) {
	return (
		<ProjectFrame project={project} part="integrations">
			{(at) => (
				<>
					<Links at={at} kind={INTEGRATIONS} />
					<Links at={at} kind={WEBHOOKS} />
				</>
			)}
		</ProjectFrame>
	);
}
