/** Asks for the name of a label for the selected stories. */
import type * as api from "../api/types.gen";
import { t } from "../text/i18n";
import type { Command } from "../model/command";
import { changeMany } from "../model/commands";
import type { Store } from "../model/store";
import { closeDialog, Dialog, DialogButtons } from "../ui/dialog";
import type { Board } from "./model";

function learn(store: Store, stories: readonly api.Story[]): void {
	const known = new Map(store.labels.peek());
	for (const { id, name = "" } of stories.flatMap((s) => s.labels ?? [])) known.set(id, { id, name });
	store.labels.value = known;
}

/** The server creates the label if there is none with this name. */
function give(store: Store, ids: readonly number[], name: string): Command {
	return {
		...changeMany(store, ids, {}, { add: [] }),
		request: (real) => ({
			method: "PUT",
			path: `/projects/${store.id}/stories/bulk`,
			body: { ids: [...real], add_labels: [name] },
		}),
		answered: (data) => learn(store, data as api.Story[]),
		stands: () => true,
		again: () => give(store, ids, name),
	};
}

export default function NewLabel({ board, ids }: { board: Board; ids: readonly number[] }) {
	const send = (event: SubmitEvent) => {
		event.preventDefault();
		const name = String(new FormData(event.currentTarget as HTMLFormElement).get("name")).trim();
		if (!name) return;
		closeDialog();
		board.doMany(ids, (some) => give(board.store, some, name));
	};
	return (
		<Dialog title={t("label.new")} close={closeDialog}>
			<form onSubmit={send}>
				<label>
					{t("label")}
					<input name="name" required maxLength={255} autocomplete="off" autofocus />
				</label>
				<DialogButtons submit={t("save")} />
			</form>
		</Dialog>
	);
}
