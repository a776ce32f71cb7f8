/** A story on its own page. */
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { get, Refused } from "../api/http";
import type * as api from "../api/types.gen";
import { Failed } from "../app/failed";
import { Missing } from "../app/lazy_parts";
import { headline, tools } from "../app/shell";
import { t } from "../text/i18n";
import { ACTIONS, startActions } from "../board/actions";
import { BoardProvider } from "../board/context";
import { Board } from "../board/model";
import { useCompanion } from "../board/companion";
import { telling } from "../board/lazy_parts";
import { State } from "../board/state_bar";
import StoryForm from "./story";

interface InProjectProps {
	/** Of what is shown, below /services/v5. */
	path: string;
	known?: number | undefined;
	children: (project: number) => ComponentChildren;
}

/** Shows something in its project, once that is known. */
export function InProject({ path, known, children }: InProjectProps) {
	const [project, setProject] = useState<number | null>(known ?? null);
	const [failure, fail] = useState<unknown>(null);
	const [turn, setTurn] = useState(0);
	useEffect(() => {
		fail(null);
		if (!known)
			get<{ project_id?: number }>(path, { fields: "project_id" }).then(
				({ data }) => setProject(data.project_id ?? null),
				fail,
			);
	}, [path, known, turn]);
	if (failure instanceof Refused && !failure.isPassing) return <Missing />;
	if (failure)
		return (
			<main class="notice">
				<Failed again={() => setTurn(turn + 1)} />
			</main>
		);
	return project === null ? <p class="loading">{t("loading")}</p> : <>{children(project)}</>;
}

/** A board of which only one story or epic is shown. */
export function useAlone(
	project: number,
	first: (board: Board) => Promise<unknown>,
): { board: Board; failure: unknown } {
	const board = useMemo(() => new Board(project), [project]);
	const [failure, fail] = useState<unknown>(null);
	// biome-ignore lint/correctness/useExhaustiveDependencies: `first` is used once per board
	useEffect(() => {
		tools.value = null;
		headline.value = <Where board={board} />;
		void Promise.all([first(board), board.load()]).catch(fail);
		const stop = startActions(board, [ACTIONS.help, ACTIONS.undo, ACTIONS.redo]);
		return () => {
			stop();
			board.close();
		};
	}, [board]);
	return { board, failure: failure ?? board.failure.value };
}

function Where({ board }: { board: Board }) {
	return (
		<h1>
			<a href={`/n/projects/${board.id}`}>{board.store.project.value?.name ?? ""}</a>
		</h1>
	);
}

export const isMissing = (failure: unknown) =>
	failure instanceof Refused && (failure.status === 403 || failure.status === 404);

function Alone({ project, story }: { project: number; story: number }) {
	const { board, failure } = useAlone(project, async (b) => {
		if ((await b.bring([story])) === 0) throw new Refused(404, {} as api.Error, 0);
		b.opened.open(story, "page");
	});
	useCompanion(telling, board);
	const isQuiet = board.store.tick.value === 0; // also causes a new rendering when the story is deleted
	const shown = board.store.story(story);
	const name = shown?.name;
	useEffect(() => {
		if (name) document.title = `${name} – planwright`;
	}, [name, board.store.project.value?.name]);
	if (isMissing(failure)) return <Missing />;
	const isHere = shown && board.store.project.value;
	return (
		<BoardProvider value={board}>
			<main class="page">
				<State board={board} />
				{isHere && (
					<article class="alone">
						<h2 class="hidden">{name}</h2>
						<StoryForm id={story} alone />
					</article>
				)}
				{!isHere && failure === null && isQuiet && <p class="loading">{t("loading")}</p>}
				{!shown && board.store.loaded.value.has("icebox") && (
					<p class="empty">
						{t("story.gone")} <a href={`/n/projects/${project}`}>{t("story.to_board")}</a>
					</p>
				)}
			</main>
		</BoardProvider>
	);
}

export default function StoryPage({ story, project: known }: { story: number; project?: number | undefined }) {
	return (
		<InProject path={`/stories/${story}`} known={known}>
			{(project) => <Alone key={project} project={project} story={story} />}
		</InProject>
	);
}
