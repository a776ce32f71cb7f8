/** People whom a text mentions with "@". */

/** What is typed after an "@" before the caret; null: there is no "@". */
export function mentioned(text: string, caret: number): string | null {
	return /(?:^|[\s([{,;:])@([\p{L}\p{N}_.-]*)$/u.exec(text.slice(0, caret))?.[1] ?? null;
}
