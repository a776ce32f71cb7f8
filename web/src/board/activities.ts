/** What happened to a project, a story or an epic, newest first, a page at a time. */
import { useCallback, useState } from "preact/hooks";
import { get } from "../api/http";
import type * as api from "../api/types.gen";

const PAGE = 50;

export function useActivities(path: string, fields: string) {
	const [list, setList] = useState<readonly api.Activity[] | null>(null);
	const [more, setMore] = useState(false);
	const [failed, fail] = useState(false);
	/** Loads the activities after the known ones. */
	const load = useCallback(
		async (known: readonly api.Activity[]) => {
			try {
				const { data } = await get<api.Activity[]>(path, { limit: PAGE, offset: known.length, fields });
				// New activities push known ones to the next page.
				const here = new Set(known.map((a) => a.guid));
				setList([...known, ...data.filter((a) => !here.has(a.guid))]);
				setMore(data.length === PAGE);
				fail(false);
			} catch {
				fail(true);
			}
		},
		[path, fields],
	);
	return { list, more, failed, load };
}
