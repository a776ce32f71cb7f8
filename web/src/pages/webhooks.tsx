/** Webhooks of a project, and what became of what was sent to them. */
import { useState } from "preact/hooks";
import { del, get, post, put } from "../api/http";
import type * as api from "../api/types.gen";
import { t } from "../text/i18n";
import { say, warn } from "../app/toast";
import { closeDialog, Dialog, shownDialog } from "../ui/dialog";
import { Block, confirm, Form, useAction, useLoaded, Waiting, wordsOf } from "../app/kit";
import { Deliveries } from "./deliveries";
import type { Here } from "./project_frame";

interface EditProps {
	at: Here;
	/** Null: a new one. */
	webhook: api.Webhook | null;
	done: () => Promise<void>;
}

function Edit({ at, webhook, done }: EditProps) {
	const action = useAction();
	const [clear, setClear] = useState(false);
	const send = async (from: Record<string, string>) => {
		const body: Record<string, unknown> = { webhook_url: from.url };
		if (clear) body.secret = null;
		else if (from.secret) body.secret = from.secret;
		if (webhook) await put(`${at.path}/webhooks/${webhook.id}`, body);
		else await post(`${at.path}/webhooks`, { ...body, webhook_version: "v5" });
		closeDialog();
		await done();
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

function Row({ at, webhook: w, done }: EditProps & { webhook: api.Webhook }) {
	const name = w.webhook_url ?? t("webhook.hidden");
	const turn = async () => {
		try {
			await put(`${at.path}/webhooks/${w.id}`, { enabled: !w.enabled });
			say(t("page.saved"));
		} catch (error) {
			warn(wordsOf(error));
		}
		await done();
	};
	const edit = () => {
		shownDialog.value = <Edit at={at} webhook={w} done={done} />;
	};
	const remove = () =>
		confirm({
			title: t("webhook.remove"),
			text: name,
			button: t("page.remove"),
			act: async () => {
				await del(`${at.path}/webhooks/${w.id}`);
				await done();
			},
		});
	return (
		<li class="webhook">
			<div class="line">
				<span class="name">{name}</span>
				<label class="check">
					<input type="checkbox" checked={w.enabled ?? false} disabled={!at.isOwner} onChange={() => void turn()} />
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
			</div>
			{w.last_error_code !== undefined && (
				<p class="problem">
					{w.last_error_code ? t("webhook.failed", { status: w.last_error_code }) : t("webhook.unanswered")}{" "}
					{w.last_response_body}
				</p>
			)}
			{at.isOwner && <Deliveries at={at} webhook={w.id} />}
		</li>
	);
}

export function Webhooks({ at }: { at: Here }) {
	const path = `${at.path}/webhooks`;
	const list = useLoaded(async () => (await get<api.Webhook[]>(path)).data, [path]);
	const add = () => {
		shownDialog.value = <Edit at={at} webhook={null} done={list.again} />;
	};
	const button = at.isOwner && (
		<button type="button" onClick={add}>
			{t("webhook.new")}
		</button>
	);
	return (
		<Block title={t("webhooks")} hint={t("webhook.hint")} tools={button}>
			{!list.data && <Waiting of={list} />}
			{list.data?.length === 0 && <p class="empty">{t("webhook.none")}</p>}
			<ul class="lines">
				{list.data?.map((w) => (
					<Row key={w.id} at={at} webhook={w} done={list.again} />
				))}
			</ul>
		</Block>
	);
}
