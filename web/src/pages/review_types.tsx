/** What stories of a project can be reviewed for. */
import { get, post, put } from "../api/http";
import type * as api from "../api/types.gen";
import { t } from "../text/i18n";
import { warn } from "../app/toast";
import { Block, Form, useAction, useLoaded, Waiting, wordsOf } from "../app/kit";
import type { Here } from "./project_frame";

export function ReviewTypes({ at }: { at: Here }) {
	const path = `${at.path}/review_types`;
	const list = useLoaded(async () => (await get<api.ReviewType[]>(path)).data, [path]);
	const action = useAction();
	const change = async (type: api.ReviewType, body: { name?: string; hidden?: boolean }) => {
		if (body.name === type.name || body.name === "") return;
		try {
			await put(`${path}/${type.id}`, body);
		} catch (error) {
			warn(wordsOf(error));
		}
		await list.again();
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
					<li class="line" key={`${type.id} ${type.updated_at}`}>
						<input
							class="name"
							aria-label={t("page.name_of", { name: type.name ?? "" })}
							defaultValue={type.name}
							maxLength={255}
							onChange={(event) => void change(type, { name: event.currentTarget.value.trim() })}
						/>
						<label class="check">
							<input
								type="checkbox"
								checked={!type.hidden}
								onChange={(event) => void change(type, { hidden: !event.currentTarget.checked })}
							/>
							{t("page.in_use")}
						</label>
					</li>
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
