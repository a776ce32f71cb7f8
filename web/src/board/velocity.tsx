/** The project's velocity, in the header; it leads to where it comes from. */
import { t } from "../app/i18n";
import type { Board } from "./model";

export function Velocity({ board }: { board: Board }) {
	const project = board.store.project.value;
	if (!project) return <span class="velocity" />;
	return (
		<a class="velocity" href={`/projects/${board.id}/overview`} title={t("velocity_hint")}>
			{t("velocity")} <b>{project.current_velocity}</b>
		</a>
	);
}
