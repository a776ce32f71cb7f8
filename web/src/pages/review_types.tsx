/** The review types of a project: what its stories can be reviewed for. */
import { get, post, put } from "../api/http";
import type * as api from "../api/types.gen";
import { t } from "../text/i18n";
import { useLoaded, Waiting } from "../app/loaded";
import { Block, Form, savedAtOnce, useAction } from "./page_kit";
import type { Here } from "./project_frame";

interface Changes {
	name?: string;
	hidden?: boolean;
}

function Row({ type, change }: { type: api.ReviewType; change: (body: Changes) => void }) {
	return (
		<li class="line">
			<input
				class="name"
				aria-label={t("page.name_of", { name: type.name ?? "" })}
				defaultValue={type.name}
				maxLength={255}
				onChange={(event) => change({ name: event.currentTarget.value.trim() })}
			/>
			<label class="check">
				<input
					type="checkbox"
					checked={!type.hidden}
					onChange={(event) => change({ hidden: !event.currentTarget.checked })}
				/>
				{t("page.in_use")}
			</label>
		</li>
	);
}

export function ReviewTypes({ at }: { at: Here }) {
	const path = `${at.path}/review_types`;
	const list = useLoaded(async () => (await get<api.ReviewType[]>(path)).data, [path]);
	const action = useAction();
	const change = async (type: api.ReviewType, body: Changes) => {
		if (body.name === type.name || body.name === "") return;
		await savedAtOnce(() => put(`${path}/${type.id}`, body), list.again, "");
	};
	const add = async (from: Record<string, string>, form: HTMLFormElement) => {
		await post(path, { name: from.name });
		form.reset();
		await list.again();
	};
	return (
		<Block title={t("set.reviews")} hint={t("set.reviews_hint")}>
			{!list.data && <Waiting of={list} />}
			<ul class="lines">
				{list.data?.map((type) => (
					<Row key={`${type.id} ${type.updated_at}`} type={type} change={(body) => void change(type, body)} />
				))}
			</ul>
			<Form action={action} submit={t("page.add")} send={add} class="row-form">
				<label>
					{t("set.new_review")}
					<input name="name" required maxLength={255} autocomplete="off" />
				</label>
			</Form>
		</Block>
	);
}
