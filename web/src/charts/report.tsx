/** What one iteration planned and accepted: by state, by person, story by story. */
import type { ComponentChildren } from "preact";
import { formatNumber, storiesPoints, t } from "../text/i18n";
import type { Frame, Iteration } from "../model/load_history";
import { totalOf, type PastStory } from "../model/history";
import { capacity } from "../model/plan";
import { byPerson, byState } from "../model/report";
import { Icon } from "../ui/icon";
import { unitOf } from "./cycle";
import { choose, type Period } from "./period";
import { datesOf } from "./places";

interface PickProps {
	period: Period;
	number: number;
	current: number;
}

/** Chooses the iteration: by its number, or the previous or next one. */
export function Pick({ period, number, current }: PickProps) {
	const to = (wanted: number) => choose({ ...period, iteration: wanted === current ? null : wanted });
	const changed = (event: Event) => {
		const field = event.currentTarget as HTMLInputElement;
		if (field.reportValidity()) to(Number(field.value));
	};
	return (
		<form class="pick" onSubmit={(event) => event.preventDefault()}>
			<button type="button" disabled={number <= 1} onClick={() => to(number - 1)}>
				{t("charts.before")}
			</button>
			<label>
				{t("charts.iteration")}
				<input type="number" min={1} max={9999} required value={number} onChange={changed} />
			</label>
			<button type="button" onClick={() => to(number + 1)}>
				{t("charts.after")}
			</button>
		</form>
	);
}

function Figure({ name, children }: { name: string; children: ComponentChildren }) {
	return (
		<div>
			<dt>{name}</dt>
			<dd>{children}</dd>
		</div>
	);
}

/** A past iteration contains only what was accepted; its plan was its capacity at its velocity. */
function plannedOf(it: Iteration, frame: Frame): number {
	if (it.number >= frame.project.current_iteration_number) return it.points;
	const span = {
		number: it.number,
		weeks: it.weeks,
		strength: it.strength,
		day: 0,
		start: it.start,
		finish: it.finish,
	};
	return capacity(frame.project, span, it.velocity);
}

function Figures({ it, frame }: { it: Iteration; frame: Frame }) {
	const isOver = it.number < frame.project.current_iteration_number;
	const cycles = it.stories.flatMap((s) => (s.current_state === "accepted" && s.cycle ? totalOf(s.cycle) : []));
	const mean = cycles.reduce((sum, ms) => sum + ms, 0) / Math.max(cycles.length, 1);
	const { size, say } = unitOf(mean);
	return (
		<dl class="figures">
			<Figure name={isOver ? t("charts.planned_room") : t("charts.planned")}>
				{formatNumber(plannedOf(it, frame))}
			</Figure>
			<Figure name={t("charts.accepted_points")}>{formatNumber(it.accepted_points)}</Figure>
			<Figure name={t("charts.accepted_stories")}>
				{formatNumber(it.stories.filter((s) => s.current_state === "accepted").length)}
			</Figure>
			<Figure name={t("velocity")}>{formatNumber(it.velocity)}</Figure>
			<Figure name={t("strength")}>{formatNumber(it.strength * 100)} %</Figure>
			<Figure name={t("charts.cycle")}>{cycles.length ? say(mean / size) : "–"}</Figure>
			<Figure name={t("charts.rejected_rate")}>{formatNumber(it.rejection_rate)} %</Figure>
			<Figure name={t("charts.bugs_made")}>{formatNumber(it.bugs_created)}</Figure>
		</dl>
	);
}

function Table({ title, head, rows }: { title: string; head: readonly string[]; rows: ComponentChildren[][] }) {
	return (
		<table>
			<caption>{title}</caption>
			<thead>
				<tr>
					{head.map((name) => (
						<th key={name} scope="col">
							{name}
						</th>
					))}
				</tr>
			</thead>
			<tbody>
				{rows.map(([first, ...cells], i) => (
					<tr key={i}>
						<th scope="row">{first}</th>
						{cells.map((cell, j) => (
							<td key={j}>{cell}</td>
						))}
					</tr>
				))}
			</tbody>
		</table>
	);
}

function StoryLine({ story, frame }: { story: PastStory; frame: Frame }) {
	const owners = story.owner_ids.map((id) => frame.people.get(id) ?? t("charts.left"));
	return (
		<li class={`line-item state-${story.current_state}`}>
			<Icon name={story.story_type} />
			<span class="hidden">{t(`type.${story.story_type}`)}</span>
			<a href={`/n/projects/${frame.project.id}/stories/${story.id}`}>{story.name}</a>
			<span class="hint">{owners.join(", ")}</span>
			<span class="sum">{story.estimate === null ? "" : t("points", { n: story.estimate })}</span>
			<span class="state-word">{t(`state.${story.current_state}`)}</span>
		</li>
	);
}

export function Report({ it, frame }: { it: Iteration; frame: Frame }) {
	return (
		<>
			<p class="report-dates">
				{t("iteration_n", { number: String(it.number) })}, {datesOf(it, frame.project.time_zone)}
			</p>
			<Figures it={it} frame={frame} />
			{it.stories.length === 0 ? <p class="empty">{t("charts.no_stories")}</p> : <Stories it={it} frame={frame} />}
		</>
	);
}

function Stories({ it, frame }: { it: Iteration; frame: Frame }) {
	return (
		<>
			<div class="tables">
				<Table
					title={t("charts.by_state")}
					head={[t("state"), t("charts.stories"), t("charts.points")]}
					rows={byState(it.stories).map((s) => [
						t(`state.${s.state}`),
						formatNumber(s.stories),
						formatNumber(s.points),
					])}
				/>
				<Table
					title={t("charts.by_person")}
					head={[t("charts.person"), t("charts.all"), t("charts.accepted")]}
					rows={byPerson(it.stories).map((s) => [
						s.person === null ? t("nobody") : (frame.people.get(s.person) ?? t("charts.left")),
						storiesPoints(s.stories, s.points),
						storiesPoints(s.accepted_stories, s.accepted_points),
					])}
				/>
			</div>
			<ul class="lines" aria-label={t("charts.stories")}>
				{it.stories.map((story) => (
					<StoryLine key={story.id} story={story} frame={frame} />
				))}
			</ul>
		</>
	);
}
