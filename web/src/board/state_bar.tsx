/** Says when what is shown may be outdated, or a change is not sent yet. */
import { t } from "../text/i18n";
import type { Board } from "./model";

export function State({ board }: { board: Board }) {
	const waiting = board.store.pending.value.filter((c) => !c.held).length;
	const failure = board.failure.value;
	board.store.project.value; // subscribes: once the project is here, it is being synchronized
	const away = board.queue.offline.value || board.sync?.failing.value;
	if (!away && !failure) return <div role="status" class="hidden" />;
	const again = () => {
		if (!away) return void board.load();
		board.queue.wake();
		void board.sync?.now();
	};
	return (
		<div role="status" class="state-bar">
			{away && waiting > 0 ? t("offline", { n: waiting }) : t("load_failed")}{" "}
			<button type="button" class="link" onClick={again}>
				{t("try_again")}
			</button>
		</div>
	);
}
