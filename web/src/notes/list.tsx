/** The list of notifications below the bell. */
import { useEffect, useRef } from "preact/hooks";
import { get, put } from "../api/http";
import type * as api from "../api/types.gen";
import { formatTime, t } from "../text/i18n";
import { warn } from "../app/toast";
import { useLoaded, Waiting, wordsOf } from "../app/loaded";
import { countUnread, unread, WHICH } from "./bell";

const FIELDS = ":default,link";

/** The address of what a notification is about, on this server, whatever the server's name was at the time. */
function address(note: api.Notification): string {
	if (note.story) return `/n/projects/${note.project?.id}/stories/${note.story.id}`;
	if (note.epic) return `/n/projects/${note.project?.id}/epics/${note.epic.id}`;
	return note.project ? `/n/projects/${note.project.id}` : "/dashboard";
}

function Note({ note, close }: { note: api.Notification; close: () => void }) {
	const read = () => {
		close();
		if (!note.read_at)
			void put("/my/notifications/read_list", { ids: [note.id] })
				.then(countUnread)
				.catch(() => {});
	};
	return (
		<li class={note.read_at ? "note" : "note is-unread"}>
			<a href={address(note)} onClick={read}>
				{note.story?.name ?? note.epic?.name ?? note.project?.name ?? t("dashboard")}
			</a>
			<p>{note.message}</p>
			{note.context && <p class="hint">{note.context}</p>}
			<p class="hint">
				{!note.read_at && <strong>{t("notes.new")} · </strong>}
				{note.project?.name} · {formatTime(Date.parse(note.created_at ?? ""))}
			</p>
		</li>
	);
}

export default function NoteList({ close }: { close: () => void }) {
	const box = useRef<HTMLElement>(null);
	const list = useLoaded(
		async () => (await get<api.Notification[]>("/my/notifications", { ...WHICH, fields: FIELDS })).data,
		[],
	);
	useEffect(() => box.current?.focus(), []);
	const newest = Math.max(...(list.data ?? []).map((n) => n.id));
	const markAll = async () => {
		try {
			await put("/my/notifications/mark_read", { before: newest });
			unread.value = 0;
		} catch (error) {
			warn(wordsOf(error));
		}
		await list.again();
	};
	return (
		<section class="notes" aria-label={t("notes")} tabIndex={-1} ref={box}>
			<header>
				<h2>{t("notes")}</h2>
				{list.data && (
					<button type="button" disabled={!list.data.some((n) => !n.read_at)} onClick={() => void markAll()}>
						{t("notes.mark_all")}
					</button>
				)}
			</header>
			{!list.data && <Waiting of={list} />}
			{list.data?.length === 0 && <p class="empty">{t("notes.none")}</p>}
			<ul>
				{list.data?.map((note) => (
					<Note key={note.id} note={note} close={close} />
				))}
			</ul>
		</section>
	);
}
