/** Loads what a page shows, and again when a key changes; aborts requests that are no longer needed. */
import { useCallback, useEffect, useState } from "preact/hooks";

export interface Loaded<T> {
	/** Null: not here yet. */
	data: T | null;
	error: unknown;
	again: () => void;
}

/** Old data stays until the new data is here. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, keys: readonly unknown[]): Loaded<T> {
	const [state, setState] = useState<{ data: T | null; error: unknown }>({ data: null, error: null });
	const [turn, setTurn] = useState(0);
	// biome-ignore lint/correctness/useExhaustiveDependencies: callers name the keys, and reviews check them
	useEffect(() => {
		const stop = new AbortController();
		load(stop.signal).then(
			(data) => stop.signal.aborted || setState({ data, error: null }),
			(error: unknown) => stop.signal.aborted || setState((old) => ({ data: old.data, error })),
		);
		return () => stop.abort();
	}, [...keys, turn]);
	return { ...state, again: useCallback(() => setTurn((n) => n + 1), []) };
}
