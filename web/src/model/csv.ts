/** Reads rows from comma-separated text, and writes them. */

/** Quoted cells may contain commas, line ends and doubled quotes; lines end with LF or CRLF. */
export function readCsv(text: string): string[][] {
	const rows: string[][] = [];
	let row: string[] = [];
	let cell = "";
	let quoted = false;
	const end = () => {
		row.push(cell);
		if (row.length > 1 || row[0] !== "") rows.push(row);
		row = [];
		cell = "";
	};
	for (let at = text.startsWith("\uFEFF") ? 1 : 0; at < text.length; at++) {
		const c = text[at]!;
		if (quoted) {
			if (c !== '"') cell += c;
			else if (text[at + 1] === '"') cell += text[++at];
			else quoted = false;
		} else if (c === '"') quoted = true;
		else if (c === ",") {
			row.push(cell);
			cell = "";
		} else if (c === "\n") end();
		else if (c !== "\r") cell += c;
	}
	if (cell !== "" || row.length > 0) end();
	return rows;
}

export function writeCsv(rows: readonly (readonly string[])[]): string {
	const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
	return rows.map((row) => `${row.map(cell).join(",")}\n`).join("");
}
