/** Reads the addresses of pull requests and branches, as the usual repository hosts write them. */

export type CodeKind = "pull_requests" | "branches";

/** The owner, the repository, and what follows "/pull/" or "/tree/". */
export function readAddress(kind: CodeKind, text: string): Record<string, unknown> | null {
	let url: URL;
	try {
		url = new URL(text);
	} catch {
		return null;
	}
	if (url.protocol !== "https:" && url.protocol !== "http:") return null;
	const found =
		/^\/(.+)\/([^/]+?)(?:\/-)?\/(?:pull|pulls|merge_requests|pull-requests|tree|branch|src)\/(.+?)\/?$/.exec(
			url.pathname,
		);
	if (!found) return null;
	const [, owner, repo, rest] = found;
	const common = { owner, repo, host_url: `${url.origin}/`, original_url: url.href };
	if (kind === "branches") return { ...common, name: decodeURIComponent(rest!) };
	const number = Number.parseInt(rest!, 10);
	return Number.isNaN(number) ? null : { ...common, number };
}
