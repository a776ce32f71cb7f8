/** Labels of a project, how much work each has, and merging two that mean the same. */
import { del, get, post, put } from "../api/http";
import type * as api from "../api/types.gen";
import { formatNumber, t } from "../text/i18n";
import { closeDialog, Dialog, shownDialog } from "../ui/dialog";
import { useLoaded, Waiting } from "../app/loaded";
import { Block, confirm, Form, savedAtOnce, Table, useAction } from "./page_kit";
import { ProjectFrame, type Here, type ProjectProps } from "./project_frame";

interface Counts {
	number_of_stories_by_state?: Record<string, number | string>;
	sum_of_story_estimates_by_state?: Record<string, number | string>;
}

const countsOf = (label: api.Label) => (label.counts ?? {}) as Counts;

const AT_ONCE = 100;

function sum(of: Record<string, number | string> | undefined, accepted: boolean): number {
	return Object.entries(of ?? {}).reduce(
		(total, [state, n]) => (typeof n === "number" && (state === "accepted") === accepted ? total + n : total),
		0,
	);
}

/** Stories get the other label, up to a hundred per request; then the first label is deleted. */
async function merge(at: Here, from: api.Label, into: number): Promise<void> {
	for (;;) {
		const { data } = await get<api.Story[]>(`${at.path}/stories`, {
			with_label: from.name,
			limit: AT_ONCE,
			fields: "id",
		});
		if (data.length === 0) break;
		const ids = data.map((s) => s.id);
		await put(`${at.path}/stories/bulk`, { ids, add_label_ids: [into], remove_label_ids: [from.id] });
	}
	await del(`${at.path}/labels/${from.id}`);
}

interface MergeProps {
	at: Here;
	label: api.Label;
	all: readonly api.Label[];
	done: () => Promise<void>;
}

function Merge({ at, label, all, done }: MergeProps) {
	const action = useAction();
	const send = async (from: Record<string, string>) => {
		await merge(at, label, Number(from.into));
		closeDialog();
		await done();
	};
	return (
		<Dialog title={t("labels.merge_name", { name: label.name ?? "" })} close={closeDialog}>
			<Form action={action} submit={t("labels.merge")} send={send}>
				<p>{t("labels.merge_text", { name: label.name ?? "" })}</p>
				<label>
					{t("labels.into")}
					<select name="into" required>
						{all
							.filter((l) => l.id !== label.id)
							.map((l) => (
								<option key={l.id} value={l.id}>
									{l.name}
								</option>
							))}
					</select>
				</label>
			</Form>
		</Dialog>
	);
}

function Name({ at, label, done }: Omit<MergeProps, "all">) {
	const name = label.name ?? "";
	const rename = async (input: HTMLInputElement) => {
		const wanted = input.value.trim();
		if (!wanted || wanted === name) return;
		const went = await savedAtOnce(() => put(`${at.path}/labels/${label.id}`, { name: wanted }), done);
		if (!went) input.value = name;
	};
	return (
		<input
			aria-label={t("page.name_of", { name })}
			placeholder={name}
			defaultValue={name}
			maxLength={255}
			onChange={(event) => void rename(event.currentTarget)}
		/>
	);
}

function Acts({ at, label, all, done }: MergeProps) {
	const name = label.name ?? "";
	const stories = countsOf(label).number_of_stories_by_state;
	if (label.has_epic) return <span class="hint">{t("labels.of_epic")}</span>;
	const merge = () => {
		shownDialog.value = <Merge at={at} label={label} all={all} done={done} />;
	};
	const remove = () =>
		confirm({
			title: t("labels.delete_name", { name }),
			text: t("labels.delete_text", { n: sum(stories, true) + sum(stories, false) }),
			button: t("delete"),
			act: async () => {
				await del(`${at.path}/labels/${label.id}`);
				await done();
			},
		});
	return (
		<>
			<button type="button" disabled={all.length < 2} aria-label={t("labels.merge_name", { name })} onClick={merge}>
				{t("labels.merge_short")}
			</button>
			<button type="button" aria-label={t("labels.delete_name", { name })} onClick={remove}>
				{t("delete")}
			</button>
		</>
	);
}

function Row(props: MergeProps) {
	const { at, label } = props;
	const { number_of_stories_by_state: stories, sum_of_story_estimates_by_state: points } = countsOf(label);
	const numbers = [sum(stories, false), sum(points, false), sum(stories, true), sum(points, true)];
	return (
		<tr>
			<th scope="row">{at.canWrite ? <Name {...props} /> : label.name}</th>
			{numbers.map((n, at) => (
				<td key={at} class="number">
					{formatNumber(n)}
				</td>
			))}
			{at.canWrite && (
				<td class="acts">
					<Acts {...props} />
				</td>
			)}
		</tr>
	);
}

const NUMBERS = ["labels.open", "labels.points", "labels.accepted", "labels.points"] as const;

function List({ at, all, done }: Omit<MergeProps, "label">) {
	if (all.length === 0) return <p class="empty">{t("labels.none")}</p>;
	const acts = at.canWrite
		? [
				<span key="acts" class="hidden">
					{t("page.acts")}
				</span>,
			]
		: [];
	return (
		<Table
			label={t("tab.labels")}
			class="is-labels"
			heads={[t("field.name"), ...NUMBERS.map((words) => [t(words)] as const), ...acts]}
		>
			{all.map((label) => (
				<Row key={`${label.id} ${label.name}`} at={at} label={label} all={all} done={done} />
			))}
		</Table>
	);
}

function Labels({ at }: { at: Here }) {
	const list = useLoaded(
		async () => (await get<api.Label[]>(`${at.path}/labels`, { fields: "id,name,has_epic,counts" })).data,
		[at.path],
	);
	const action = useAction();
	const add = async (from: Record<string, string>, form: HTMLFormElement) => {
		await post(`${at.path}/labels`, { name: from.name });
		form.reset();
		await list.again();
	};
	return (
		<Block title={t("tab.labels")} hint={t("labels.hint")}>
			{list.data ? <List at={at} all={list.data} done={list.again} /> : <Waiting of={list} />}
			{at.canWrite && (
				<Form action={action} submit={t("page.add")} send={add} class="row-form">
					<label>
						{t("labels.new")}
						<input name="name" required maxLength={255} autocomplete="off" />
					</label>
				</Form>
			)}
		</Block>
	);
}

export default function LabelsPage({ project }: ProjectProps) {
	return (
		<ProjectFrame project={project} part="labels">
			{(at) => <Labels at={at} />}
		</ProjectFrame>
	);
}
