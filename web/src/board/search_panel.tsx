/** What a search of the server finds, and the searches that the person saved. */
import { useEffect, useState } from "preact/hooks";
import { get } from "../api/http";
import { loadStories } from "../model/load";
import type * as api from "../api/types.gen";
import { storiesPoints, t } from "../text/i18n";
import { open, type Panel } from "../app/layout";
import { useBoard } from "./context";
import { Cards } from "./iteration";
import type { Board } from "./model";
import { Empty, PanelFrame } from "./panel";
import { SavedList, SaveSearch, useSavedSearches } from "./saved_searches";
import { search } from "./search_field";

interface Found {
	ids: number[];
	epics: { id: number; name: string }[];
	points: number;
	/** Stories of done iterations that are left out. */
	hidden: number;
	/** Why nothing could be searched for. */
	words: string;
}

const MOST = 500;
const NOTHING: Found = { ids: [], epics: [], points: 0, hidden: 0, words: "" };

async function find(board: Board, text: string): Promise<Found> {
	if (!text) return NOTHING;
	try {
		const { data } = await get<api.Search>(`/projects/${board.id}/search`, { query: text });
		const ids = (data.stories?.stories ?? []).map((s) => s.id).slice(0, MOST);
		const missing = ids.filter((id) => !board.store.peek(id));
		if (missing.length > 0) board.store.keep((await loadStories(board.id, missing)).map((s) => s.story));
		const all = data.stories?.total_hits_with_done ?? ids.length;
		return {
			ids,
			epics: (data.epics?.epics ?? []).map((e) => ({ id: e.id, name: e.name ?? "" })),
			points: data.stories?.total_points ?? 0,
			hidden: Math.max(all - ids.length, 0),
			words: "",
		};
	} catch (error) {
		return { ...NOTHING, words: error instanceof Error && error.message ? error.message : t("load_failed") };
	}
}

/** Searches when the text changes, and again when others changed something. */
function useFound(board: Board, text: string): Found | null {
	const [found, setFound] = useState<Found | null>(null);
	useEffect(() => {
		let stopped = false;
		const again = () => void find(board, text).then((result) => !stopped && setFound(result));
		setFound(null);
		again();
		board.onNews.push(again);
		return () => {
			stopped = true;
			board.onNews.splice(board.onNews.indexOf(again), 1);
		};
	}, [board, text]);
	return found;
}

function Epics({ board, epics }: { board: Board; epics: Found["epics"] }) {
	return (
		<ul class="rows" aria-label={t("panel.epics")}>
			{epics.map((epic) => (
				<li key={epic.id} class="row" aria-label={epic.name}>
					<button
						type="button"
						class="title is-epic"
						onClick={() => open(board.layout, { kind: "epic", arg: String(epic.id) })}
					>
						{epic.name}
					</button>
				</li>
			))}
		</ul>
	);
}

function Results({ board, text, found }: { board: Board; text: string; found: Found }) {
	const isEmpty = found.ids.length === 0 && found.epics.length === 0;
	return (
		<>
			{found.words && (
				<p class="problem" role="alert">
					{found.words}
				</p>
			)}
			<Epics board={board} epics={found.epics} />
			<Cards ids={found.ids} />
			{isEmpty && !found.words && <Empty>{t("empty.search")}</Empty>}
			{found.hidden > 0 && !/includedone:/i.test(text) && (
				<p class="more">
					<button type="button" onClick={() => search(board, `(${text}) includedone:true`)}>
						{t("search.with_done", { n: found.hidden })}
					</button>
				</p>
			)}
		</>
	);
}

export default function SearchPanel({ panel }: { panel: Panel }) {
	const board = useBoard();
	const text = panel.arg ?? "";
	const found = useFound(board, text);
	const searches = useSavedSearches(board);
	const sum = text && found && storiesPoints(found.ids.length, found.points);
	return (
		<PanelFrame
			panel={panel}
			sum={sum}
			above={
				<div class="searches">
					{text && <SaveSearch key={text} text={text} searches={searches} />}
					<SavedList board={board} text={text} searches={searches} />
				</div>
			}
		>
			{!found && <p class="loading">{t("loading")}</p>}
			{found && text && <Results board={board} text={text} found={found} />}
			{!text && <Empty>{t("search.how")}</Empty>}
		</PanelFrame>
	);
}
