/** The definition of a chart, shared by the plot, its legend and its table. */

export interface Series {
	name: string;
	/** A class in styles/charts.css, which sets its colour. */
	style: string;
	/** Areas and bars are stacked in the given order; lines and dots are on top. */
	kind: "area" | "bar" | "line" | "dot";
	values: readonly number[];
}

/** A position on the axis: a day or an iteration. */
export interface Place {
	name: string;
	short: string;
}

export interface Chart {
	title: string;
	/** What the chart shows, in a sentence. */
	hint: string;
	/** What a place is: the heading of the table's first column. */
	place: string;
	places: readonly Place[];
	/** Indexes of the places at which an iteration begins, if places are days. */
	marks?: readonly number[];
	series: readonly Series[];
	/** A horizontal band between two values. */
	band?: { low: number; high: number };
	/** Additional columns of the table. */
	more?: readonly { name: string; values: readonly string[] }[];
	/** Formats a value for the axis, the legend and the table. */
	say: (value: number) => string;
}

export function stands(series: Series): boolean {
	return series.kind === "area" || series.kind === "bar";
}

export const isEmpty = (chart: Chart): boolean => chart.series.every((s) => s.values.every((value) => value === 0));
