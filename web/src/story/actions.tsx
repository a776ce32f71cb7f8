/** Actions on a whole story: copy its address, clone it, move it to another project, delete it. */
import { t } from "../text/i18n";
import { me } from "../app/session";
import { copy } from "../app/clipboard";
import { say } from "../app/toast";
import { ACTIONS, atStory, perform } from "../board/actions";
import type { Command } from "../model/command";
import { add } from "../model/commands";
import type { Detail } from "../model/detail";
import type { Story } from "../model/types";
import { Dialog, closeDialog, shownDialog } from "../ui/dialog";
import { Icon } from "../ui/icon";
import { Menu, type MenuItem } from "../ui/menu";
import type { StoryEditor } from "./story_editor";

/** A new story with the same text, labels and tasks, not started. */
function clone(editor: StoryEditor): void {
	const story = editor.store.peek(editor.id)!;
	const detail: Detail | null = editor.shown.peek();
	const { id: _, is_new: _new, ...fields } = story;
	const copy: Omit<Story, "id" | "is_new"> = {
		...fields,
		current_state: "unscheduled",
		requested_by_id: me.peek()?.id ?? null,
		owner_ids: [],
		comment_ids: [],
		blockers: [],
		reviews: [],
		accepted_at: null,
	};
	const tasks = detail?.tasks.map(({ description }) => ({ description })) ?? [];
	const rest = {
		...(detail?.description ? { description: detail.description } : {}),
		...(tasks.length > 0 ? { tasks } : {}),
	};
	editor.board.do(add(editor.store, copy, rest));
}

function moveCommand(editor: StoryEditor, project: number, name: string): Command {
	return {
		ids: [editor.id],
		words: { key: "did.moved", values: { name: editor.name } },
		patch: () => undefined,
		request: ([id]) => ({
			method: "PUT",
			path: `/projects/${editor.board.id}/stories/${id}`,
			body: { project_id: project },
		}),
		leaves: true,
		answered: () => {
			const away = { label: t("move_to.open"), act: () => location.assign(`/story/show/${editor.id}`) };
			say(t("move_to.done", { project: name }), away);
		},
	};
}

function MoveDialog({ editor }: { editor: StoryEditor }) {
	const projects = (me.value?.projects ?? []).filter((p) => p.role !== "viewer" && p.project_id !== editor.board.id);
	const choose = (id: number, name: string) => {
		closeDialog();
		editor.close();
		editor.board.do(moveCommand(editor, id, name), true);
	};
	return (
		<Dialog title={t("move_to.title")} close={closeDialog}>
			{projects.length === 0 && <p>{t("move_to.none")}</p>}
			<ul class="choices">
				{projects.map((p) => (
					<li key={p.id}>
						<button type="button" class="choice" onClick={() => choose(p.project_id ?? 0, p.project_name ?? "")}>
							{p.project_name}
						</button>
					</li>
				))}
			</ul>
		</Dialog>
	);
}

export function Actions({ editor, canWrite, alone }: { editor: StoryEditor; canWrite: boolean; alone: boolean }) {
	const { board, id } = editor;
	const href = alone ? `/n/projects/${board.id}/stories/${id}` : `/story/show/${id}`;
	const items: MenuItem[] = [
		{
			label: t("story.copy_link"),
			act: () => void copy(`${location.origin}/story/show/${id}`, t("story.link_copied")),
		},
		...(canWrite
			? [
					{ label: t("story.clone"), act: () => clone(editor) },
					{ label: t("story.move_to"), act: () => (shownDialog.value = <MoveDialog editor={editor} />) },
					{
						label: t("delete"),
						act: () => {
							editor.close();
							board.remove([id]);
						},
					},
				]
			: []),
	];
	return (
		<>
			<a href={href}>{alone ? t("story.in_board") : `#${id}`}</a>
			<button
				type="button"
				class="quiet icon-only"
				aria-label={t("copy_id", { id: String(id) })}
				title={t("copy_id", { id: String(id) })}
				onClick={() => perform(ACTIONS.copy_id, atStory(board, id))}
			>
				<Icon name="copy" />
			</button>
			<Menu label={t("story.actions")} items={items} class="quiet icon-only" align="right">
				<Icon name="more" />
			</Menu>
		</>
	);
}
