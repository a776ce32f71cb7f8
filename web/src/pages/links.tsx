/** What a project is linked to, one line each; owners add, change, switch off and remove them. */
import type { ComponentChildren } from "preact";
import { get, post, put } from "../api/http";
import { t, type Key } from "../text/i18n";
import { useLoaded, Waiting } from "../app/loaded";
import { Block, savedAtOnce } from "./page_kit";
import { RemoveButton } from "./remove_button";
import { closeDialog, shownDialog } from "../ui/dialog";
import type { Here } from "./project_frame";

interface Linked {
	id: number;
}

/** What a kind needs; integrations and webhooks are kinds. */
export interface Kind<T extends Linked> {
	/** The path below the project. */
	path: string;
	title: Key;
	hint: Key;
	/** Shown when there are none. */
	none: Key;
	/** The button that adds one. */
	add: Key;
	/** The field that switches one on and off. */
	flag: keyof T & string;
	nameOf: (item: T) => string;
	/** The question before one is removed. */
	removal: (name: string) => { title: string; text: string };
	class?: string;
	/** The dialog that adds one (null) or changes one. */
	edit: (item: T | null, save: Save) => ComponentChildren;
	/** Shown after the name. */
	about?: (item: T) => ComponentChildren;
	/** Shown below the line. */
	more?: (item: T, at: Here) => ComponentChildren;
}

/** Sends the input; `asNew` contains fields that only a new one has. */
export type Save = (body: object, asNew?: object) => Promise<void>;

interface LineProps<T extends Linked> {
	at: Here;
	kind: Kind<T>;
	item: T;
	edit: (item: T) => void;
	again: () => Promise<void>;
}

function Line<T extends Linked>({ at, kind, item, edit, again }: LineProps<T>) {
	const name = kind.nameOf(item);
	const path = `${at.path}/${kind.path}/${item.id}`;
	const isOn = Boolean(item[kind.flag]);
	return (
		<li class={kind.class}>
			<div class="line">
				<span class="name">
					{name} {kind.about && <span class="hint">{kind.about(item)}</span>}
				</span>
				<label class="check">
					<input
						type="checkbox"
						checked={isOn}
						disabled={!at.isOwner}
						onChange={() => void savedAtOnce(() => put(path, { [kind.flag]: !isOn }), again)}
					/>
					{t("page.in_use")}
				</label>
				{at.isOwner && (
					<>
						<button type="button" aria-label={t("page.edit_name", { name })} onClick={() => edit(item)}>
							{t("page.edit")}
						</button>
						<RemoveButton {...kind.removal(name)} path={path} label={t("page.remove_name", { name })} then={again} />
					</>
				)}
			</div>
			{kind.more?.(item, at)}
		</li>
	);
}

export function Links<T extends Linked>({ at, kind }: { at: Here; kind: Kind<T> }) {
	const path = `${at.path}/${kind.path}`;
	const list = useLoaded(async () => (await get<T[]>(path)).data, [path]);
	const edit = (item: T | null) => {
		shownDialog.value = kind.edit(item, async (body, asNew) => {
			if (item) await put(`${path}/${item.id}`, body);
			else await post(path, { ...body, ...asNew });
			closeDialog();
			await list.again();
		});
	};
	const button = at.isOwner && (
		<button type="button" onClick={() => edit(null)}>
			{t(kind.add)}
		</button>
	);
	return (
		<Block title={t(kind.title)} hint={t(kind.hint)} tools={button}>
			{!list.data && <Waiting of={list} />}
			{list.data?.length === 0 && <p class="empty">{t(kind.none)}</p>}
			<ul class="lines">
				{list.data?.map((item) => (
					<Line key={item.id} at={at} kind={kind} item={item} edit={edit} again={list.again} />
				))}
			</ul>
		</Block>
	);
}
