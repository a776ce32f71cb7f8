/** People that a text names by "@". */

/** The text typed after an "@" before the caret; null: there is none. */
export function mentioned(text: string, caret: number): string | null {
	return /(?:^|[\s([{,;:])@([\p{L}\p{N}_.-]*)$/u.exec(text.slice(0, caret))?.[1] ?? null;
}
