/** The project's velocity, in the header; a click asks for a what-if velocity. */
import { t } from "../text/i18n";
import { PlanDialogs } from "./lazy_parts";
import { shownDialog } from "../ui/dialog";
import type { Board } from "./model";

export function Velocity({ board }: { board: Board }) {
	const project = board.store.project.value;
	if (!project) return <span class="velocity" />;
	const ask = () => {
		shownDialog.value = <PlanDialogs board={board} what={{ about: "velocity" }} />;
	};
	return (
		<button type="button" class="quiet velocity" title={t("velocity_hint")} onClick={ask}>
			<span>{t("velocity")}</span> <b>{board.store.whatIf.value ?? project.current_velocity}</b>
		</button>
	);
}

/** Says that the board shows a what-if plan. */
export function WhatIfBar({ board }: { board: Board }) {
	const { whatIf, project } = board.store;
	if (whatIf.value === null) return null;
	return (
		<div role="status" class="state-bar is-question">
			{t("what_if.bar", { n: whatIf.value })}{" "}
			<button type="button" class="link" onClick={() => (whatIf.value = null)}>
				{t("what_if.back", { n: project.value?.current_velocity ?? 0 })}
			</button>
		</div>
	);
}
