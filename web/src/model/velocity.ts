/** The velocity, from the points of done iterations, by the rules of t/planning/README.md. */
import type { Span } from "./calendar";

/** Sums and quotients within a millionth below a limit count as reaching it. */
export const NEARLY = 1e-6;
const MOST = 1e9;

export interface Velocity {
	points: number;
	deviation: number;
	/** In per cent. */
	volatility: number;
}

export interface VelocityRules {
	iteration_length: number;
	initial_velocity: number;
	velocity_averaged_over: number;
}

export function effective(span: Span, points: number): number {
	return span.strength > 0 ? points / span.strength : 0;
}

/**
 * The velocity in force during spans[index], computed from the spans before it; points[i] were accepted in spans[i].
 */
export function findVelocity(
	rules: VelocityRules,
	spans: readonly Span[],
	points: readonly number[],
	index: number,
): Velocity {
	const values: number[] = [];
	let total = 0;
	let weeks = 0;
	for (let i = index - 1; i >= 0 && values.length < rules.velocity_averaged_over; i--) {
		const span = spans[i]!;
		if (span.strength <= 0) continue;
		const value = effective(span, points[i] ?? 0);
		total += value;
		weeks += span.weeks;
		values.push((value / span.weeks) * rules.iteration_length);
	}
	const n = values.length;
	if (n === 0 || (total < NEARLY && n === rules.velocity_averaged_over))
		return { points: rules.initial_velocity, deviation: 0, volatility: 0 };
	const mean = values.reduce((sum, value) => sum + value, 0) / n;
	const deviation = Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / n);
	return {
		points: Math.min(Math.floor((total / weeks) * rules.iteration_length + NEARLY), MOST),
		deviation,
		volatility: mean > NEARLY ? (deviation / mean) * 100 : 0,
	};
}
