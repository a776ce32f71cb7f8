/** An epic on its own page. */
import { useEffect } from "preact/hooks";
import { Missing } from "../app/lazy_parts";
import { t } from "../text/i18n";
import { BoardProvider } from "../board/context";
import { State } from "../board/state_bar";
import { InProject, isMissing, useAlone } from "../story/page";
import { flat } from "../model/order";
import EpicForm from "./epic";
import { loadPast, pastOf, ProgressBar, progressOf } from "./progress";

function Alone({ project, id }: { project: number; id: number }) {
	const { board, failure } = useAlone(project, async (b) => {
		b.openedEpics.open(id, "page");
		await loadPast(b);
	});
	const epic = board.store.epics.value.find((e) => e.id === id);
	const name = epic?.name;
	useEffect(() => {
		if (name) document.title = `${name} – planwright`;
	}, [name, board.store.project.value?.name]);
	if (isMissing(failure)) return <Missing />;
	board.store.tick.value;
	const past = pastOf(board).value.get(id);
	return (
		<BoardProvider value={board}>
			<main class="page">
				<State board={board} />
				{epic && (
					<article class="alone">
						<h2 class="hidden">{epic.name}</h2>
						<ProgressBar
							progress={progressOf(epic, flat(board.store.order.value), (n) => board.store.peek(n), past)}
							projected={past?.projected ?? ""}
						/>
						<EpicForm id={id} alone />
					</article>
				)}
				{!epic && board.store.project.value && (
					<p class="empty">
						{t("epic.gone")} <a href={`/n/projects/${project}`}>{t("story.to_board")}</a>
					</p>
				)}
			</main>
		</BoardProvider>
	);
}

export default function EpicPage({ epic }: { epic: number }) {
	return (
		<InProject path={`/epics/${epic}`}>{(project) => <Alone key={project} project={project} id={epic} />}</InProject>
	);
}
