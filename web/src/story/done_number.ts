/** The number of the iteration in which an accepted story was done. */
import { useEffect, useState } from "preact/hooks";
import { get } from "../api/http";
import type * as api from "../api/types.gen";
import { localDay } from "../model/calendar";
import type { Store } from "../model/store";

const WEEK = 604_800_000;
const TRIES = 12;

/** The number if all iterations before the current one had the same length. */
function guess(store: Store, at: number): number | null {
	const span = store.current.value;
	const project = store.project.value;
	if (!span || !project) return null;
	const days = span.day - localDay(project.time_zone, at);
	return Math.max(1, span.number - Math.ceil(days / (project.iteration_length * 7)));
}

/** Some were longer or shorter: asks the server which one it was, beginning with the guess. */
async function find(project: number, from: number, at: number): Promise<number | null> {
	let number = from;
	for (let n = 0; n < TRIES && number > 0; n++) {
		const { data } = await get<api.Iteration>(`/projects/${project}/iterations/${number}`, {
			fields: "number,start,finish",
		});
		const start = Date.parse(data.start ?? "");
		const finish = Date.parse(data.finish ?? "");
		if (at >= start && at < finish) return number;
		const away = at < start ? at - start : at - finish + 1;
		number += Math.sign(away) * Math.max(1, Math.floor(Math.abs(away) / Math.max(finish - start, WEEK)));
	}
	return null;
}

/** Null: not known, or not yet. */
export function useDoneNumber(store: Store, at: number | null): number | null {
	const current = store.current.value?.number ?? 0;
	const special = store.project.value?.iteration_override_numbers.some((n) => n < current) ?? true;
	const from = at === null ? null : guess(store, at);
	const [found, setFound] = useState<number | null>(null);
	useEffect(() => {
		if (special && at !== null && from !== null) find(store.id, from, at).then(setFound, () => {});
	}, [store.id, special, at, from]);
	return special ? found : from;
}
