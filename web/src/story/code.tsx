/** Pull requests and branches of a story or an epic: links that are known by their address. */
import { t } from "../app/i18n";
import type { CodeLink } from "../model/detail";
import { addPart, removePart } from "../model/parts";
import { warn } from "../app/toast";
import type { Editor } from "./editor";
import { AddLine } from "./line";

type Kind = "pull_requests" | "branches";

/** Owner, repository, and what behind "/pull/" or "/tree/" names it. */
export function readAddress(kind: Kind, text: string): Record<string, unknown> | null {
	let url: URL;
	try {
		url = new URL(text);
	} catch {
		return null;
	}
	if (url.protocol !== "https:" && url.protocol !== "http:") return null;
	const found = /^\/(.+)\/([^/]+?)(?:\/-)?\/(?:pull|pulls|merge_requests|pull-requests|tree|branch|src)\/(.+?)\/?$/.exec(url.pathname);
	if (!found) return null;
	const [, owner, repo, rest] = found;
	const common = { owner, repo, host_url: `${url.origin}/`, original_url: url.href };
	if (kind === "branches") return { ...common, name: decodeURIComponent(rest!) };
	const number = Number.parseInt(rest!, 10);
	return Number.isNaN(number) ? null : { ...common, number };
}

function List({ editor, kind, canWrite }: { editor: Editor; kind: Kind; canWrite: boolean }) {
	const items = editor.shown.value![kind] as CodeLink[];
	const add = (text: string) => {
		const body = readAddress(kind, text);
		if (!body) {
			warn(t(`code.no_${kind}`));
			return;
		}
		const shown = { name: text, url: text, status: "" };
		editor.board.do(addPart(editor, kind, body, shown, (item) => item.url === text), true);
	};
	return (
		<>
			<ul class="part-lines">
				{items.map((item) => (
					<li key={item.id} class="line">
						<span class="line-text">
							<a href={/^https?:/.test(item.url) ? item.url : undefined} target="_blank" rel="noopener noreferrer">
								{item.name}
							</a>{" "}
							<span class="hint">{item.status}</span>
						</span>
						{canWrite && item.id > 0 && (
							<button
								type="button"
								class="quiet icon-only"
								aria-label={`${t("delete")}: ${item.name}`}
								onClick={() => editor.board.do(removePart(editor, kind, item.id), true)}
							>
								×
							</button>
						)}
					</li>
				))}
			</ul>
			{canWrite && <AddLine label={t(`code.add_${kind}`)} maxLength={2000} add={add} />}
		</>
	);
}

export function Code({ editor, canWrite }: { editor: Editor; canWrite: boolean }) {
	return (
		<div class="part" role="group" aria-label={t("story.code")}>
			<header class="part-head">
				<h3>{t("story.code")}</h3>
			</header>
			<List editor={editor} kind="pull_requests" canWrite={canWrite} />
			<List editor={editor} kind="branches" canWrite={canWrite} />
		</div>
	);
}
