/** Several lines in the title field, as from a list in a mail: each may become a story. */
import { t } from "../text/i18n";
import { severalOf } from "../model/several";

export default function SeveralStories({ text, add }: { text: string; add: (titles: string[], left: string) => void }) {
	const { titles, left } = severalOf(text);
	if (titles.length < 2) return null;
	return (
		<p class="actions several">
			<button type="button" class="primary" onClick={() => add(titles, left)}>
				{t(left ? "several.first" : "several.add", { n: titles.length })}
			</button>
			<span class="hint">{t("several.or_one")}</span>
		</p>
	);
}
