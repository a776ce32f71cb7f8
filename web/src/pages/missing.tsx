/** An address that does not exist, or that this person may not see: the same words for both. */
import { useEffect } from "preact/hooks";
import { headline, tools } from "../app/shell";
import { me } from "../app/session";
import { t } from "../text/i18n";

export default function Missing() {
	useEffect(() => {
		headline.value = <h1>{t("missing.title")}</h1>;
		tools.value = null;
		document.title = "planwright";
	}, []);
	return (
		<main class="notice">
			{!me.value && <h1>{t("missing.title")}</h1>}
			<p>{t("missing.text")}</p>
			<p>
				<a href="/dashboard">{t("missing.back")}</a>
			</p>
		</main>
	);
}
