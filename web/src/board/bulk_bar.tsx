/** The selection, and what can be done with all of it. */
import { useBoard } from "./context";
import { t } from "../text/i18n";
import { NewLabel } from "./lazy_parts";
import { changeMany } from "../model/commands";
import { flat } from "../model/order";
import { statesOf, TYPES } from "../model/states";
import { ACTIONS, atBoard, perform } from "./actions";
import { endItems } from "./move_menu";
import { shownDialog } from "../ui/dialog";
import { Menu, type MenuItem } from "../ui/menu";
import type { Board } from "./model";
import type { State } from "../model/types";

function chosen(board: Board): number[] {
	const order = flat(board.store.order.peek());
	const known = new Set(order);
	const rest = [...board.selection.ids.peek()].filter((id) => !known.has(id));
	return [...board.selection.inOrder(order), ...rest];
}

function stateItems(board: Board): MenuItem[] {
	const project = board.store.project.peek()!;
	const ids = chosen(board);
	const types = TYPES.filter((type) => ids.some((id) => board.store.peek(id)?.story_type === type));
	const states = types.map((type) => statesOf(project, type));
	const common = (states[0] ?? []).filter((state) => states.every((list) => list.includes(state)));
	return common.map((state: State) => ({
		label: t(`state.${state}`),
		act: () => board.doMany(ids, (some) => changeMany(board.store, some, { current_state: state })),
	}));
}

function ownerItems(board: Board): MenuItem[] {
	const ids = chosen(board);
	const owned = (owner_ids: number[]) => board.doMany(ids, (some) => changeMany(board.store, some, { owner_ids }));
	return [
		...[...board.store.members.peek().values()]
			.filter((m) => m.role !== "viewer")
			.map((m) => ({ label: m.name, act: () => owned([m.id]) })),
		{ label: t("nobody"), act: () => owned([]) },
	];
}

function labelItems(board: Board): MenuItem[] {
	const ids = chosen(board);
	const asked = () => {
		shownDialog.value = <NewLabel board={board} ids={ids} />;
	};
	const items = [...board.store.labels.peek().values()].map(({ id, name }) => {
		const all = ids.every((n) => board.store.peek(n)?.label_ids.includes(id));
		return {
			label: name,
			checked: all,
			act: () => board.doMany(ids, (some) => changeMany(board.store, some, {}, all ? { remove: [id] } : { add: [id] })),
		};
	});
	return [...items, { label: t("label.new"), act: asked }];
}

/** Shown while something is selected, by board/chosen.tsx. */
export function BulkTools() {
	const board = useBoard();
	const n = board.selection.size.value;
	board.store.tick.value;
	const points = [...board.selection.ids.value].reduce((sum, id) => sum + (board.store.peek(id)?.estimate ?? 0), 0);
	return (
		<div class="bulk-bar" role="group" aria-label={t("chosen")}>
			<span role="status">{`${t("selected", { n })}, ${t("points", { n: points })}`}</span>
			{board.canWrite.value && (
				<>
					<Menu label={t("state")} items={() => stateItems(board)} />
					<Menu label={t("owner")} items={() => ownerItems(board)} />
					<Menu label={t("label")} items={() => labelItems(board)} />
					<Menu label={t(ACTIONS.move.words)} items={() => endItems(atBoard(board, chosen(board)))} />
					<button type="button" onClick={() => board.remove(chosen(board))}>
						{t("delete")}
					</button>
				</>
			)}
			<button type="button" class="quiet" onClick={() => perform(ACTIONS.select_none, atBoard(board))}>
				{t(ACTIONS.select_none.words)}
			</button>
		</div>
	);
}
