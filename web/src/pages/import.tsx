/**
 * Import: files are sent for a dry run, its report is read and its map of people corrected; then the same files are
 * sent for good.
 */
import { useEffect, useState } from "preact/hooks";
import { get, ROOT } from "../api/http";
import type * as api from "../api/types.gen";
import { formatTime, t } from "../text/i18n";
import { readCsv } from "../model/csv";
import { useLoaded, Waiting } from "../app/loaded";
import { Block } from "./page_kit";
import { PeopleMap } from "./import_people";
import { Result } from "./import_result";
import { Send } from "./import_send";
import { ProjectFrame, type Here, type ProjectProps } from "./project_frame";

const POLL = 1_500;
const FIELDS = ":default,filenames,progress,problem,created_at,finished_at";

const isOver = (one: api.ProjectImport) => one.state !== "queued" && one.state !== "running";

/** The imports of a project, reloaded while one of them is in progress. */
function useImports(at: Here) {
	const path = `${at.path}/imports`;
	const list = useLoaded(async () => (await get<api.ProjectImport[]>(path, { fields: FIELDS })).data, [path]);
	const waits = list.error !== null || (list.data ?? []).some((one) => !isOver(one));
	useEffect(() => {
		if (!waits) return;
		const timer = setTimeout(() => void list.again(), POLL);
		return () => clearTimeout(timer);
	}, [list.data, list.error, list.again, waits]);
	return list;
}

async function fetchPeople(path: string, id: number): Promise<string[][]> {
	const answer = await fetch(`${ROOT}${path}/imports/${id}/people.csv`, {
		headers: { "X-Requested-With": "planwright" },
	});
	return answer.ok ? readCsv(await answer.text()) : [];
}

/** The map of people of the selected import, until it is edited. */
function usePeople(path: string, one: api.ProjectImport | undefined) {
	const [people, setPeople] = useState<string[][]>([]);
	const id = one && isOver(one) ? one.id : 0;
	useEffect(() => {
		let gone = false;
		setPeople([]);
		if (id)
			void fetchPeople(path, id)
				.catch(() => [])
				.then((rows) => gone || setPeople(rows));
		return () => {
			gone = true;
		};
	}, [path, id]);
	return [people, setPeople] as const;
}

function title(one: api.ProjectImport): string {
	return `${(one.filenames ?? []).join(", ")} – ${formatTime(Date.parse(one.created_at ?? ""))}`;
}

function outcome(one: api.ProjectImport) {
	const went = one.dry_run && (one.state === "done" || one.state === "lost");
	return `import.${went ? "dry_" : ""}is_${one.state}` as "import.is_done";
}

interface LatestProps {
	all: readonly api.ProjectImport[];
	shown: number | undefined;
	show: (id: number) => void;
}

function Latest({ all, shown, show }: LatestProps) {
	return (
		<Block title={t("import.latest")}>
			<ul class="lines">
				{all.map((one) => (
					<li class="line" key={one.id}>
						<button type="button" class="name link" aria-pressed={one.id === shown} onClick={() => show(one.id)}>
							{title(one)}
						</button>
						{one.dry_run && <span class="hint">{t("import.dry")}</span>}
						<span class={`state-${one.state}`}>{t(outcome(one))}</span>
					</li>
				))}
			</ul>
		</Block>
	);
}

function Import({ at }: { at: Here }) {
	const list = useImports(at);
	const [chosen, choose] = useState(0);
	const all = [...(list.data ?? [])].sort((a, b) => b.id - a.id);
	const one = all.find((i) => i.id === chosen) ?? all[0];
	const [people, setPeople] = usePeople(at.path, one);
	const sent = async (id: number) => {
		choose(id);
		await list.again();
	};
	if (!list.data) return <Waiting of={list} />;
	return (
		<>
			<Send at={at} people={people} last={one} sent={sent} />
			{one && (
				<Block title={title(one)}>
					<Result key={one.id} at={at} one={one} />
					{people.length > 1 && <PeopleMap at={at} rows={people} change={setPeople} />}
				</Block>
			)}
			{all.length > 1 && <Latest all={all} shown={one?.id} show={choose} />}
		</>
	);
}

export default function ImportPage({ project }: ProjectProps) {
	return (
		<ProjectFrame project={project} part="import">
			{(at) => (at.isOwner ? <Import at={at} /> : <p class="notice">{t("import.owners")}</p>)}
		</ProjectFrame>
	);
}
