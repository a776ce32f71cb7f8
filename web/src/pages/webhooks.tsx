/** Webhooks of a project, and their deliveries. */
import { useState } from "preact/hooks";
import type * as api from "../api/types.gen";
import { t } from "../text/i18n";
import { closeDialog, Dialog } from "../ui/dialog";
import { Form, useAction } from "./page_kit";
import { Deliveries } from "./deliveries";
import type { Kind, Save } from "./links";

function Edit({ webhook, save }: { webhook: api.Webhook | null; save: Save }) {
	const action = useAction();
	const [clear, setClear] = useState(false);
	const send = (from: Record<string, string>) => {
		const secret = clear ? { secret: null } : from.secret ? { secret: from.secret } : {};
		return save({ webhook_url: from.url, ...secret }, { webhook_version: "v5" });
	};
	return (
		<Dialog title={t(webhook ? "webhook.edit" : "webhook.new")} close={closeDialog}>
			<Form action={action} submit={t("save")} send={send}>
				<label>
					{t("webhook.url")}
					<input
						name="url"
						type="url"
						required
						maxLength={2000}
						defaultValue={webhook?.webhook_url ?? ""}
						placeholder="https://"
						autofocus
					/>
				</label>
				<label>
					{t("webhook.secret")}
					<input name="secret" type="password" maxLength={255} autocomplete="off" disabled={clear} />
					<span class="hint">{t(webhook ? "webhook.secret_kept" : "webhook.secret_hint")}</span>
				</label>
				{webhook && (
					<label class="check">
						<input type="checkbox" checked={clear} onChange={(event) => setClear(event.currentTarget.checked)} />
						{t("webhook.unsigned")}
					</label>
				)}
			</Form>
		</Dialog>
	);
}

function LastError({ webhook: w }: { webhook: api.Webhook }) {
	if (w.last_error_code === undefined) return null;
	return (
		<p class="problem">
			{w.last_error_code ? t("webhook.failed", { status: w.last_error_code }) : t("webhook.unanswered")}{" "}
			{w.last_response_body}
		</p>
	);
}

export const WEBHOOKS: Kind<api.Webhook> = {
	path: "webhooks",
	class: "webhook",
	title: "webhooks",
	hint: "webhook.hint",
	none: "webhook.none",
	add: "webhook.new",
	flag: "enabled",
	nameOf: (w) => w.webhook_url ?? t("webhook.hidden"),
	removal: (name) => ({ title: t("webhook.remove"), text: name }),
	edit: (webhook, save) => <Edit webhook={webhook} save={save} />,
	more: (w, at) => (
		<>
			<LastError webhook={w} />
			{at.isOwner && <Deliveries at={at} webhook={w.id} />}
		</>
	),
};
