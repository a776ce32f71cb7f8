/** How much of the past an overview shows, and in which unit: stored in the address, so that it can be shared. */
import { t } from "../text/i18n";
import { go, query } from "../app/router";
import type { Measure } from "../model/history";

/** How many weeks can be requested at once, including the day before. */
const WEEKS_MOST = 52;

export type Unit = "iterations" | "days";

export interface Period {
	unit: Unit;
	n: number;
	measure: Measure;
	/** The number of the iteration in the report; null: the current one. */
	iteration: number | null;
}

const FIRST: Record<Unit, number> = { iterations: 12, days: 90 };

/** The maximum of a unit in a project whose iterations have this many weeks. */
export function mostOf(unit: Unit, weeks: number): number {
	return unit === "days" ? WEEKS_MOST * 7 : Math.floor(WEEKS_MOST / weeks);
}

function whole(text: string | null): number | null {
	return text !== null && /^\d{1,7}$/.test(text) && Number(text) > 0 ? Number(text) : null;
}

/** Reads the period from an address; invalid values count as absent. */
export function readPeriod(from: URLSearchParams, weeks: number): Period {
	const unit: Unit = whole(from.get("days")) ? "days" : "iterations";
	const n = whole(from.get(unit)) ?? FIRST[unit];
	return {
		unit,
		n: Math.min(n, mostOf(unit, weeks)),
		measure: from.get("count") === "stories" ? "counts" : "points",
		iteration: whole(from.get("iteration")),
	};
}

/** Writes the period into the address. */
export function choose(period: Period): void {
	const words = new URLSearchParams({ [period.unit]: String(period.n) });
	if (period.measure === "counts") words.set("count", "stories");
	if (period.iteration) words.set("iteration", String(period.iteration));
	go(`${location.pathname}?${words}`, "replace");
}

export const periodOf = (weeks: number): Period => readPeriod(query.value, weeks);

export function PeriodForm({ period, weeks }: { period: Period; weeks: number }) {
	const changed = (event: Event) => {
		const field = event.currentTarget as HTMLInputElement;
		const n = whole(field.value);
		if (!n || !field.reportValidity()) return;
		choose({ ...period, n });
	};
	const turned = (event: Event) => {
		const unit = (event.currentTarget as HTMLSelectElement).value as Unit;
		choose({ ...period, unit, n: FIRST[unit] });
	};
	const counted = (event: Event) => {
		choose({ ...period, measure: (event.currentTarget as HTMLSelectElement).value as Measure });
	};
	return (
		<form class="period" onSubmit={(event) => event.preventDefault()}>
			<label>
				{t("charts.last")}
				<input
					key={period.unit}
					type="number"
					min={1}
					max={mostOf(period.unit, weeks)}
					value={period.n}
					required
					onChange={changed}
				/>
			</label>
			<select aria-label={t("charts.unit")} value={period.unit} onChange={turned}>
				<option value="iterations">{t("charts.iterations")}</option>
				<option value="days">{t("charts.days")}</option>
			</select>
			<label>
				{t("charts.count")}
				<select value={period.measure} onChange={counted}>
					<option value="points">{t("charts.points")}</option>
					<option value="counts">{t("charts.stories")}</option>
				</select>
			</label>
			<button type="button" onClick={() => print()}>
				{t("charts.print")}
			</button>
		</form>
	);
}
