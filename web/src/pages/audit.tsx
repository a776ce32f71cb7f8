/** An account's audit log, for its owner: who did what, newest first. The filter is stored in the address. */
import { get, ROOT } from "../api/http";
import type * as api from "../api/types.gen";
import { formatTime, keysOf, t, type Key } from "../text/i18n";
import { go, query } from "../app/router";
import { me } from "../app/session";
import { useLoaded, Waiting } from "../app/loaded";
import { Block, PAGE, Pages, Table, usePage } from "./page_kit";

const ACT = "act.";
const DAYS = ["occurred_after", "occurred_before"] as const;

/** The query for the server: days begin at midnight in the reader's zone. */
function asked(): Record<string, string> {
	const wanted = Object.fromEntries(query.value);
	for (const name of DAYS) {
		const at = Date.parse(`${wanted[name]}T00:00`);
		if (at) wanted[name] = new Date(at).toISOString();
	}
	return wanted;
}

/**
 * Changes the filter and returns to the newest entry. Back leaves the page, because arrow keys in a select change the
 * filter many times.
 */
function choose(name: string, value: string | number): void {
	const next = new URLSearchParams(query.peek());
	next.delete("offset");
	next.set(name, String(value));
	if (!value) next.delete(name);
	go(`${location.pathname}?${next}`, "replace");
}

type Rows = (readonly [number | string, string])[];

/** The people and objects that entries name by id, with their names. */
interface Names {
	person: Rows;
	project: Rows;
}

interface PickProps {
	name: string;
	label: Key;
	rows: Rows;
}

function Pick({ name, label, rows }: PickProps) {
	return (
		<label>
			{t(label)}
			<select value={query.value.get(name) ?? ""} onChange={(event) => choose(name, event.currentTarget.value)}>
				<option value="">{t("audit.all")}</option>
				{rows.map(([value, words]) => (
					<option key={value} value={value}>
						{words}
					</option>
				))}
			</select>
		</label>
	);
}

function Choice({ names }: { names: Names }) {
	return (
		<div class="row-form">
			<Pick name="person_id" label="audit.who" rows={names.person} />
			<Pick name="act" label="audit.act" rows={keysOf(ACT).map((key) => [key.slice(ACT.length), t(key)])} />
			<Pick name="project_id" label="projects" rows={names.project} />
			{DAYS.map((name) => (
				<label key={name}>
					{t(`audit.${name}`)}
					<input
						type="date"
						value={query.value.get(name) ?? ""}
						onChange={(event) => choose(name, event.currentTarget.value)}
					/>
				</label>
			))}
		</div>
	);
}

/** "role: member → owner", and only the value where there is no other, as when something is created. */
function changes({ old, new: now }: api.AuditEntry): string {
	const before = { ...(old as object) } as Record<string, unknown>;
	const after = { ...(now as object) } as Record<string, unknown>;
	return Object.keys({ ...before, ...after })
		.map((key) => `${key}: ${[before, after].flatMap((of) => of[key] ?? []).join(" → ")}`)
		.join(", ");
}

/** How it was done: a word, or a word and a name after a colon. */
function means(by: string): string {
	const [word = "", name] = by.split(/:(.*)/s);
	return t(`by.${word}` as Key, { name: name ?? "" });
}

function Row({ entry: e, names }: { entry: api.AuditEntry; names: Names }) {
	const { kind, id, name } = (e.object ?? {}) as { kind?: keyof Names; id?: number; name?: string };
	const known = kind && names[kind]?.find((row) => row[0] === id)?.[1];
	return (
		<tr>
			<td>{formatTime(Date.parse(e.occurred_at ?? ""))}</td>
			<td>
				<bdi>{e.person?.name}</bdi>
			</td>
			<td>{t(`${ACT}${e.act}` as Key)}</td>
			<td>
				{kind && t(`audit.${kind}` as Key)} <bdi>{name ?? known ?? id}</bdi>
			</td>
			<td>{changes(e)}</td>
			<td>
				{means(e.by ?? "")} <span class="hint">{e.address}</span>
			</td>
		</tr>
	);
}

const HEADS = ["when", "who", "act", "what", "change", "by"] as const;

function Entries({ entries, names }: { entries: api.AuditEntry[]; names: Names }) {
	if (!entries.length) return <p class="empty">{t("audit.none")}</p>;
	return (
		<Table label={t("audit")} class="is-audit" heads={HEADS.map((word) => t(`audit.${word}`))}>
			{entries.map((e) => (
				<Row key={e.id} entry={e} names={names} />
			))}
		</Table>
	);
}

export function Audit({ account }: { account: number }) {
	const path = `/accounts/${account}`;
	const { offset = 0, ...wanted } = asked();
	const choice = String(new URLSearchParams(wanted));
	const names = useLoaded(
		async (): Promise<Names> => ({
			person: (await get<api.AccountMembership[]>(`${path}/memberships`)).data.map((m) => [m.id, m.person?.name ?? ""]),
			project: (await get<api.Project[]>("/projects", { fields: "name,account_id" })).data
				.filter((p) => p.account_id === account)
				.map((p) => [p.id, p.name ?? ""]),
		}),
		[path, account],
	);
	const list = useLoaded(
		() => get<api.AuditEntry[]>(`${path}/audit?${choice}&offset=${offset}&limit=${PAGE}&fields=:default,person(name)`),
		[path, choice, offset],
	);
	usePage(t("audit"), me.value?.accounts?.find((a) => a.id === account)?.name ?? "");
	return (
		<main class="page">
			<div class="sheet is-wide">
				<Block
					title={t("audit")}
					hint={t("audit.hint")}
					tools={
						<a class="button" href={`${ROOT}${path}/audit.csv?${choice}`} download>
							{t("audit.csv")}
						</a>
					}
				>
					{names.data && <Choice names={names.data} />}
					{names.data && list.data ? (
						<>
							<Entries names={names.data} entries={list.data.data} />
							<Pages at={Number(offset)} total={list.data.total} turn={(to) => choose("offset", to)} />
						</>
					) : (
						<Waiting of={names.error ? names : list} />
					)}
				</Block>
			</div>
		</main>
	);
}
