/** What happened in the project, newest first. */
import { useEffect, useState } from "preact/hooks";
import { get } from "../api/http";
import type * as api from "../api/types.gen";
import { useBoard } from "./context";
import { Empty, PanelFrame } from "./panel";
import { formatTime, t } from "../app/i18n";
import type { Panel } from "../app/layout";

const PAGE = 50;

export default function HistoryPanel({ panel }: { panel: Panel }) {
	const board = useBoard();
	const [list, setList] = useState<api.Activity[] | null>(null);
	const [more, setMore] = useState(true);
	const load = async (offset: number, known: readonly api.Activity[]) => {
		const { data } = await get<api.Activity[]>(`/projects/${board.id}/activity`, { limit: PAGE, offset });
		setList([...known, ...data]);
		setMore(data.length === PAGE);
	};
	useEffect(() => {
		const again = () => void load(0, []).catch(() => setList((old) => old ?? []));
		again();
		board.onNews.push(again);
		return () => {
			board.onNews.splice(board.onNews.indexOf(again), 1);
		};
	}, [board]);
	return (
		<PanelFrame panel={panel}>
			{!list && <p class="loading">{t("loading")}</p>}
			<ol class="history">
				{list?.map((a) => (
					<li key={a.guid}>
						<p>{a.message}</p>
						<Where activity={a} />
					</li>
				))}
			</ol>
			{list?.length === 0 && <Empty>{t("empty.history")}</Empty>}
			{list && list.length > 0 && more && (
				<p class="more">
					<button type="button" onClick={() => void load(list.length, list)}>
						{t("history.more")}
					</button>
				</p>
			)}
		</PanelFrame>
	);
}

/** When, and which stories. */
function Where({ activity }: { activity: api.Activity }) {
	const board = useBoard();
	const stories = ((activity.primary_resources ?? []) as { kind?: string; id?: number; name?: string }[]).filter(
		(r) => r.kind === "story",
	);
	return (
		<p class="hint">
			{formatTime(Date.parse(activity.occurred_at ?? ""))}
			{stories.map((s) => (
				<a key={s.id} href={`/n/projects/${board.id}/stories/${s.id}`}>
					{s.name}
				</a>
			))}
		</p>
	);
}
