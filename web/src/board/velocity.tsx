/** The project's velocity, in the header. */
import { t } from "../app/i18n";
import type { Board } from "./model";

export function Velocity({ board }: { board: Board }) {
	const project = board.store.project.value;
	if (!project) return null;
	return (
		<span class="velocity" title={t("velocity_hint")}>
			{t("velocity")} <b>{project.current_velocity}</b>
		</span>
	);
}
