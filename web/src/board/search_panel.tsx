/** What a search of the server finds. */
import { useEffect, useState } from "preact/hooks";
import { get } from "../api/http";
import type * as api from "../api/types.gen";
import { useBoard } from "./context";
import { Empty, PanelFrame } from "./panel";
import { Cards } from "./iteration";
import { search } from "./search_field";
import { t } from "../app/i18n";
import type { Panel } from "../app/layout";
import { loadStories } from "../api/board";
import type { Board } from "./model";

interface Found {
	ids: number[];
	points: number;
	hidden: number;
	words: string;
}

const MOST = 500;

async function find(board: Board, text: string): Promise<Found> {
	try {
		const { data } = await get<api.Search>(`/projects/${board.id}/search`, { query: text });
		const ids = (data.stories?.stories ?? []).map((s) => s.id).slice(0, MOST);
		const missing = ids.filter((id) => !board.store.peek(id));
		if (missing.length > 0) board.store.keep((await loadStories(board.id, missing)).map((s) => s.story));
		const all = data.stories?.total_hits_with_done ?? ids.length;
		return { ids, points: data.stories?.total_points ?? 0, hidden: all - ids.length, words: "" };
	} catch (error) {
		return { ids: [], points: 0, hidden: 0, words: error instanceof Error && error.message ? error.message : t("load_failed") };
	}
}

export default function SearchPanel({ panel }: { panel: Panel }) {
	const board = useBoard();
	const text = panel.arg ?? "";
	const [found, setFound] = useState<Found | null>(null);
	useEffect(() => {
		let stopped = false;
		setFound(null);
		void find(board, text).then((result) => !stopped && setFound(result));
		return () => {
			stopped = true;
		};
	}, [board, text]);
	const more = () => search(board, `(${text}) includedone:true`);
	return (
		<PanelFrame panel={panel} sum={found && t("stories_points", { n: found.ids.length, points: found.points })}>
			<p class="searched">{text}</p>
			{!found && <p class="loading">{t("loading")}</p>}
			{found?.words && (
				<p class="problem" role="alert">
					{found.words}
				</p>
			)}
			{found && <Cards ids={found.ids} />}
			{found && found.ids.length === 0 && !found.words && <Empty>{t("empty.search")}</Empty>}
			{found && found.hidden > 0 && (
				<p class="more">
					<button type="button" onClick={more}>
						{t("search.with_done", { n: found.hidden })}
					</button>
				</p>
			)}
		</PanelFrame>
	);
}
