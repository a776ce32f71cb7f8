/** Past iterations, ten at a time; all but the last one are folded. */
import { useCallback, useEffect, useState } from "preact/hooks";
import { loadDone, type LoadedIteration } from "../model/load";
import { useBoard } from "./context";
import type { Board } from "./model";
import { Empty, PanelFrame } from "./panel";
import { Cards, IterationHead } from "./iteration";
import { t } from "../text/i18n";
import type { Panel } from "../app/layout";
import { Icon } from "../ui/icon";

const PAGE = 10;

interface DoneProps {
	board: number;
	it: LoadedIteration;
	unfolded: boolean;
}

function Done({ board, it, unfolded }: DoneProps) {
	const [open, setOpen] = useState(unfolded);
	const ids = it.stories.map((s) => s.id);
	return (
		<section class="iteration">
			<IterationHead number={it.number} start={it.start} finish={it.finish} points={it.points} strength={it.strength}>
				<button
					type="button"
					class={open ? "quiet icon-only fold is-open" : "quiet icon-only fold"}
					aria-expanded={open}
					aria-label={t("iteration_n", { number: String(it.number) })}
					onClick={() => setOpen(!open)}
				>
					<Icon name="down" />
				</button>
			</IterationHead>
			{open && (
				<>
					<Cards ids={ids} />
					<p class="more">
						<a href={`/projects/${board}/overview?iteration=${it.number}`}>
							{t("done.report", { number: String(it.number) })}
						</a>
					</p>
				</>
			)}
		</section>
	);
}

async function keepDone(board: Board, skip: number, count: number): Promise<LoadedIteration[]> {
	const { iterations, version } = await loadDone(board.id, skip, count);
	const stories = iterations.flatMap((it) => it.stories);
	board.store.keep(stories, version);
	return iterations;
}

/** Loads from the newest on, and again when an iteration ends. */
function useDone(board: Board) {
	const [list, setList] = useState<readonly LoadedIteration[]>([]);
	const [more, setMore] = useState(true);
	const [failed, fail] = useState(false);
	const [busy, setBusy] = useState(true);
	/** Loads the iterations before the known ones. */
	const load = useCallback(
		async (known: readonly LoadedIteration[]) => {
			fail(false);
			setBusy(true);
			try {
				const count = Math.min(PAGE, (known[0]?.number ?? Infinity) - 1);
				const found = count > 0 ? await keepDone(board, known.length, count) : [];
				setList([...found, ...known]);
				setMore(found.length === PAGE && (found[0]?.number ?? 1) > 1);
			} catch {
				fail(true);
			} finally {
				setBusy(false);
			}
		},
		[board],
	);
	const current = board.store.current.value?.number;
	useEffect(() => {
		setList([]);
		void load([]);
	}, [load, current]);
	return { list, more, failed, busy, load: () => void load(list) };
}

export default function DonePanel({ panel }: { panel: Panel }) {
	const board = useBoard();
	const { list, more, failed, busy, load } = useDone(board);
	return (
		<PanelFrame panel={panel}>
			{busy && list.length === 0 && <p class="loading">{t("loading")}</p>}
			{(failed || (more && list.length > 0)) && (
				<p class="more">
					<button type="button" disabled={busy} onClick={load}>
						{failed ? t("try_again") : t("done.earlier")}
					</button>
				</p>
			)}
			{list.map((it, i) => (
				<Done key={it.number} board={board.id} it={it} unfolded={i === list.length - 1} />
			))}
			{!more && list.length === 0 && <Empty>{t("empty.done")}</Empty>}
		</PanelFrame>
	);
}
