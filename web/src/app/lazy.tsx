/**
 * Parts of the program that are loaded when they are first shown, each with its texts. A part is a file with a
 * default export. Code that shows a part need not be above it: it names the part and its properties with `part()`,
 * and src/load_parts.ts, which is above everything, says where the part is.
 */
import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { loadTexts, t, type Part } from "../text/i18n";

type Load<P> = () => Promise<{ default: FunctionComponent<P> }>;

/** A component that loads itself. `preload` loads it before it is shown. */
export function lazy<P extends object>(load: Load<P>, texts?: Part) {
	let here: FunctionComponent<P> | null = null;
	let coming: Promise<unknown> | null = null;
	const fetchIt = () =>
		(coming ??= Promise.all([load(), texts && loadTexts(texts)]).then(
			([module]) => (here = module.default),
			(error: unknown) => {
				coming = null;
				throw error;
			},
		));
	// biome-ignore lint/correctness/noComponentHookFactories: made once for each part, when its module is read
	function Lazy(props: P) {
		const [, turn] = useState(0);
		const [failed, fail] = useState(false);
		const isDrawn = here !== null; // the part may arrive before the effect runs
		useEffect(() => {
			if (!isDrawn)
				fetchIt().then(
					() => turn((n) => n + 1),
					() => fail(true),
				);
		}, [failed, isDrawn]);
		if (here) {
			const Here = here;
			return <Here {...props} />;
		}
		if (!failed) return <p class="loading">{t("loading")}</p>;
		return (
			<p class="loading" role="alert">
				{t("part_failed")}{" "}
				<button type="button" onClick={() => fail(false)}>
					{t("try_again")}
				</button>
			</p>
		);
	}
	return Object.assign(Lazy, { preload: () => void fetchIt()?.catch(() => {}) });
}

/** The same for a part whose location is set later, by isAt(). */
export function part<P extends object = object>(texts?: Part) {
	let where: Load<P>;
	return Object.assign(
		lazy(() => where(), texts),
		{ isAt: (place: Load<P>) => void (where = place) },
	);
}
