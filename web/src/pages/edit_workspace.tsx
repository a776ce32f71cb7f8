/** Edits a workspace: its name, which never changes, and the projects whose boards it shows next to each other. */
import { del, post, put } from "../api/http";
import type * as api from "../api/types.gen";
import { t } from "../text/i18n";
import { me } from "../app/session";
import { closeDialog, Dialog } from "../ui/dialog";
import { confirm, Form, useAction } from "./page_kit";

interface Props {
	/** Null: a new workspace. */
	workspace: api.Workspace | null;
	done: () => unknown;
	/** Called after it was deleted, instead of `done`. */
	gone?: () => unknown;
}

function remove({ id, name = "" }: api.Workspace, gone: () => unknown): void {
	confirm({
		title: t("workspace.delete"),
		text: t("workspace.delete_text", { name }),
		button: t("delete"),
		act: async () => {
			await del(`/my/workspaces/${id}`);
			await gone();
		},
	});
}

export function EditWorkspace({ workspace, done, gone }: Props) {
	const action = useAction();
	const chosen = new Set(workspace?.project_ids ?? []);
	const send = async (from: Record<string, string>, form: HTMLFormElement) => {
		const ids = new FormData(form).getAll("project").map(Number);
		// Projects that are in it already keep their order.
		const kept = (workspace?.project_ids ?? []).filter((id) => ids.includes(id));
		const project_ids = [...kept, ...ids.filter((id) => !kept.includes(id))];
		if (workspace) await put(`/my/workspaces/${workspace.id}`, { project_ids });
		else await post("/my/workspaces", { name: from.name, project_ids });
		closeDialog();
		await done();
	};
	const more = workspace && (
		<button type="button" onClick={() => remove(workspace, gone ?? done)}>
			{t("workspace.delete")}
		</button>
	);
	return (
		<Dialog title={workspace?.name ?? t("workspace.new")} close={closeDialog}>
			<Form action={action} submit={t("save")} send={send} more={more}>
				{!workspace && (
					<label>
						{t("field.name")}
						<input name="name" required maxLength={25} autocomplete="off" autofocus />
					</label>
				)}
				<fieldset class="checks">
					<legend>{t("projects")}</legend>
					{(me.value?.projects ?? []).map((m) => (
						<label class="check" key={m.id}>
							<input
								type="checkbox"
								name="project"
								value={m.project_id}
								defaultChecked={chosen.has(m.project_id ?? 0)}
							/>
							{m.project_name}
						</label>
					))}
				</fieldset>
			</Form>
		</Dialog>
	);
}
