/** What to do first in a project that has no story yet. */
import { t } from "../text/i18n";
import { startAdding } from "./add_story";
import { useBoard } from "./context";
import { me } from "../app/session";

export default function FirstSteps() {
	const board = useBoard();
	const isOwner = board.store.members.value.get(me.value?.id ?? 0)?.role === "owner";
	return (
		<div class="first-steps" role="group" aria-label={t("first.title")}>
			<h2>{t("first.title")}</h2>
			<ol>
				<li>{t("first.add")}</li>
				<li>{t("first.estimate")}</li>
				<li>{t("first.drag")}</li>
				<li>{t("first.start")}</li>
			</ol>
			<p class="actions">
				<button type="button" class="primary" onClick={() => startAdding(board)}>
					{t("first.button")}
				</button>
				{isOwner && (
					<>
						<a class="button" href={`/projects/${board.id}/import`}>
							{t("first.import")}
						</a>
						<a class="button" href={`/projects/${board.id}/members`}>
							{t("first.invite")}
						</a>
					</>
				)}
			</p>
		</div>
	);
}
