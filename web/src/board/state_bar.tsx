/** Says when what one sees may be old, or what one did is not sent yet. */
import { t } from "../app/i18n";
import type { Board } from "./model";

export function State({ board }: { board: Board }) {
	const waiting = board.store.pending.value.filter((c) => !c.held).length;
	const failure = board.failure.value;
	const away = board.queue.offline.value;
	if (!away && !failure) return <div role="status" class="hidden" />;
	return (
		<div role="status" class="state-bar">
			{away ? t("offline", { n: waiting }) : t("load_failed")}{" "}
			<button type="button" class="link" onClick={() => (away ? board.queue.wake() : void board.load())}>
				{t("try_again")}
			</button>
		</div>
	);
}
