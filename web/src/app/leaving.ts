/** What would be lost with the page, such as files that were not sent yet: the user is asked before leaving. */
import { t } from "../text/i18n";

const risks = new Set<object>();
const ask = (event: Event) => event.preventDefault();

export function risk(thing: object, isThere: boolean): void {
	if (isThere) risks.add(thing);
	else risks.delete(thing);
	if (risks.size > 0) addEventListener("beforeunload", ask);
	else removeEventListener("beforeunload", ask);
}

/** For going to another page of this program, which would lose it, too. */
export function mayLeave(asks = true): boolean {
	if (asks && risks.size > 0 && !confirm(t("file.not_kept"))) return false;
	for (const thing of risks) risk(thing, false);
	return true;
}
