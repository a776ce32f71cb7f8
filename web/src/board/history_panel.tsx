/** What happened in the project, newest first, day by day. */
import { useEffect } from "preact/hooks";
import type * as api from "../api/types.gen";
import { formatDate, locale, t } from "../text/i18n";
import type { Panel } from "../app/layout";
import { Failed } from "../app/failed";
import { useActivities } from "./activities";
import { useBoard } from "./context";
import type { Board } from "./model";
import { Empty, PanelFrame } from "./panel";

/** Stories of one activity that are named. */
const NAMED = 5;
const FIELDS = "guid,kind,message,occurred_at,primary_resources";

interface Resource {
	kind?: string;
	id?: number;
	name?: string;
}

const clock = new Intl.DateTimeFormat(locale, { timeStyle: "short" });
const instant = (a: api.Activity) => Date.parse(a.occurred_at ?? "");

/** Where the changed object can be seen; null if it is gone. */
function linkOf(board: Board, activity: api.Activity, { kind, id }: Resource): string | null {
	if (activity.kind?.includes("delete") || !id) return null;
	if (kind === "story") return `/n/projects/${board.id}/stories/${id}`;
	return kind === "epic" ? `/n/projects/${board.id}/epics/${id}` : null;
}

function Entry({ board, activity }: { board: Board; activity: api.Activity }) {
	const resources = ((activity.primary_resources ?? []) as Resource[]).filter(
		(r) => (r.kind === "story" || r.kind === "epic") && r.name,
	);
	return (
		<li>
			<time dateTime={activity.occurred_at}>{clock.format(instant(activity))}</time>
			<div>
				<p>{activity.message}</p>
				{resources.slice(0, NAMED).map((r) => {
					const link = linkOf(board, activity, r);
					return (
						<p key={`${r.kind} ${r.id}`}>{link ? <a href={link}>{r.name}</a> : <span class="hint">{r.name}</span>}</p>
					);
				})}
				{resources.length > NAMED && <p class="hint">{t("history.others", { n: resources.length - NAMED })}</p>}
			</div>
		</li>
	);
}

/** Of the same day in the reader's zone, in the order given. */
export function byDay(list: readonly api.Activity[]): { day: string; list: api.Activity[] }[] {
	const days: { day: string; list: api.Activity[] }[] = [];
	for (const activity of list) {
		const day = formatDate(instant(activity));
		const last = days[days.length - 1];
		if (last?.day === day) last.list.push(activity);
		else days.push({ day, list: [activity] });
	}
	return days;
}

export default function HistoryPanel({ panel }: { panel: Panel }) {
	const board = useBoard();
	const { list, more, failed, load } = useActivities(`/projects/${board.id}/activity`, FIELDS);
	useEffect(() => {
		const again = () => void load([]);
		again();
		board.onNews.push(again);
		return () => {
			board.onNews.splice(board.onNews.indexOf(again), 1);
		};
	}, [board, load]);
	return (
		<PanelFrame panel={panel}>
			{!list && !failed && <p class="loading">{t("loading")}</p>}
			{byDay(list ?? []).map(({ day, list: those }) => (
				<section key={day} class="history-day">
					<h3>{day}</h3>
					<ol>
						{those.map((a) => (
							<Entry key={a.guid} board={board} activity={a} />
						))}
					</ol>
				</section>
			))}
			{list?.length === 0 && <Empty>{t("empty.history")}</Empty>}
			{failed && <Failed words={t("history.failed")} again={() => load(list ?? [])} />}
			{more && !failed && (
				<p class="more">
					<button type="button" onClick={() => void load(list ?? [])}>
						{t("history.more")}
					</button>
				</p>
			)}
		</PanelFrame>
	);
}
