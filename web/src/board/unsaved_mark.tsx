/** Marks a folded card whose form has unsaved input. */
import { t } from "../text/i18n";
import { unsaved } from "../model/unsaved";
import { Icon } from "../ui/icon";

export function UnsavedMark({ of }: { of: string }) {
	if (!unsaved(of).value) return null;
	return (
		<span class="mark is-unsaved" title={t("unsaved")}>
			<Icon name="pencil" size={13} />
			<span class="hidden">{t("unsaved")}</span>
		</span>
	);
}
