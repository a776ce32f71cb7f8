/** What a page requests when it is shown, and what it shows until the answer is here. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { Refused } from "../api/http";
import { t } from "../text/i18n";
import { Failed } from "./failed";

/** Why something did not work, in words for the user. */
export function wordsOf(error: unknown): string {
	if (!(error instanceof Refused)) return t("page.unreached");
	if (error.isSignedOut) return t("page.wrong_password");
	if (error.body.code === "unauthorized_operation" && /^You aren't/.test(error.message)) return t("page.forbidden");
	if (error.status === 429) return t("page.too_often", { n: Math.max(error.retryAfter, 1) });
	return error.isPassing ? t("page.unreached") : error.message;
}

export interface Loaded<T> {
	/** Null: not here yet. */
	data: T | null;
	error: unknown;
	again: () => Promise<void>;
}

/** Loads when first shown, when `keys` change, and when `again` is called; during `again`, the old data stays. */
export function useLoaded<T>(load: () => Promise<T>, keys: readonly unknown[]): Loaded<T> {
	const [state, setState] = useState<{ data: T | null; error: unknown }>({ data: null, error: null });
	const turn = useRef(0);
	const again = useCallback(async () => {
		const mine = ++turn.current;
		try {
			const data = await load();
			if (mine === turn.current) setState({ data, error: null });
		} catch (error) {
			if (mine === turn.current) setState((old) => ({ data: old.data, error }));
		}
		// biome-ignore lint/correctness/useExhaustiveDependencies: callers name the keys, and reviews check them
	}, keys);
	useEffect(() => {
		setState({ data: null, error: null });
		void again();
		return () => void turn.current++;
	}, [again]);
	return { ...state, again };
}

/** What is shown as long as there is no data. */
export function Waiting({ of }: { of: Loaded<unknown> }) {
	if (!of.error) return <p class="loading">{t("loading")}</p>;
	return <Failed words={wordsOf(of.error)} again={of.again} />;
}
