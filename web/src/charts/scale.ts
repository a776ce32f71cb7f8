/** Turns values into positions, and chooses which values an axis shows. No DOM. */

/** 1, 2 or 5 times a power of ten, such that at most `most` steps reach `top`; never below `least`. */
export function step(top: number, most: number, least = 0): number {
	const raw = Math.max(top / most, least, 1e-9);
	const power = 10 ** Math.floor(Math.log10(raw));
	for (const factor of [1, 2, 5]) if (raw <= factor * power * (1 + 1e-9)) return factor * power;
	return 10 * power;
}

/** Round values from 0 to the first one that is not below `top`. */
export function ticks(top: number, most = 5, least = 0): number[] {
	const by = step(Math.max(top, least), most, least);
	const n = Math.max(1, Math.ceil(top / by - 1e-9));
	return Array.from({ length: n + 1 }, (_, i) => Number((i * by).toPrecision(12)));
}

/** Which of `n` adjacent points get a label, if a label takes `room` of `width`. */
export function named(n: number, width: number, room: number): number[] {
	const every = Math.max(1, Math.ceil((n * room) / Math.max(width, 1)));
	const places = [];
	// Counted from the end, so that today gets a label.
	for (let i = n - 1; i >= 0; i -= every) places.unshift(i);
	return places;
}

/** The lower and upper bounds of stacked series, in the given order. */
export function stack(series: readonly (readonly number[])[]): { low: number[]; high: number[] }[] {
	let low = series[0]?.map(() => 0) ?? [];
	return series.map((values) => {
		const high = values.map((value, i) => value + low[i]!);
		const made = { low, high };
		low = high;
		return made;
	});
}
