/** Recent deliveries of a webhook and their results; loaded when opened. */
import { useState } from "preact/hooks";
import { get } from "../api/http";
import { formatTime, t } from "../text/i18n";
import { useLoaded, Waiting } from "../app/loaded";
import { Table } from "./page_kit";
import type { Here } from "./project_frame";

interface Delivery {
	id: number;
	project_version?: number;
	state?: "waiting" | "delivered" | "failed";
	attempts?: number;
	last_status?: number;
	last_error?: string;
	created_at?: string;
	next_at?: string;
	ended_at?: string;
}

const time = (text: string | undefined) => (text ? formatTime(Date.parse(text)) : "");

function Row({ delivery: d }: { delivery: Delivery }) {
	const state = d.state ?? "waiting";
	return (
		<tr>
			<td>{time(d.created_at)}</td>
			<td class="number">{d.project_version}</td>
			<td class={state === "failed" ? "problem" : ""}>
				{t(`delivery.${state}`, { time: time(d.ended_at ?? d.next_at) })}
			</td>
			<td class="number">{d.attempts}</td>
			<td>{[d.last_status || "", d.last_error].filter(Boolean).join(" ")}</td>
		</tr>
	);
}

function List({ path }: { path: string }) {
	const list = useLoaded(async () => (await get<Delivery[]>(path, { limit: 50 })).data, [path]);
	if (!list.data) return <Waiting of={list} />;
	if (list.data.length === 0) return <p class="empty">{t("delivery.none")}</p>;
	return (
		<>
			<Table
				label={t("delivery.log")}
				heads={[
					t("delivery.made"),
					[t("delivery.version")],
					t("delivery.result"),
					[t("delivery.attempts")],
					t("delivery.answer"),
				]}
			>
				{list.data.map((d) => (
					<Row key={d.id} delivery={d} />
				))}
			</Table>
			<button type="button" onClick={() => void list.again()}>
				{t("page.refresh")}
			</button>
		</>
	);
}

export function Deliveries({ at, webhook }: { at: Here; webhook: number }) {
	const [open, setOpen] = useState(false);
	return (
		<details onToggle={(event) => setOpen(event.currentTarget.open)}>
			<summary>{t("delivery.log")}</summary>
			{open && <List path={`${at.path}/webhooks/${webhook}/deliveries`} />}
		</details>
	);
}
