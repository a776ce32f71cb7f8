/** A chart on the page: heading, plot with legend, and a table of the same values. */
import { useId, useState } from "preact/hooks";
import { t } from "../text/i18n";
import { memo } from "../ui/memo";
import { isEmpty, type Chart } from "./chart";
import { Plot } from "./plot";

function Legend({ chart, at }: { chart: Chart; at: number }) {
	return (
		<ul class="legend">
			<li class="legend-place">{chart.places[at]?.name}</li>
			{chart.series.map((s) => (
				<li key={s.name}>
					<span class={`swatch is-${s.kind} ${s.style}`} />
					{s.name} <b>{chart.say(s.values[at] ?? 0)}</b>
				</li>
			))}
		</ul>
	);
}

/** Newest first, so that what people look for is at the top. */
const Table = memo(({ chart }: { chart: Chart }) => {
	const more = chart.more ?? [];
	return (
		<table>
			<caption>{chart.title}</caption>
			<thead>
				<tr>
					<th scope="col">{chart.place}</th>
					{[...chart.series, ...more].map((column) => (
						<th key={column.name} scope="col">
							{column.name}
						</th>
					))}
				</tr>
			</thead>
			<tbody>
				{chart.places
					.map((place, i) => (
						<tr key={i}>
							<th scope="row">{place.name}</th>
							{chart.series.map((s) => (
								<td key={s.name}>{chart.say(s.values[i] ?? 0)}</td>
							))}
							{more.map((column) => (
								<td key={column.name}>{column.values[i]}</td>
							))}
						</tr>
					))
					.reverse()}
			</tbody>
		</table>
	);
});

export function ChartFrame({ chart }: { chart: Chart }) {
	const [asTable, show] = useState(false);
	const [at, look] = useState<number | null>(null);
	const heading = useId();
	const last = chart.places.length - 1;
	const none = isEmpty(chart);
	return (
		<section class="chart" aria-label={chart.title}>
			<header>
				<h2 id={heading}>{chart.title}</h2>
				<button type="button" aria-pressed={asTable} aria-describedby={heading} onClick={() => show(!asTable)}>
					{t("charts.as_table")}
				</button>
			</header>
			<p class="hint">{chart.hint}</p>
			{!asTable && !none && (
				<>
					<Plot chart={chart} at={at} look={look} />
					<Legend chart={chart} at={Math.min(at ?? last, last)} />
				</>
			)}
			{!asTable && none && <p class="empty">{t("charts.nothing")}</p>}
			{asTable ? (
				<div class="scroll" role="group" aria-labelledby={heading} tabIndex={0}>
					<Table chart={chart} />
				</div>
			) : (
				<div class="hidden">
					<Table chart={chart} />
				</div>
			)}
		</section>
	);
}
