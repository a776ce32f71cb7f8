/** Creates a project: its name, and its account. */
import { useState } from "preact/hooks";
import { post } from "../api/http";
import type * as api from "../api/types.gen";
import { t } from "../text/i18n";
import { go } from "../app/router";
import { loadMe, me } from "../app/session";
import { closeDialog, Dialog } from "../ui/dialog";
import { Form, useAction } from "./page_kit";

const NEW = "new";

/** The project's account, which may be a new one. */
function AccountFields({ account, choose }: { account: string; choose: (account: string) => void }) {
	return (
		<>
			<label>
				{t("field.account")}
				<select value={account} onChange={(event) => choose(event.currentTarget.value)}>
					{(me.value?.accounts ?? []).map((a) => (
						<option key={a.id} value={a.id}>
							{a.name}
						</option>
					))}
					<option value={NEW}>{t("dashboard.new_account")}</option>
				</select>
			</label>
			{account === NEW && (
				<label>
					{t("field.account_name")}
					<input
						name="account_name"
						required
						defaultValue={me.value?.name ?? ""}
						maxLength={255}
						autocomplete="organization"
					/>
				</label>
			)}
		</>
	);
}

export function NewProject() {
	const action = useAction();
	const [account, setAccount] = useState(String(me.value?.accounts?.[0]?.id ?? NEW));
	const send = async (from: Record<string, string>) => {
		const body: api.PostProjectsBody = { name: from.name ?? "" };
		if (account === NEW) body.new_account_name = from.account_name || from.name || "";
		else body.account_id = Number(account);
		const { data } = await post<api.Project>("/projects", body);
		await loadMe();
		closeDialog();
		go(from.files ? `/projects/${data.id}/import` : `/n/projects/${data.id}`);
	};
	return (
		<Dialog title={t("dashboard.new_project")} close={closeDialog}>
			<Form action={action} submit={t("page.create")} send={send}>
				<label>
					{t("field.name")}
					<input name="name" required maxLength={50} autocomplete="off" autofocus />
				</label>
				<AccountFields account={account} choose={setAccount} />
				<label class="check">
					<input type="checkbox" name="files" />
					{t("dashboard.with_files")}
				</label>
			</Form>
		</Dialog>
	);
}
