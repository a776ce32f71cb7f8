/** The definition of a chart, shared by the plot, its legend and its table. */

export interface Series {
	name: string;
	/** Its colour: a class of styles/charts.css. */
	style: string;
	/** Areas and bars are stacked in the given order; lines and dots are on top. */
	kind: "area" | "bar" | "line" | "dot";
	values: readonly number[];
}

/** A place along the axis: a day or an iteration. */
export interface Place {
	name: string;
	short: string;
}

export interface Chart {
	title: string;
	/** What it shows, in a sentence. */
	hint: string;
	/** What a place is: the first column of the table. */
	place: string;
	places: readonly Place[];
	/** Where an iteration begins, if places are days. */
	marks?: readonly number[];
	series: readonly Series[];
	/** Between two values, over all places. */
	band?: { low: number; high: number };
	/** Further columns of the table. */
	more?: readonly { name: string; values: readonly string[] }[];
	/** A value as the axis, the legend and the table write it. */
	say: (value: number) => string;
}

export function stands(series: Series): boolean {
	return series.kind === "area" || series.kind === "bar";
}

export const isEmpty = (chart: Chart): boolean => chart.series.every((s) => s.values.every((value) => value === 0));
