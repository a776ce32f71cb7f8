/** What a search on the server finds, and the searches that the person saved. */
import { useEffect, useState } from "preact/hooks";
import { get } from "../api/http";
import { namedStory, searchById } from "../model/query";
import type * as api from "../api/types.gen";
import { storiesPoints, t } from "../text/i18n";
import { whyOf } from "../app/failed";
import { announce } from "../app/toast";
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
	/** How many stories of done iterations are left out. */
	hidden: number;
	/** The id of a story of another project that an address in the text names; otherwise 0. */
	elsewhere: number;
	/** Why the search failed. */
	words: string;
}

const MOST = 500;
const NOTHING: Found = { ids: [], epics: [], points: 0, hidden: 0, elsewhere: 0, words: "" };

const idsOf = (of: api.Search["stories"]): number[] => (of?.stories ?? []).map((story) => story.id);

async function find(board: Board, text: string): Promise<Found> {
	if (!text) return NOTHING;
	const story = namedStory(text, location.origin);
	try {
		const asked = (query: string) => get<api.Search>(`/projects/${board.id}/search`, { query });
		const [{ data }, byId] = await Promise.all([
			asked(story && !story.isNumber ? searchById(story.id) : text),
			story?.isNumber ? asked(searchById(story.id)) : null,
		]);
		const own = byId?.data.stories;
		const all = [...new Set([...idsOf(own), ...idsOf(data.stories)])];
		const ids = all.slice(0, MOST);
		const missing = ids.filter((id) => !board.store.peek(id));
		if (missing.length > 0) await board.bring(missing);
		const isMore = all.length > idsOf(data.stories).length;
		const hits = (data.stories?.total_hits_with_done ?? 0) + Number(isMore);
		return {
			ids,
			epics: (data.epics?.epics ?? []).map((e) => ({ id: e.id, name: e.name ?? "" })),
			points: (data.stories?.total_points ?? 0) + (isMore ? (own?.total_points ?? 0) : 0),
			hidden: Math.max(hits - ids.length, 0),
			elsewhere: story && !story.isNumber && ids.length === 0 ? story.id : 0,
			words: "",
		};
	} catch (error) {
		return { ...NOTHING, words: whyOf(error) };
	}
}

/** Searches when the text changes, and again when others changed something. */
function useFound(board: Board, text: string): Found | null {
	const [found, setFound] = useState<Found | null>(null);
	useEffect(() => {
		let turn = 0;
		const again = () => {
			const mine = ++turn;
			void find(board, text).then((result) => {
				if (mine !== turn) return;
				setFound(result);
				if (mine === 1 && text && !result.words) announce(t("search.suggested", { n: result.ids.length }));
			});
		};
		setFound(null);
		again();
		board.onNews.push(again);
		return () => {
			turn = 0;
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
			{isEmpty && !found.words && !found.elsewhere && <Empty>{t("empty.search")}</Empty>}
			{found.elsewhere > 0 && (
				<p class="more">
					<a href={`/story/show/${found.elsewhere}`}>{t("search.elsewhere")}</a>
				</p>
			)}
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
	const sum = text && found && !found.words && storiesPoints(found.ids.length, found.points);
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
