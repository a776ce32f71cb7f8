/** Several boards next to each other. Keys go to the board that has the focus. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { get, Refused } from "../api/http";
import type * as api from "../api/types.gen";
import { AddStoryButton } from "../board/add_button";
import { Columns } from "../board/board";
import { BulkBar } from "../board/chosen";
import { BoardProvider } from "../board/context";
import { useCompanion } from "../board/companion";
import { dragging, telling } from "../board/lazy_parts";
import { atBoard, menuItem, PANELS, startActions } from "../board/actions";
import { Board } from "../board/model";
import { startRoving } from "../board/roving";
import { State } from "../board/state_bar";
import { t } from "../text/i18n";
import { shownOne } from "../app/layout";
import { Missing } from "../app/lazy_parts";
import { go } from "../app/router";
import { tools } from "../app/shell";
import { shownDialog } from "../ui/dialog";
import { Icon } from "../ui/icon";
import { Menu, type MenuItem } from "../ui/menu";
import { EditWorkspace } from "./edit_workspace";
import { useLoaded, Waiting } from "../app/loaded";
import { usePage } from "./page_kit";

/** All panels except the search, which needs a text first. */
function panelItems(board: Board): MenuItem[] {
	const { panels } = board.layout.peek();
	return PANELS.filter((action) => action.panel !== "search").map((action) => ({
		...menuItem(action, atBoard(board)),
		checked: shownOne(panels, action.panel) !== undefined,
	}));
}

interface OneProps {
	project: number;
	place: string;
	isActive: boolean;
	enter: () => void;
}

function One({ project, place, isActive, enter }: OneProps) {
	const board = useMemo(() => new Board(project, place), [project, place]);
	useEffect(() => {
		void board.load();
		return () => board.close();
	}, [board]);
	const node = useRef<HTMLDivElement>(null);
	useEffect(() => startRoving(board), [board]);
	useCompanion(dragging, board, undefined, node);
	useCompanion(telling, board);
	useEffect(() => (isActive ? startActions(board) : undefined), [board, isActive]);
	const name = board.store.project.value?.name ?? " ";
	const width = board.layout.value.panels.length;
	return (
		<BoardProvider value={board}>
			<div
				class="one"
				ref={node}
				onFocusCapture={enter}
				onPointerDownCapture={enter}
				style={{ flexGrow: Math.max(width, 1) }}
			>
				<header class="one-head">
					<h2>
						<a href={`/n/projects/${project}`}>{name}</a>
					</h2>
					<AddStoryButton board={board} />
					<Menu label={t("workspace.panels", { name })} items={() => panelItems(board)} class="quiet" align="right">
						{t("panels")} <Icon name="down" />
					</Menu>
				</header>
				<State board={board} />
				{board.failure.value ? <p class="empty">{t("workspace.unseen")}</p> : <Columns board={board} />}
				<BulkBar />
			</div>
		</BoardProvider>
	);
}

export default function WorkspacePage({ workspace }: { workspace: number }) {
	const of = useLoaded(async () => (await get<api.Workspace>(`/my/workspaces/${workspace}`)).data, [workspace]);
	const [active, enter] = useState(0);
	const name = of.data?.name ?? "";
	usePage(name);
	const { data, again } = of;
	useEffect(() => {
		const edit = () => {
			shownDialog.value = <EditWorkspace workspace={data} done={again} gone={() => go("/dashboard")} />;
		};
		tools.value = data && (
			<button type="button" onClick={edit}>
				{t("workspace.edit")}
			</button>
		);
		return () => {
			tools.value = null;
		};
	}, [data, again]);
	if (of.error instanceof Refused && !of.error.isPassing) return <Missing />;
	if (!of.data) return <Waiting of={of} />;
	const ids = of.data.project_ids ?? [];
	return (
		<main class="workspace" aria-label={name}>
			{ids.length === 0 && <p class="empty">{t("workspace.empty")}</p>}
			{ids.map((id, at) => (
				<One key={id} project={id} place={`${workspace}.`} isActive={at === active} enter={() => enter(at)} />
			))}
		</main>
	);
}
