/** What a project is linked to, a line each, which its owners add, change, switch off and remove. */
import type { ComponentChildren } from "preact";
import { del, get, post, put } from "../api/http";
import { t, type Key } from "../text/i18n";
import { useLoaded, Waiting } from "../app/loaded";
import { Block, confirm, savedAtOnce } from "./kit";
import { closeDialog, shownDialog } from "../ui/dialog";
import type { Here } from "./project_frame";

interface Linked {
	id: number;
}

/** Integrations and webhooks are such kinds. */
export interface Kind<T extends Linked> {
	/** Below the project. */
	path: string;
	title: Key;
	hint: Key;
	/** Said where there is none. */
	none: Key;
	/** The button that asks for a new one. */
	add: Key;
	/** The field that switches one on and off. */
	flag: keyof T & string;
	nameOf: (item: T) => string;
	/** Asked before one is removed. */
	removal: (name: string) => { title: string; text: string };
	class?: string;
	/** The dialog that asks for a new one (null) or changes one. */
	edit: (item: T | null, save: Save) => ComponentChildren;
	/** Behind the name. */
	about?: (item: T) => ComponentChildren;
	/** Below the line. */
	more?: (item: T, at: Here) => ComponentChildren;
}

/** Sends what was typed, of a new one with what only a new one has. */
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
	const remove = () =>
		confirm({
			...kind.removal(name),
			button: t("page.remove"),
			act: async () => {
				await del(path);
				await again();
			},
		});
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
						<button type="button" aria-label={t("page.remove_name", { name })} onClick={remove}>
							{t("page.remove")}
						</button>
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
