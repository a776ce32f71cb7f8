/** What if the team were faster or slower; how strong it is in one iteration. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { put } from "../api/http";
import { formatDay, t } from "../text/i18n";
import { whyOf } from "../app/failed";
import { say, warn } from "../app/toast";
import { closeDialog, Dialog, DialogButtons } from "../ui/dialog";
import type { Board } from "./model";
import type { PlanDialog } from "./lazy_parts";

const MOST = 999;
const STRONGEST = 1000;

interface FormProps {
	title: string;
	hint: string;
	/** The label of the number field. */
	label: string;
	max: number;
	value: number;
	submit: (value: number) => void;
	other: string;
	reset: () => void;
	children?: ComponentChildren;
}

/** Asks for a number, or offers another one that needs no typing. */
function NumberDialog({ title, hint, label, max, value, submit, other, reset, children }: FormProps) {
	const [text, setText] = useState(String(value));
	return (
		<Dialog title={title} close={closeDialog}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					submit(Number(text));
				}}
			>
				<p class="hint">{hint}</p>
				<label>
					{label}
					<input
						type="number"
						min={0}
						max={max}
						required
						autofocus
						value={text}
						onInput={(e) => setText(e.currentTarget.value)}
					/>
				</label>
				{children}
				<DialogButtons submit={t("save")}>
					<button type="button" onClick={reset}>
						{other}
					</button>
					<span class="spring" />
				</DialogButtons>
			</form>
		</Dialog>
	);
}

/** Changes only what this page shows: nothing is sent. */
function WhatIf({ board }: { board: Board }) {
	const { whatIf, project } = board.store;
	const real = project.value?.current_velocity ?? 0;
	const set = (value: number | null) => {
		whatIf.value = value === real ? null : value;
		closeDialog();
	};
	return (
		<NumberDialog
			title={t("what_if.title")}
			hint={t("what_if.hint", { n: real })}
			label={t("velocity")}
			max={MOST}
			value={whatIf.value ?? real}
			submit={set}
			other={t("what_if.real")}
			reset={() => set(null)}
		>
			<p>
				<a href={`/projects/${board.id}/overview`} onClick={closeDialog}>
					{t("what_if.overview")}
				</a>
			</p>
		</NumberDialog>
	);
}

function Strength({ board, number }: { board: Board; number: number }) {
	const span = board.store.plan.value?.iterations.find((it) => it.span.number === number)?.span;
	const send = async (percent: number) => {
		closeDialog();
		try {
			await put(`/projects/${board.id}/iteration_overrides/${number}`, { team_strength: percent / 100 });
			await board.load();
			say(t("strength.set", { number: String(number), n: percent }));
		} catch (error) {
			warn(whyOf(error));
		}
	};
	const day = span ? formatDay(span.start, board.store.project.value?.time_zone) : "";
	return (
		<NumberDialog
			title={t("strength.title", { number: String(number) })}
			hint={t("strength.hint", { day })}
			label={t("strength.percent")}
			max={STRONGEST}
			value={Math.round((span?.strength ?? 1) * 100)}
			submit={(percent) => void send(percent)}
			other={t("strength.whole")}
			reset={() => void send(100)}
		/>
	);
}

export default function PlanDialogs({ board, what }: { board: Board; what: PlanDialog }) {
	return what.about === "velocity" ? <WhatIf board={board} /> : <Strength board={board} number={what.number} />;
}
