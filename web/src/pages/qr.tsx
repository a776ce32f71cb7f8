/** A text as a QR code, for the camera of a phone. */
import { encode } from "uqr";

/** The dark squares as one path, with one stroke for each run of them in a row. */
function pathOf(rows: boolean[][]): string {
	return rows
		.flatMap((row, y) => row.map((dark, x) => (dark && !row[x - 1] ? `M${x} ${y}h${runFrom(row, x)}v1H${x}z` : "")))
		.join("");
}

function runFrom(row: boolean[], from: number): number {
	const end = row.indexOf(false, from);
	return (end < 0 ? row.length : end) - from;
}

export function QrCode({ text, label }: { text: string; label: string }) {
	const { data, size } = encode(text, { border: 4 });
	return (
		<svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`}>
			<path d={pathOf(data)} />
		</svg>
	);
}
