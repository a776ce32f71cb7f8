/** A person's saved searches in a project: run, saved, renamed, deleted. */
import { useEffect, useRef, useState } from "preact/hooks";
import { del, get, post, put } from "../api/http";
import type * as api from "../api/types.gen";
import { naturally, t } from "../text/i18n";
import { whyOf } from "../app/failed";
import { say, warn } from "../app/toast";
import { closeDialog, Dialog, DialogButtons, shownDialog } from "../ui/dialog";
import { Icon } from "../ui/icon";
import { Menu } from "../ui/menu";
import type { Board } from "./model";
import { search } from "./search_field";

export interface Saved {
	id: number;
	name: string;
	query: string;
}

const NAME_MOST = 255;
const QUERY_MOST = 1000;

const readSaved = (from: api.SavedSearch): Saved => ({ id: from.id, name: from.name ?? "", query: from.query ?? "" });

function sorted(list: readonly Saved[]): Saved[] {
	return [...list].sort((a, b) => naturally(a.name, b.name));
}

async function tried(act: () => Promise<void>): Promise<boolean> {
	try {
		await act();
		return true;
	} catch (error) {
		warn(whyOf(error));
		return false;
	}
}

export interface SavedSearches {
	/** Sorted by name; null: not loaded yet. */
	list: readonly Saved[] | null;
	add: (name: string, query: string) => Promise<boolean>;
	change: (id: number, name: string, query: string) => Promise<boolean>;
	remove: (saved: Saved) => Promise<boolean>;
}

export function useSavedSearches(board: Board): SavedSearches {
	const path = `/projects/${board.id}/my/searches`;
	const [list, setList] = useState<readonly Saved[] | null>(null);
	useEffect(() => {
		get<api.SavedSearch[]>(path).then(
			({ data }) => setList(sorted(data.map(readSaved))),
			() => setList([]),
		);
	}, [path]);
	const keep = (saved: Saved) => setList((old) => sorted([...(old ?? []).filter((s) => s.id !== saved.id), saved]));
	const add = (name: string, query: string) =>
		tried(async () => {
			keep(readSaved((await post<api.SavedSearch>(path, { name, query })).data));
			say(t("search.saved_as", { name }));
		});
	const change = (id: number, name: string, query: string) =>
		tried(async () => {
			keep(readSaved((await put<api.SavedSearch>(`${path}/${id}`, { name, query })).data));
			say(t("search.renamed", { name }));
		});
	const remove = ({ id, name, query }: Saved) =>
		tried(async () => {
			await del(`${path}/${id}`);
			setList((old) => (old ?? []).filter((s) => s.id !== id));
			say(t("search.deleted", { name }), { label: t("undo"), act: () => void add(name, query) });
		});
	return { list, add, change, remove };
}

interface FieldsProps {
	name: string;
	/** Null: nothing was searched for. */
	query: string | null;
	save: (name: string, query: string) => Promise<boolean>;
	cancel: () => void;
}

function Fields({ name, query, save, cancel }: FieldsProps) {
	const first = useRef<HTMLInputElement>(null);
	useEffect(() => first.current?.select(), []);
	const submit = async (event: SubmitEvent) => {
		event.preventDefault();
		const data = new FormData(event.currentTarget as HTMLFormElement);
		const text = (field: string) => String(data.get(field) ?? "").trim();
		if (text("name") && (await save(text("name"), text("query")))) cancel();
	};
	return (
		<form onSubmit={(event) => void submit(event)}>
			<label>
				{t("search.name")}
				<input ref={first} name="name" required maxLength={NAME_MOST} defaultValue={name} autocomplete="off" />
			</label>
			{query !== null && (
				<label>
					{t("search.query")}
					<input name="query" required maxLength={QUERY_MOST} defaultValue={query} autocomplete="off" />
				</label>
			)}
			<DialogButtons submit={t("save")} cancel={cancel} />
		</form>
	);
}

/** The current search, and a way to save it. */
export function SaveSearch({ text, searches }: { text: string; searches: SavedSearches }) {
	const [asking, ask] = useState(false);
	const known = searches.list?.find((s) => s.query === text);
	return (
		<div class="searched">
			<p>
				{known && <b>{known.name}</b>} <code>{text}</code>
			</p>
			{!asking && !known && searches.list && (
				<button type="button" onClick={() => ask(true)}>
					{t("search.save")}
				</button>
			)}
			{asking && <Fields name="" query={null} save={(name) => searches.add(name, text)} cancel={() => ask(false)} />}
		</div>
	);
}

function rename(saved: Saved, searches: SavedSearches): void {
	shownDialog.value = (
		<Dialog title={t("search.rename_title")} close={closeDialog}>
			<Fields
				name={saved.name}
				query={saved.query}
				save={(name, query) => searches.change(saved.id, name, query)}
				cancel={closeDialog}
			/>
		</Dialog>
	);
}

/** Expanded while there is no search. */
export function SavedList({ board, text, searches }: { board: Board; text: string; searches: SavedSearches }) {
	const { list } = searches;
	if (!list) return null;
	return (
		<details class="saved" open={!text}>
			<summary>
				{t("search.saved")} <span class="hint">{list.length}</span>
			</summary>
			<ul class="rows">
				{list.map((saved) => (
					<li key={saved.id} class="row">
						<button type="button" class="title" onClick={() => search(board, saved.query)}>
							{saved.name}
						</button>
						<code class="hint">{saved.query}</code>
						<Menu
							label={t("search.menu", { name: saved.name })}
							class="quiet icon-only"
							align="right"
							items={[
								{ label: t("search.rename"), act: () => rename(saved, searches) },
								{ label: t("delete"), act: () => void searches.remove(saved) },
							]}
						>
							<Icon name="more" />
						</Menu>
					</li>
				))}
			</ul>
			{list.length === 0 && <p class="hint">{t("search.none_saved")}</p>}
		</details>
	);
}
