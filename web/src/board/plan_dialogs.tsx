/** What if the team were quicker or slower; how strong it is in one iteration. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { put } from "../api/http";
import { formatDay, t } from "../text/i18n";
import { say, warn } from "../app/toast";
import { closeDialog, Dialog } from "../ui/dialog";
import type { Board } from "./model";
import type { PlanDialog } from "./parts";

const MOST = 999;
const STRONGEST = 1000;

interface FormProps {
	title: string;
	hint: string;
	submit: () => void;
	other: string;
	reset: () => void;
	children: ComponentChildren;
}

function Form({ title, hint, submit, other, reset, children }: FormProps) {
	return (
		<Dialog title={title} close={closeDialog}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					submit();
				}}
			>
				<p class="hint">{hint}</p>
				{children}
				<p class="actions">
					<button type="submit" class="primary">
						{t("save")}
					</button>
					<button type="button" onClick={reset}>
						{other}
					</button>
					<span class="spring" />
					<button type="button" onClick={closeDialog}>
						{t("cancel")}
					</button>
				</p>
			</form>
		</Dialog>
	);
}

/** A view of this page alone: nothing is sent. */
function WhatIf({ board }: { board: Board }) {
	const { whatIf, project } = board.store;
	const real = project.value?.current_velocity ?? 0;
	const [text, setText] = useState(String(whatIf.value ?? real));
	const set = (value: number | null) => {
		whatIf.value = value === real ? null : value;
		closeDialog();
	};
	return (
		<Form
			title={t("what_if.title")}
			hint={t("what_if.hint", { n: real })}
			submit={() => set(Number(text))}
			other={t("what_if.real")}
			reset={() => set(null)}
		>
			<label>
				{t("velocity")}
				<input
					type="number"
					min={0}
					max={MOST}
					required
					autofocus
					value={text}
					onInput={(e) => setText(e.currentTarget.value)}
				/>
			</label>
			<p>
				<a href={`/projects/${board.id}/overview`} onClick={closeDialog}>
					{t("what_if.overview")}
				</a>
			</p>
		</Form>
	);
}

function Strength({ board, number }: { board: Board; number: number }) {
	const span = board.store.plan.value?.iterations.find((it) => it.span.number === number)?.span;
	const [text, setText] = useState(String(Math.round((span?.strength ?? 1) * 100)));
	const send = async (percent: number) => {
		closeDialog();
		try {
			await put(`/projects/${board.id}/iteration_overrides/${number}`, { team_strength: percent / 100 });
			await board.load();
			say(t("strength.set", { number: String(number), n: percent }));
		} catch (error) {
			warn(error instanceof Error && error.message ? error.message : t("load_failed"));
		}
	};
	const day = span ? formatDay(span.start, board.store.project.value?.time_zone) : "";
	return (
		<Form
			title={t("strength.title", { number: String(number) })}
			hint={t("strength.hint", { day })}
			submit={() => void send(Number(text))}
			other={t("strength.whole")}
			reset={() => void send(100)}
		>
			<label>
				{t("strength.percent")}
				<input
					type="number"
					min={0}
					max={STRONGEST}
					required
					autofocus
					value={text}
					onInput={(e) => setText(e.currentTarget.value)}
				/>
			</label>
		</Form>
	);
}

export default function PlanDialogs({ board, what }: { board: Board; what: PlanDialog }) {
	return what.about === "velocity" ? <WhatIf board={board} /> : <Strength board={board} number={what.number} />;
}
