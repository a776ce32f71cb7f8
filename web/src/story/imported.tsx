/** That an import made it, which its words do not say. */
import type { Imported as From } from "../model/detail";
import { formatDate, t } from "../text/i18n";

export function Imported({ from }: { from: From | null }) {
	if (!from) return null;
	return <p class="hint">{t("imported", { name: from.by, day: formatDate(Date.parse(from.at)) })}</p>;
}
