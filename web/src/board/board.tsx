/** The page of a project: sidebar, and panels next to each other. */
import { useEffect, useMemo, useRef } from "preact/hooks";
import { Refused } from "../api/http";
import { t } from "../text/i18n";
import { columns, opened, samePanel, type Panel } from "../app/layout";
import { Markdown, Missing } from "../app/lazy_parts";
import { headline, tools } from "../app/shell";
import { stopAll } from "../model/listen";
import { AddStoryButton } from "./add_button";
import { useCompanion } from "./companion";
import { BoardProvider, here } from "./context";
import { BulkBar } from "./chosen";
import { useKeptOpen } from "./kept_open";
import { BacklogPanel, CurrentPanel, GatheredPanel, IceboxPanel } from "./lists";
import { Board } from "./model";
import { panelKey } from "./panel";
import {
	DonePanel,
	dragging,
	EpicsPanel,
	FIRST_STEPS,
	FirstSteps,
	HistoryPanel,
	LabelsPanel,
	revealing,
	SearchPanel,
	StoryForm,
	telling,
	watching,
} from "./lazy_parts";
import { SearchField } from "./search_field";
import { isNarrow, useSight } from "./panel_in_sight";
import { SideBar } from "./sidebar";
import { State } from "./state_bar";
import { hearNews } from "../notes/bell";
import { Velocity, WhatIfBar } from "./velocity";
import { Resizer } from "./resizer";
import { startActions } from "./actions";
import { startRoving } from "./roving";

function PanelView({ panel }: { panel: Panel }) {
	switch (panel.kind) {
		case "current":
			return <CurrentPanel panel={panel} />;
		case "backlog":
			return <BacklogPanel panel={panel} />;
		case "icebox":
			return <IceboxPanel panel={panel} />;
		case "done":
			return <DonePanel panel={panel} />;
		case "epics":
			return <EpicsPanel panel={panel} />;
		case "labels":
			return <LabelsPanel panel={panel} />;
		case "history":
			return <HistoryPanel panel={panel} />;
		case "search":
			return <SearchPanel panel={panel} />;
		default:
			return <GatheredPanel panel={panel} />;
	}
}

/** Scrolls the panel that was opened last into view, once it is rendered. */
function useOpened(board: Board) {
	const node = useRef<HTMLDivElement>(null);
	const last = opened.value;
	useEffect(() => {
		if (last?.layout !== board.layout) return;
		const at = columns(board.layout.peek()).findIndex((panels) => panels.some((p) => samePanel(p, last.panel)));
		const column = node.current?.children[at];
		column?.scrollIntoView({ inline: "nearest", block: "nearest" });
		if (isNarrow.peek()) column?.querySelector(`[data-panel="${panelKey(last.panel)}"]`)?.scrollIntoView();
	}, [board, last]);
	useSight(board, node);
	return node;
}

export function Columns({ board }: { board: Board }) {
	const all = columns(board.layout.value);
	return (
		<div class="columns" ref={useOpened(board)}>
			{all.length === 0 && <p class="empty">{t("empty.board")}</p>}
			{all.map((panels) => {
				const { width } = panels[0]!;
				return (
					<div
						key={panelKey(panels[0]!)}
						class={panels.length > 1 ? "column is-joined" : "column"}
						style={width ? { flex: `0 0 ${width}px` } : undefined}
					>
						{/* A panel below another one is rendered only once the other has its height. */}
						{(board.store.current.value ? panels : panels.slice(0, 1)).map((panel) => (
							<PanelView key={panelKey(panel)} panel={panel} />
						))}
						<Resizer board={board} panel={panels[0]!} />
					</div>
				);
			})}
		</div>
	);
}

function Tools({ board }: { board: Board }) {
	return (
		<>
			<SearchField board={board} />
			<AddStoryButton board={board} />
			<Velocity board={board} />
		</>
	);
}

function useBoardModel(project: number): Board {
	const board = useMemo(() => new Board(project), [project]);
	useEffect(() => {
		headline.value = <ProjectName board={board} />;
		tools.value = <Tools board={board} />;
		void board.load().then(() => {
			StoryForm.preload();
			Markdown.preload();
		});
		here.value = board;
		board.onNews.push(hearNews);
		return stopAll(
			startActions(board),
			startRoving(board),
			() => (here.value = null),
			() => board.close(),
		);
	}, [board]);
	useCompanion(dragging, board);
	useKeptOpen(board);
	useCompanion(telling, board);
	useCompanion(watching, board, board.store.loaded.value.has("icebox"));
	return board;
}

function ProjectName({ board }: { board: Board }) {
	return <h1>{board.store.project.value?.name ?? " "}</h1>;
}

/** Anyone who saw the board empty sees the first steps until they are done or dismissed. */
function Beginning({ board }: { board: Board }) {
	const { project, loaded, order } = board.store;
	if (loaded.value.size < 3 || !board.canWrite.value) return null;
	const isEmpty = Object.values(order.value).every((ids) => ids.length === 0);
	const isNew = isEmpty && project.value?.current_iteration_number === 1;
	return isNew || localStorage.getItem(FIRST_STEPS + board.id) === "begun" ? <FirstSteps /> : null;
}

interface BoardPageProps {
	project: number;
	/** Expanded in its panel. */
	story?: number | undefined;
	epic?: number | undefined;
}

export function BoardPage({ project, story, epic }: BoardPageProps) {
	const board = useBoardModel(project);
	useEffect(() => {
		if (story || epic) void revealing.load().then((reveal) => reveal(board, { story, epic }));
	}, [board, story, epic]);
	const failure = board.failure.value;
	if (failure instanceof Refused && (failure.status === 403 || failure.status === 404)) return <Missing />;
	return (
		<BoardProvider value={board}>
			<div class="board">
				<SideBar board={board} />
				<main class="middle">
					<State board={board} />
					<Beginning board={board} />
					<WhatIfBar board={board} />
					<Columns board={board} />
					<BulkBar />
				</main>
			</div>
		</BoardProvider>
	);
}
