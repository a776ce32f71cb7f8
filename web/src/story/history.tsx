/** What happened to a story or an epic, newest first; asked for when it is unfolded. */
import { useEffect, useState } from "preact/hooks";
import { get } from "../api/http";
import type * as api from "../api/types.gen";
import { formatTime, t } from "../text/i18n";
import type { Editor } from "./editor";

const PAGE = 50;

export function History({ editor }: { editor: Editor }) {
	const [open, setOpen] = useState(false);
	const [list, setList] = useState<api.Activity[] | null>(null);
	const [more, setMore] = useState(false);
	const [failed, fail] = useState(false);
	const load = async (known: readonly api.Activity[]) => {
		try {
			const query = { limit: PAGE, offset: known.length };
			const { data } = await get<api.Activity[]>(`${editor.path}/activity`, query);
			setList([...known, ...data]);
			setMore(data.length === PAGE);
			fail(false);
		} catch {
			fail(true);
		}
	};
	const detail = editor.detail.value;
	useEffect(() => {
		if (open) void load([]);
	}, [open, detail]);
	return (
		<div class="part" role="group" aria-label={t("panel.history")}>
			<header class="part-head">
				<h3>{t("panel.history")}</h3>
				<button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
					{t(open ? "history.hide" : "history.show")}
				</button>
			</header>
			{open && failed && <p class="problem">{t("load_failed")}</p>}
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
		</div>
	);
}
