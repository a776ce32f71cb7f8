/** What did not work, and why. */
import { Refused } from "../api/http";
import { t } from "../text/i18n";

/** The server's words, or that there is no answer. */
export const whyOf = (error: unknown): string =>
	error instanceof Refused && error.message ? error.message : t("load_failed");

/** Shown instead of what could not be loaded. */
export function Failed({ words = t("load_failed"), again }: { words?: string; again: () => unknown }) {
	return (
		<p class="loading" role="alert">
			{words}{" "}
			<button type="button" onClick={() => void again()}>
				{t("try_again")}
			</button>
		</p>
	);
}
