/** What happened to a story or an epic, newest first; loaded when it is expanded. */
import { useEffect, useState } from "preact/hooks";
import { formatTime, t } from "../text/i18n";
import { Failed } from "../app/failed";
import { useActivities } from "../board/activities";
import type { Editor } from "./editor";
import { Part } from "./part";

const FIELDS = "guid,message,occurred_at";

export function History({ editor }: { editor: Editor }) {
	const [open, setOpen] = useState(false);
	const { list, more, failed, load } = useActivities(`${editor.path}/activity`, FIELDS);
	const detail = editor.detail.value;
	useEffect(() => {
		if (open) void load([]);
	}, [open, detail, load]);
	const tools = (
		<button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
			{t(open ? "history.hide" : "history.show")}
		</button>
	);
	return (
		<Part title={t("panel.history")} tools={tools}>
			{open && failed && <Failed again={() => load(list ?? [])} />}
			{open && list && (
				<ol class="history">
					{list.map((a) => (
						<li key={a.guid}>
							<p>{a.message}</p>
							<p class="hint">{formatTime(Date.parse(a.occurred_at ?? ""))}</p>
						</li>
					))}
				</ol>
			)}
			{open && more && (
				<button type="button" onClick={() => void load(list ?? [])}>
					{t("history.more")}
				</button>
			)}
		</Part>
	);
}
