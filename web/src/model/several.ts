/** The titles in several lines of text, such as a list from a mail, without bullets and blank lines. */

/** At one time; each is a request. */
const MOST = 100;

/** Dashes, dots, stars, "1.", "a)", checkboxes. */
const BULLET = /^(?:[-–—*+•◦▪‣·]|\d{1,3}[.)]|[a-zA-Z][.)]|\[[ xX]?\]|[☐☑☒])\s+/u;

function titleOf(line: string): string {
	let title = line.trim();
	// "- [ ] a task"
	while (BULLET.test(title)) title = title.replace(BULLET, "");
	return title;
}

interface Several {
	titles: string[];
	/** What is left for later. */
	left: string;
}

export function severalOf(text: string): Several {
	const lines = text.split(/\r\n|[\n\r\u2028\u2029]/).filter((line) => /[\p{L}\p{N}\p{S}]/u.test(line));
	return { titles: lines.slice(0, MOST).map(titleOf), left: lines.slice(MOST).join("\n") };
}
