/**
 * The search field in the header: shows results in a panel. Help is loaded when it first gets the focus:
 * board/search_help.tsx.
 */
import { useRef, useState } from "preact/hooks";
import { t } from "../text/i18n";
import { open } from "../app/layout";
import { Icon } from "../ui/icon";
import type { Board } from "./model";
import { SearchHelp } from "./lazy_parts";

export function search(board: Board, text: string): void {
	open(board.layout, { kind: "search", arg: text });
}

export function SearchField({ board }: { board: Board }) {
	const field = useRef<HTMLInputElement>(null);
	const [helps, help] = useState(false);
	const submit = (event: SubmitEvent) => {
		event.preventDefault();
		const text = field.current!.value.trim();
		if (text) search(board, text);
	};
	return (
		<form role="search" class="search" onSubmit={submit}>
			<Icon name="search" />
			<input
				ref={field}
				name="q"
				type="search"
				role="combobox"
				list={undefined}
				aria-label={t("search")}
				aria-autocomplete="list"
				aria-expanded="false"
				placeholder={t("search")}
				autocomplete="off"
				onFocus={() => help(true)}
			/>
			{helps && <SearchHelp board={board} field={field} />}
		</form>
	);
}
