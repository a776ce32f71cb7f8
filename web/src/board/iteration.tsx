/** An iteration as a part of a panel: when it is, how much is in it, and its stories. */
import type { ComponentChildren } from "preact";
import { useBoard } from "./context";
import { Card } from "./card";
import { useBlocks } from "./blocks";
import { formatDays, formatNumber, t } from "../text/i18n";
import { PlanDialogs } from "./lazy_parts";
import { shownDialog } from "../ui/dialog";
import { memo } from "../ui/memo";
import type { Iteration } from "../model/plan";
import { DAY } from "../model/calendar";

/** What a card is taken to be high before it was drawn. */
const CARD = 36;

export interface IterationHeadProps {
	number: number;
	start: number;
	finish: number;
	points: number;
	accepted?: number;
	strength: number;
	children?: ComponentChildren;
}

/** A click changes it, if it can still be changed. */
function Strength({ number, strength }: { number: number; strength: number }) {
	const board = useBoard();
	const text = (
		<>
			<span class="hidden">{t("strength")} </span>
			{formatNumber(strength * 100)} %
		</>
	);
	if (!board.canWrite.value)
		return (
			<span class="strength" title={t("strength")}>
				{text}
			</span>
		);
	const ask = () => {
		shownDialog.value = <PlanDialogs board={board} what={{ about: "strength", number }} />;
	};
	return (
		<button
			type="button"
			class={strength === 1 ? "quiet strength" : "quiet strength is-special"}
			title={t("strength")}
			onClick={ask}
		>
			{text}
		</button>
	);
}

export function IterationHead(props: IterationHeadProps) {
	const zone = useBoard().store.project.value?.time_zone;
	const { number, start, finish, points, accepted, strength } = props;
	return (
		<header class="iteration-head">
			<h3>
				<span class="number">{number}</span> {formatDays(start, finish - DAY / 2, zone)}
			</h3>
			{props.children}
			<Strength number={number} strength={strength} />
			<span class="sum">{accepted ? t("points_of", { done: accepted, n: points }) : t("points", { n: points })}</span>
		</header>
	);
}

const Block = memo(({ ids }: { ids: readonly number[] }) => (
	<ul class="cards" style={{ containIntrinsicSize: `auto ${ids.length * CARD}px` }}>
		{ids.map((id) => (
			<Card key={id} id={id} />
		))}
	</ul>
));

/** Stories one below the other; in blocks, of which at most `most` are drawn. */
export function Cards({ ids, most = Infinity }: { ids: readonly number[]; most?: number }) {
	const blocks = useBlocks(ids);
	return (
		<>
			{blocks.slice(0, most).map((block) => (
				<Block key={block[0]} ids={block} />
			))}
		</>
	);
}

interface IterationProps {
	iteration: Iteration;
	/** Stories that belong to another panel are left out. */
	ids: readonly number[];
	children?: ComponentChildren;
}

export const IterationView = memo(({ iteration, ids, children }: IterationProps) => {
	const { span, points, accepted_points: accepted } = iteration;
	return (
		<section
			class="iteration"
			data-iteration={span.number}
			style={{ containIntrinsicSize: `auto ${30 + ids.length * CARD}px` }}
		>
			<IterationHead
				number={span.number}
				start={span.start}
				finish={span.finish}
				points={points}
				accepted={accepted}
				strength={span.strength}
			/>
			{children}
			<Cards ids={ids} />
		</section>
	);
});
