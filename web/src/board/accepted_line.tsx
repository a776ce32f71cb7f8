/** A line above the stories of the current iteration: how many are accepted, and a button to fold and unfold them. */
import { t } from "../text/i18n";
import { Icon } from "../ui/icon";
import { useBoard } from "./context";

export function Accepted({ n }: { n: number }) {
	const { folds } = useBoard();
	if (n === 0) return null;
	const isOpen = !folds.on.value;
	return (
		<p class="accepted-line">
			<button
				type="button"
				class={isOpen ? "quiet fold is-open" : "quiet fold"}
				aria-expanded={isOpen}
				onClick={() => folds.turn()}
			>
				<Icon name="down" /> {t("accepted_n", { n })}
			</button>
		</p>
	);
}
