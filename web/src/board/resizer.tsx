/** The edge of a column: drag it, or use the arrow keys. */
import { t } from "../text/i18n";
import { resize, type Panel } from "../app/layout";
import type { Board } from "./model";

const STEP = 20;

export function Resizer({ board, panel }: { board: Board; panel: Panel }) {
	const start = (event: PointerEvent) => {
		const handle = event.currentTarget as HTMLElement;
		const column = handle.parentElement!;
		const from = event.clientX - column.offsetWidth;
		handle.setPointerCapture(event.pointerId);
		const turn = (move: PointerEvent) => {
			column.style.flex = `0 0 ${Math.max(260, move.clientX - from)}px`;
		};
		const end = (up: PointerEvent) => {
			handle.removeEventListener("pointermove", turn);
			resize(board.layout, panel, up.clientX - from);
		};
		handle.addEventListener("pointermove", turn);
		handle.addEventListener("pointerup", end, { once: true });
		event.preventDefault();
	};
	const pressed = (event: KeyboardEvent) => {
		const by = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
		if (!by) return;
		const column = (event.currentTarget as HTMLElement).parentElement!;
		resize(board.layout, panel, column.offsetWidth + by);
		event.preventDefault();
	};
	return (
		<div
			class="resizer"
			role="separator"
			tabIndex={0}
			aria-orientation="vertical"
			aria-label={t("panel.resize")}
			aria-valuenow={panel.width ?? 380}
			aria-valuemin={260}
			aria-valuemax={1200}
			onPointerDown={start}
			onKeyDown={pressed}
			onDblClick={() => resize(board.layout, panel, undefined)}
		/>
	);
}
