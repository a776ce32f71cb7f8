/** The plot of a chart. Arrow keys and the pointer move over its points; `at` is the current one. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { t } from "../text/i18n";
import { memo } from "../ui/memo";
import { stands, type Chart, type Series } from "./chart";
import { named, stack, ticks } from "./scale";

const HEIGHT = 220;
const TOP = 10;
const LEFT = 44;
const RIGHT = 14;
const BOTTOM = 24;
/** The minimum width of a label below the axis. */
const ROOM = 64;
/** The approximate width of a letter. */
const LETTER = 7;

interface Frame {
	width: number;
	x: (i: number) => number;
	y: (value: number) => number;
	/** The width of a place. */
	each: number;
	values: number[];
}

function useWidth() {
	const node = useRef<HTMLDivElement>(null);
	const [width, setWidth] = useState(600);
	useEffect(() => {
		const watch = new ResizeObserver(([entry]) => setWidth(Math.max(240, Math.round(entry!.contentRect.width))));
		watch.observe(node.current!);
		return () => watch.disconnect();
	}, []);
	return { node, width };
}

function frameOf(chart: Chart, width: number): Frame {
	const n = chart.places.length;
	const stacks = stack(chart.series.filter(stands).map((s) => s.values));
	const tops = [...chart.series.map((s) => s.values), ...stacks.map((s) => s.high), [chart.band?.high ?? 0]];
	const values = ticks(Math.max(1e-9, ...tops.map((of) => Math.max(0, ...of))));
	const room = width - LEFT - RIGHT;
	const inBands = chart.series.some((s) => s.kind === "bar");
	const each = inBands ? room / n : room / Math.max(n - 1, 1);
	const top = values[values.length - 1]!;
	return {
		width,
		each,
		values,
		x: (i) => LEFT + (inBands ? (i + 0.5) * each : i * each),
		y: (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top),
	};
}

function Axes({ chart, frame }: { chart: Chart; frame: Frame }) {
	const { width, x, y, values } = frame;
	const n = chart.places.length;
	const where = chart.marks ?? chart.places.map((_, i) => i);
	// The last label is entirely to the left of its place.
	const room = Math.max(ROOM, 1.5 * LETTER * Math.max(...chart.places.map((place) => place.short.length)));
	const shown = named(where.length, width - LEFT - RIGHT, room).map((i) => where[i]!);
	return (
		<g class="axes">
			{values.map((value) => (
				<g key={value}>
					<line x1={LEFT} x2={width - RIGHT} y1={y(value)} y2={y(value)} />
					<text x={LEFT - 6} y={y(value) + 4} class="at-end">
						{chart.say(value)}
					</text>
				</g>
			))}
			{chart.marks?.map((i) => (
				<line key={i} class="mark" x1={x(i)} x2={x(i)} y1={TOP} y2={HEIGHT - BOTTOM} />
			))}
			{shown.map((i) => (
				<text
					key={i}
					x={x(i)}
					y={HEIGHT - 6}
					class={i === 0 && n > 2 ? "at-start" : x(i) > width - RIGHT - ROOM / 2 && n > 2 ? "at-end" : "at-middle"}
				>
					{chart.places[i]!.short}
				</text>
			))}
		</g>
	);
}

const pathOf = (frame: Frame, values: readonly number[]) =>
	values.map((value, i) => `${frame.x(i).toFixed(1)},${frame.y(value).toFixed(1)}`);

function Standing({ series, ends, frame }: { series: Series; ends: { low: number[]; high: number[] }; frame: Frame }) {
	const { x, y, each } = frame;
	if (series.kind === "area") {
		const line = pathOf(frame, ends.high);
		const back = pathOf(frame, ends.low).reverse();
		return <path class={`area ${series.style}`} d={`M${[...line, ...back].join("L")}Z`} />;
	}
	const wide = Math.max(1, Math.min(each * 0.7, 46));
	return (
		<g class={series.style}>
			{series.values.map((value, i) =>
				value > 0 ? (
					<rect
						key={i}
						class="bar"
						x={x(i) - wide / 2}
						y={y(ends.high[i]!)}
						width={wide}
						height={y(ends.low[i]!) - y(ends.high[i]!)}
					/>
				) : null,
			)}
		</g>
	);
}

function Above({ series, frame }: { series: Series; frame: Frame }) {
	if (series.kind === "line" && series.values.length > 1)
		return <path class={`line ${series.style}`} d={`M${pathOf(frame, series.values).join("L")}`} />;
	return (
		<g class={series.style}>
			{series.values.map((value, i) =>
				value > 0 ? <circle key={i} class="dot" cx={frame.x(i)} cy={frame.y(value)} r={4} /> : null,
			)}
		</g>
	);
}

const Picture = memo(({ chart, frame }: { chart: Chart; frame: Frame }) => {
	const { width, y } = frame;
	const standing = chart.series.filter(stands);
	const ends = stack(standing.map((s) => s.values));
	return (
		<>
			<Axes chart={chart} frame={frame} />
			{chart.band && (
				<rect
					class="band"
					x={LEFT}
					width={width - LEFT - RIGHT}
					y={y(chart.band.high)}
					height={Math.max(y(chart.band.low) - y(chart.band.high), 0)}
				/>
			)}
			{standing.map((s, i) => (
				<Standing key={s.name} series={s} ends={ends[i]!} frame={frame} />
			))}
			{chart.series
				.filter((s) => !stands(s))
				.map((s) => (
					<Above key={s.name} series={s} frame={frame} />
				))}
		</>
	);
});

interface PlotProps {
	chart: Chart;
	at: number | null;
	look: (at: number | null) => void;
}

/** A point in words. */
function words(chart: Chart, i: number): string {
	return `${chart.places[i]?.name}: ${chart.series.map((s) => `${s.name} ${chart.say(s.values[i] ?? 0)}`).join(", ")}`;
}

export function Plot({ chart, at, look }: PlotProps) {
	const { node, width } = useWidth();
	const frame = useMemo(() => frameOf(chart, width), [chart, width]);
	const last = chart.places.length - 1;
	const place = Math.min(at ?? last, last);
	const moved = (event: PointerEvent) => {
		const box = node.current!.getBoundingClientRect();
		const i = Math.round((event.clientX - box.left - frame.x(0)) / frame.each);
		look(Math.max(0, Math.min(i, last)));
	};
	const pressed = (event: KeyboardEvent) => {
		const to: Record<string, number> = {
			ArrowLeft: place - 1,
			ArrowDown: place - 1,
			ArrowRight: place + 1,
			ArrowUp: place + 1,
			PageDown: place - 7,
			PageUp: place + 7,
			Home: 0,
			End: last,
		};
		const wanted = to[event.key];
		if (wanted === undefined) return;
		event.preventDefault();
		look(Math.max(0, Math.min(wanted, last)));
	};
	return (
		<div
			class="plot"
			ref={node}
			role="slider"
			tabIndex={0}
			aria-label={t("charts.walk", { title: chart.title })}
			aria-valuemin={0}
			aria-valuemax={last}
			aria-valuenow={place}
			aria-valuetext={words(chart, place)}
			onPointerMove={moved}
			onPointerLeave={() => look(null)}
			onBlur={() => look(null)}
			onKeyDown={pressed}
		>
			<svg viewBox={`0 0 ${width} ${HEIGHT}`} height={HEIGHT} aria-hidden="true">
				<Picture chart={chart} frame={frame} />
				{at !== null && <line class="cursor" x1={frame.x(place)} x2={frame.x(place)} y1={TOP} y2={HEIGHT - BOTTOM} />}
			</svg>
		</div>
	);
}
