/** Initials of those who look at a story or type in it, at its card or in the head of its form. */
import { effect } from "@preact/signals-core";
import { present, type Presence } from "../model/hints";
import { t } from "../text/i18n";
import { Avatar } from "../ui/avatar";
import type { Board } from "./model";
import { presentAt } from "./present";

/** More are a number. */
const SHOWN = 3;

function draw(board: Board, all: readonly Presence[]) {
	const members = board.store.members.value;
	const people = all.flatMap(({ person_id, state }) => {
		const who = members.get(person_id);
		return who ? { who, isTyping: state === "typing" } : [];
	});
	const words = people.map(({ who, isTyping }) =>
		t(isTyping ? "present.typing" : "present.looking", { name: who.name }),
	);
	if (people.length === 0) return null;
	return (
		<span class="present">
			{people.slice(0, SHOWN).map(({ who, isTyping }, i) => (
				<Avatar key={who.id} name={words[i]!} initials={isTyping ? `${who.initials} …` : who.initials} />
			))}
			{people.length > SHOWN && <Avatar name={words.slice(SHOWN).join("\n")} initials={`+${people.length - SHOWN}`} />}
		</span>
	);
}

/** Who types comes first; then in the order of their numbers, so that nobody changes places. */
const order = (a: Presence, b: Presence) =>
	Number(b.state === "typing") - Number(a.state === "typing") || a.person_id - b.person_id;

/** Once in a tab: cards and forms are drawn again whose people have changed. */
export function showPresence(): void {
	let before = new Map<number, string>();
	effect(() => {
		const now = new Map<number, Presence[]>();
		for (const p of [...present.value.values()].sort(order)) now.set(p.story_id, [...(now.get(p.story_id) ?? []), p]);
		const next = new Map([...now].map(([story, all]) => [story, JSON.stringify(all)]));
		for (const story of new Set([...before.keys(), ...next.keys()])) {
			if (before.get(story) === next.get(story)) continue;
			const all = now.get(story);
			presentAt(story).value = all ? (board) => draw(board, all) : null;
		}
		before = next;
	});
}
