/** Who becomes whom: the map of people of an import, to be corrected before the next attempt. */
import type * as api from "../api/types.gen";
import { naturally, t } from "../text/i18n";
import { useColleagues } from "./colleagues";
import { Table } from "./page_kit";
import type { Here } from "./project_frame";

/** What can be done with a name apart from choosing a person for it. */
const ACTIONS = ["create", "placeholder", "skip"] as const;
/** The indexes of the map's columns. */
const [NAME, EMAIL, USERNAME, PERSON, ACTION, CANDIDATES] = [0, 1, 2, 3, 4, 5];

type Cells = readonly string[];

interface Props {
	at: Here;
	/** The first row is the heading. */
	rows: string[][];
	change: (rows: string[][]) => void;
}

interface Choice {
	id: string;
	text: string;
}

const choiceOf = (person: api.Person | undefined): Choice => ({
	id: String(person?.id ?? ""),
	text: person?.username ? `${person.name} (${person.username})` : (person?.name ?? ""),
});

const choicesOf = (people: readonly (api.Person | undefined)[]): Choice[] =>
	people.map(choiceOf).sort((a, b) => naturally(a.text, b.text));

/** The people whom the server considers possible. */
function candidatesOf(cells: Cells): Choice[] {
	const found = (cells[CANDIDATES] ?? "").matchAll(/person_id (\d+): ([^;]*)/g);
	return [...found].map(([, id, text]) => ({ id: id!, text: text!.trim() }));
}

/** The choices in groups; the person named in the row comes first if no group contains them. */
function groupsOf(cells: Cells, members: readonly Choice[], others: readonly Choice[]) {
	const groups: [string, readonly Choice[]][] = [
		[t("import.could_be"), candidatesOf(cells)],
		[t("tab.members"), members],
		[t("import.others"), others],
	];
	const id = cells[PERSON] ?? "";
	const isListed = groups.some(([, people]) => people.some((p) => p.id === id));
	if (cells[ACTION] === "match" && !isListed)
		groups.unshift(["", [{ id, text: cells[EMAIL] || cells[USERNAME] || cells[NAME]! }]]);
	return groups.filter(([, people]) => people.length > 0);
}

/** The row after a choice; the address stays, in case a new person needs it. */
function chosen(cells: Cells, value: string): string[] {
	const next = [...cells];
	const [action, id] = value.split(":") as [string, string | undefined];
	if (id !== undefined) next[PERSON] = id;
	else if (cells[ACTION] === "match") next[PERSON] = "";
	next[ACTION] = action;
	return next;
}

interface RowProps {
	cells: Cells;
	members: readonly Choice[];
	others: readonly Choice[];
	put: (cells: string[]) => void;
}

function Who({ cells, members, others, put }: RowProps) {
	const action = cells[ACTION] ?? "";
	const ofPerson = ({ id, text }: Choice) => (
		<option key={id} value={`match:${id}`}>
			{text}
		</option>
	);
	return (
		<select
			aria-label={`${cells[NAME]}: ${t("import.becomes")}`}
			value={action === "match" ? `match:${cells[PERSON] ?? ""}` : action}
			onChange={(event) => put(chosen(cells, event.currentTarget.value))}
		>
			{action === "ambiguous" && <option value="ambiguous">{t("import.ambiguous")}</option>}
			{groupsOf(cells, members, others).map(([label, people]) =>
				label ? (
					<optgroup key={label} label={label}>
						{people.map(ofPerson)}
					</optgroup>
				) : (
					people.map(ofPerson)
				),
			)}
			{ACTIONS.map((word) => (
				<option key={word} value={word}>
					{t(`import.${word}`)}
				</option>
			))}
		</select>
	);
}

function Row(props: RowProps) {
	const { cells, put } = props;
	const label = `${cells[NAME]}: ${t("field.email")}`;
	return (
		<tr class={cells[ACTION] === "ambiguous" ? "is-open" : ""}>
			<th scope="row">{cells[NAME]}</th>
			<td>
				<Who {...props} />
			</td>
			<td>
				{cells[ACTION] === "create" && (
					<input
						type="email"
						aria-label={label}
						placeholder={t("field.email")}
						value={cells[EMAIL]}
						onInput={(event) => put(cells.map((cell, n) => (n === EMAIL ? event.currentTarget.value.trim() : cell)))}
					/>
				)}
			</td>
		</tr>
	);
}

export function PeopleMap({ at, rows, change }: Props) {
	const members = choicesOf(at.memberships.map((m) => m.person));
	const others = choicesOf(useColleagues(at));
	const put = (row: number, cells: string[]) => change(rows.map((old, n) => (n === row ? cells : old)));
	return (
		<>
			<h3>{t("import.people")}</h3>
			<p class="hint">{t("import.people_hint")}</p>
			<Table
				label={t("import.people")}
				class="people-map"
				heads={[t("import.name"), t("import.becomes"), t("import.new_email")]}
			>
				{rows.slice(1).map((cells, n) => (
					<Row key={n} cells={cells} members={members} others={others} put={(next) => put(n + 1, next)} />
				))}
			</Table>
		</>
	);
}
