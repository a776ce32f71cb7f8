/** The totals of an iteration: by state and by person. */
import type { PastStory } from "./history";
import { STATES } from "./states";
import type { State } from "./types";

export interface Sum {
	stories: number;
	points: number;
}

export interface StateSum extends Sum {
	state: State;
}

export interface PersonSum extends Sum {
	/** Null: without an owner. */
	person: number | null;
	accepted_stories: number;
	accepted_points: number;
}

/** In the order of states; states without stories are left out. */
export function byState(stories: readonly PastStory[]): StateSum[] {
	return STATES.map((state) => {
		const those = stories.filter((s) => s.current_state === state);
		return { state, stories: those.length, points: those.reduce((sum, s) => sum + (s.estimate ?? 0), 0) };
	}).filter((sum) => sum.stories > 0);
}

/** Most points first, unowned last; a story with several owners counts for each of them. */
export function byPerson(stories: readonly PastStory[]): PersonSum[] {
	const sums = new Map<number | null, PersonSum>();
	for (const story of stories)
		for (const person of story.owner_ids.length ? story.owner_ids : [null]) {
			let sum = sums.get(person);
			if (!sum) {
				sum = { person, stories: 0, points: 0, accepted_stories: 0, accepted_points: 0 };
				sums.set(person, sum);
			}
			const points = story.estimate ?? 0;
			sum.stories++;
			sum.points += points;
			if (story.current_state !== "accepted") continue;
			sum.accepted_stories++;
			sum.accepted_points += points;
		}
	return [...sums.values()].sort(
		(a, b) => Number(a.person === null) - Number(b.person === null) || b.points - a.points || b.stories - a.stories,
	);
}
