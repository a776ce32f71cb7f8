/** Asks for the name of a label that chosen stories get. */
import type * as api from "../api/types.gen";
import { t } from "../text/i18n";
import type { Board } from "../board/model";
import type { Command } from "../model/command";
import { changeMany } from "../model/commands";
import type { Store } from "../model/store";
import { closeDialog, Dialog } from "../ui/dialog";
import { Form, useAction } from "../app/kit";

function learn(store: Store, stories: readonly api.Story[]): void {
	const known = new Map(store.labels.peek());
	for (const { id, name = "" } of stories.flatMap((s) => s.labels ?? [])) known.set(id, { id, name });
	store.labels.value = known;
}

/** The server makes the label where there is none of this name. */
function give(store: Store, ids: readonly number[], name: string): Command {
	return {
		...changeMany(store, ids, {}, { add: [] }),
		request: (real) => ({
			method: "PUT",
			path: `/projects/${store.id}/stories/bulk`,
			body: { ids: [...real], add_labels: [name] },
		}),
		answered: (data) => learn(store, data as api.Story[]),
	};
}

export default function NewLabel({ board, ids }: { board: Board; ids: readonly number[] }) {
	const action = useAction();
	const send = async ({ name = "" }: Record<string, string>) => {
		if (!name) return;
		closeDialog();
		board.doMany(ids, (some) => give(board.store, some, name));
	};
	return (
		<Dialog title={t("label.new")} close={closeDialog}>
			<Form action={action} submit={t("save")} send={send}>
				<label>
					{t("label")}
					<input name="name" required maxLength={255} autocomplete="off" autofocus />
				</label>
			</Form>
		</Dialog>
	);
}
