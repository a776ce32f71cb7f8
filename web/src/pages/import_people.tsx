/** Who becomes whom: the map of an import, to be corrected before the next attempt. */
import { t } from "../text/i18n";

const ACTIONS = ["match", "create", "placeholder", "skip", "ambiguous"] as const;
/** Of the map's columns: name, email, username, person_id, action. */
const FIELDS = [
	["field.email", 1],
	["field.username", 2],
	["import.person_id", 3],
] as const;
const ACTION = 4;

interface Props {
	/** The first one is the heading. */
	rows: string[][];
	change: (rows: string[][]) => void;
}

export function PeopleMap({ rows, change }: Props) {
	const put = (row: number, column: number, value: string) =>
		change(rows.map((cells, at) => (at === row ? cells.map((cell, n) => (n === column ? value : cell)) : cells)));
	return (
		<>
			<h3>{t("import.people")}</h3>
			<p class="hint">{t("import.people_hint")}</p>
			<div class="scroll" tabIndex={0} role="group" aria-label={t("import.people")}>
				<table aria-label={t("import.people")} class="table people-map">
					<thead>
						<tr>
							<th scope="col">{t("import.name")}</th>
							<th scope="col">{t("import.becomes")}</th>
							{FIELDS.map(([key]) => (
								<th scope="col" key={key}>
									{t(key)}
								</th>
							))}
						</tr>
					</thead>
					<tbody>
						{rows.slice(1).map((cells, n) => (
							<Row key={n} cells={cells} put={(column, value) => put(n + 1, column, value)} />
						))}
					</tbody>
				</table>
			</div>
		</>
	);
}

function Row({ cells, put }: { cells: readonly string[]; put: (column: number, value: string) => void }) {
	const name = cells[0] ?? "";
	return (
		<tr class={cells[ACTION] === "ambiguous" ? "is-open" : ""}>
			<th scope="row">{name}</th>
			<td>
				<select
					aria-label={`${name}: ${t("import.becomes")}`}
					value={cells[ACTION]}
					onChange={(event) => put(ACTION, event.currentTarget.value)}
				>
					{ACTIONS.map((word) => (
						<option key={word} value={word}>
							{t(`import.${word}`)}
						</option>
					))}
				</select>
			</td>
			{FIELDS.map(([key, column]) => (
				<td key={key}>
					<input
						aria-label={`${name}: ${t(key)}`}
						value={cells[column]}
						inputMode={column === 3 ? "numeric" : undefined}
						onInput={(event) => put(column, event.currentTarget.value.trim())}
					/>
				</td>
			))}
		</tr>
	);
}
