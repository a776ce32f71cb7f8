/** The search in the header: shows results in a panel. */
import { t } from "../text/i18n";
import { open } from "../app/layout";
import { Icon } from "../ui/icon";
import type { Board } from "./model";

export function search(board: Board, text: string): void {
	open(board.layout, { kind: "search", arg: text });
}

export function SearchField({ board }: { board: Board }) {
	const submit = (event: SubmitEvent) => {
		event.preventDefault();
		const text = String(new FormData(event.currentTarget as HTMLFormElement).get("q") ?? "").trim();
		if (text) search(board, text);
	};
	return (
		<form role="search" class="search" onSubmit={submit}>
			<Icon name="search" />
			<input name="q" type="search" aria-label={t("search")} placeholder={t("search")} autocomplete="off" />
		</form>
	);
}
