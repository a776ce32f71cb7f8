/** What a page asks for when it is looked at, and what it says as long as that is not there. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { Refused } from "../api/http";
import { t } from "../text/i18n";

/** Why something did not work, for the person. */
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

/** Loads at the first look, when `keys` change, and when `again` is called; what is shown stays meanwhile. */
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
		// biome-ignore lint/correctness/useExhaustiveDependencies: who calls names them, and is looked at
	}, keys);
	useEffect(() => {
		setState({ data: null, error: null });
		void again();
		return () => void turn.current++;
	}, [again]);
	return { ...state, again };
}

/** What is shown as long as there is nothing to show. */
export function Waiting({ of }: { of: Loaded<unknown> }) {
	if (!of.error) return <p class="loading">{t("loading")}</p>;
	return (
		<p class="loading" role="alert">
			{wordsOf(of.error)}{" "}
			<button type="button" onClick={() => void of.again()}>
				{t("try_again")}
			</button>
		</p>
	);
}
