/** What texts can refer to: people by "@", stories by "#". */
import type { Board } from "../board/model";
import type { Option } from "../ui/listbox";

export function mentionable(board: Board): Option[] {
	return [...board.store.members.value.values()].map((m) => ({
		key: m.username,
		text: `@${m.username}`,
		hint: m.name,
	}));
}

/** On its board if it belongs to that board. */
export const storyHref = (board: Board) => (id: number) =>
	board.store.peek(id) ? `/n/projects/${board.id}/stories/${id}` : `/story/show/${id}`;
