/** Says that an import created a story or an epic, which its own texts do not say. */
import type { Imported as From } from "../model/detail";
import { formatDate, t } from "../text/i18n";

export function Imported({ from }: { from: From | null }) {
	if (!from) return null;
	return <p class="hint">{t("imported", { name: from.by, day: formatDate(Date.parse(from.at)) })}</p>;
}
