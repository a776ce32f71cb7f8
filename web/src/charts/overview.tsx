/** A project's overview: when the backlog is done, five charts, and a report on an iteration. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { loadComing, loadDays, loadFrame, loadIteration, loadIterations, type Frame } from "../model/load_history";
import { Refused } from "../api/http";
import { t } from "../text/i18n";
import { Missing } from "../app/lazy_parts";
import { query } from "../app/router";
import { headline, tools } from "../app/shell";
import { localDay } from "../model/calendar";
import { sums, type Now } from "../model/forecast";
import type { Day, PastIteration } from "../model/history";
import { Burnup } from "./burnup";
import { CycleTime } from "./cycle";
import { Failed, whyOf } from "../app/failed";
import { Flow } from "./flow";
import { ForecastLine } from "./forecast_line";
import { useLoaded, type Loaded } from "./loaded";
import { mostOf, PeriodForm, periodOf, type Period } from "./period";
import { Pick, Report } from "./report";
import { Types } from "./types";
import { VelocityChart } from "./velocity";

/** Shown while something is loading, or after it failed to load. */
function Waiting({ of }: { of: Loaded<unknown> }) {
	if (!of.error) return <p class="loading">{t("loading")}</p>;
	return <Failed words={whyOf(of.error)} again={of.again} />;
}

interface Past {
	iterations: PastIteration[];
	/** Begins with the day before the charts. */
	days: Day[];
	begins: Set<number>;
	/** The date on which the current iteration begins. */
	day: number;
}

/** Loads iterations first: they determine the first day. */
async function loadPast(frame: Frame, { unit, n }: Pick<Period, "unit" | "n">, signal: AbortSignal): Promise<Past> {
	const { id, time_zone: zone, iteration_length: length, current_iteration_number: current } = frame.project;
	const weeks = frame.project.iteration_override_numbers.length ? 1 : length;
	const count = unit === "iterations" ? n : Math.ceil(n / (weeks * 7)) + 1;
	const all = await loadIterations(id, Math.min(count, current), signal);
	const now = all[all.length - 1]!;
	const day = localDay(zone, now.start);
	const end = localDay(zone, now.finish) - 1;
	// The server's clock decides which iteration is the current one.
	const today = Math.max(day, Math.min(localDay(zone, Date.now()), end));
	const wanted = unit === "days" ? today - n + 1 : localDay(zone, all[0]!.start);
	const first = Math.max(wanted, today - mostOf("days", 1) + 1);
	const iterations = all.filter((it) => localDay(zone, it.finish) > first);
	const days = await loadDays(id, first - 1, signal);
	return { iterations, days, begins: new Set(iterations.map((it) => localDay(zone, it.start))), day };
}

function Forecast({ frame, past }: { frame: Frame; past: Past }) {
	const { project } = frame;
	const coming = useLoaded((signal) => loadComing(project, signal), [project]);
	const current = past.iterations[past.iterations.length - 1]!;
	const today = past.days[past.days.length - 1];
	if (!coming.data || !today) return coming.error ? <Waiting of={coming} /> : <p class="forecast"> </p>;
	const now: Now = {
		zone: project.time_zone,
		iteration_length: project.iteration_length,
		automatic_planning: project.automatic_planning,
		number: current.number,
		day: past.day,
		overrides: coming.data.overrides,
		...sums(today, current.accepted_points, project.automatic_planning),
	};
	return <ForecastLine frame={frame} now={now} unestimated={coming.data.unestimated} />;
}

function Charts({ frame, past, period }: { frame: Frame; past: Past; period: Period }) {
	const { iterations, days, begins } = past;
	const { measure } = period;
	const zone = frame.project.time_zone;
	return (
		<div class="charts">
			<Burnup days={days} measure={measure} begins={begins} />
			<Flow days={days} measure={measure} begins={begins} />
			<VelocityChart
				iterations={iterations}
				zone={zone}
				velocity={frame.project.current_velocity}
				deviation={frame.deviation}
			/>
			<CycleTime iterations={iterations} zone={zone} />
			<Types iterations={iterations} measure={measure} zone={zone} />
		</div>
	);
}

/** Someone who came for a report is taken to it, once everything above it has its height. */
function useLanding(isReady: boolean) {
	const node = useRef<HTMLElement>(null);
	const isAskedFor = useRef(query.peek().has("iteration"));
	useEffect(() => {
		if (!isReady || !isAskedFor.current) return;
		isAskedFor.current = false;
		node.current?.scrollIntoView();
	}, [isReady]);
	return node;
}

interface ReportProps {
	frame: Frame;
	period: Period;
	/** The charts above the report are rendered. */
	isReady: boolean;
}

function ReportPart({ frame, period, isReady }: ReportProps) {
	const current = frame.project.current_iteration_number;
	const number = period.iteration ?? current;
	const report = useLoaded((signal) => loadIteration(frame.project.id, number, signal), [frame, number]);
	const node = useLanding(isReady && report.data !== null);
	const isMissing = report.error instanceof Refused && report.error.status === 404;
	return (
		<section class="report" ref={node} aria-label={t("charts.report")}>
			<header>
				<h2>{t("charts.report")}</h2>
				<Pick period={period} number={number} current={current} />
			</header>
			{report.error ? (
				isMissing ? (
					<p class="empty">{t("charts.no_iteration", { number: String(number) })}</p>
				) : (
					<Waiting of={report} />
				)
			) : report.data ? (
				<Report it={report.data} frame={frame} />
			) : (
				<Waiting of={report} />
			)}
		</section>
	);
}

function Whole({ frame }: { frame: Frame }) {
	const period = periodOf(frame.project.iteration_length);
	const { unit, n } = period;
	const past = useLoaded((signal) => loadPast(frame, { unit, n }, signal), [frame, unit, n]);
	return (
		<>
			{past.data && <Forecast frame={frame} past={past.data} />}
			<PeriodForm period={period} weeks={frame.project.iteration_length} />
			{past.error ? <Waiting of={past} /> : null}
			{past.data ? (
				<Charts frame={frame} past={past.data} period={period} />
			) : (
				<div class="charts is-waiting">{!past.error && <Waiting of={past} />}</div>
			)}
			<ReportPart frame={frame} period={period} isReady={past.data !== null} />
		</>
	);
}

function Page({ name, children }: { name: string | undefined; children: ComponentChildren }) {
	const title = name ? `${name}: ${t("overview")}` : t("overview");
	useEffect(() => {
		headline.value = <h1>{title}</h1>;
		tools.value = null;
		document.title = `${title} – planwright`;
	}, [title]);
	return <main class="page overview">{children}</main>;
}

export default function Overview({ project }: { project: number }) {
	const frame = useLoaded((signal) => loadFrame(project, signal), [project]);
	const { error } = frame;
	if (error instanceof Refused && (error.status === 403 || error.status === 404)) return <Missing />;
	return (
		<Page name={frame.data?.project.name}>{frame.data ? <Whole frame={frame.data} /> : <Waiting of={frame} />}</Page>
	);
}
