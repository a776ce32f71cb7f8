/** What an import did, or would do: its counts, and its report in pages. */
import { useState } from "preact/hooks";
import { get } from "../api/http";
import type * as api from "../api/types.gen";
import { formatNumber, t, type Key } from "../text/i18n";
import { useLoaded, Waiting } from "../app/loaded";
import { PAGE, Pages, Table } from "./page_kit";
import type { Here } from "./project_frame";

const SEVERITIES = ["", "error", "lost", "changed", "note"] as const;

/** Removes the number that the server puts in front, since several files may have the same name. */
const fileName = (text: string | undefined) => text?.replace(/^\d+-/, "");

/** Options of the form, which the server's messages name by their command-line switches. */
const SWITCHES: Record<string, Key> = {
	renumber: "import.renumber",
	overwrite: "import.overwrite",
	"date-order": "import.date_order",
	encoding: "import.encoding",
};

/** A message of the server in the words of this page. */
const said = (text: string | undefined) =>
	fileName(text)
		?.replace(/--([a-z]+(?:-[a-z]+)*)/g, (_, word: string) => `“${t(SWITCHES[word] ?? "settings")}”`)
		.replace(/\ba person_id\b/g, "a person");

/** What the server counts, in the order shown; a kind that is missing here is shown by its name. */
const KINDS = [
	"project",
	"person",
	"membership",
	"label",
	"epic",
	"story",
	"task",
	"comment",
	"blocker",
	"review_type",
	"review",
	"pull_request",
	"branch",
	"cicd_event",
	"file_attachment",
	"google_attachment",
	"story_transition",
	"activity",
	"iteration_override",
	"saved_search",
	"webhook",
	"integration",
] as const;
const kindOf = (kind: string) => {
	const known = KINDS.find((word) => word === kind);
	return known ? t(`import.kind_${known}`) : kind.replaceAll("_", " ");
};

function Line({ line }: { line: api.ImportLine }) {
	const place = [fileName(line.file), line.row && t("import.row", { n: line.row }), line.column]
		.filter(Boolean)
		.join(", ");
	return (
		<tr>
			<td class={`word severity-${line.severity}`}>
				{t(`import.severity_${line.severity}` as "import.severity_note")}
			</td>
			<td class="where">{place}</td>
			<td>{said(line.message)}</td>
		</tr>
	);
}

function Report({ path }: { path: string }) {
	const [severity, setSeverity] = useState("");
	const [offset, setOffset] = useState(0);
	const lines = useLoaded(
		() => get<api.ImportLine[]>(path, { limit: PAGE, offset, severity: severity || undefined }),
		[path, offset, severity],
	);
	const choose = (word: string) => {
		setSeverity(word);
		setOffset(0);
	};
	return (
		<>
			<h3>{t("import.report")}</h3>
			<label class="row-label">
				{t("import.show")}{" "}
				<select value={severity} onChange={(event) => choose(event.currentTarget.value)}>
					{SEVERITIES.map((word) => (
						<option key={word} value={word}>
							{t(`import.severity_${word || "all"}`)}
						</option>
					))}
				</select>
			</label>
			{!lines.data && <Waiting of={lines} />}
			{lines.data?.data.length === 0 && <p class="empty">{t("import.no_lines")}</p>}
			{lines.data && lines.data.data.length > 0 && (
				<>
					<Table
						label={t("import.report")}
						class="is-report"
						heads={[t("import.severity"), t("import.where"), t("import.what")]}
					>
						{lines.data.data.map((line, n) => (
							<Line key={n} line={line} />
						))}
					</Table>
					<Pages at={offset} total={lines.data.total} turn={setOffset} />
				</>
			)}
		</>
	);
}

const COUNTS = ["created", "updated", "same", "skipped", "lost"] as const;

/** How many things of each kind; kinds without any are left out. */
function Summary({ of }: { of: unknown }) {
	const rows = Object.entries((of ?? {}) as Record<string, Record<string, number>>).filter(
		([, counts]) => counts && COUNTS.some((word) => counts[word]),
	);
	if (rows.length === 0) return null;
	return (
		<Table
			label={t("import.summary")}
			heads={[t("import.what"), ...COUNTS.map((word) => [t(`import.count_${word}`)] as const)]}
		>
			{rows.map(([kind, counts]) => (
				<tr key={kind}>
					<th scope="row">{kindOf(kind)}</th>
					{COUNTS.map((word) => (
						<td key={word} class={word === "lost" && counts.lost ? "number problem" : "number"}>
							{formatNumber(counts[word] ?? 0)}
						</td>
					))}
				</tr>
			))}
		</Table>
	);
}

export function Result({ at, one }: { at: Here; one: api.ProjectImport }) {
	const over = one.state !== "queued" && one.state !== "running";
	const state = `import.is_${one.state}` as "import.is_done";
	return (
		<>
			<p role="status" class={`outcome state-${one.state}`}>
				{one.dry_run && (one.state === "done" || one.state === "lost") ? t("import.dry_over") : t(state)}
				{!over && one.progress && ` – ${one.progress}`}
			</p>
			{!over && <progress aria-label={t(state)} />}
			{one.problem && <p class="problem">{said(one.problem)}</p>}
			<Summary of={one.summary} />
			{!one.dry_run && (one.state === "done" || one.state === "lost") && (
				<p>
					<a class="button" href={`/n/projects/${at.id}`}>
						{t("import.to_board")}
					</a>
				</p>
			)}
			{over && <Report path={`${at.path}/imports/${one.id}/report`} />}
		</>
	);
}
