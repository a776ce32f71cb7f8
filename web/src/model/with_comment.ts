/** A change to a story that also adds a comment, as a rejection does. */
import { get } from "../api/http";
import type * as api from "../api/types.gen";
import type { Command } from "./command";
import { addKey } from "./drafts";
import type { Store } from "./store";
import type { Story } from "./types";

/** Both are one request, and are undone together. */
export function withComment(store: Store, command: Command, was: Story, me: number, text: string): Command {
	const { request, inverse, again } = command;
	return Object.assign(command, {
		of: `${store.id}.story.${was.id}`,
		typed: { field: addKey("comments"), text },
		request: (ids: readonly number[]) => {
			const made = request(ids);
			return { ...made, body: { ...(made.body as object), comment: { text } } };
		},
		inverse: undefined,
		inverses: [() => inverse!()!, () => withoutComment(store, command.ids[0]!, was, me, text)],
		again: () => withComment(store, again!(), was, me, text),
	});
}

function withoutComment(store: Store, id: number, was: Story, me: number, text: string): Command {
	const path = `/projects/${store.id}/stories/${id}/comments`;
	let comment = 0;
	return {
		ids: [id],
		words: { key: "did.changed", values: { name: was.name } },
		patch: (story) => story,
		prepare: async () => {
			const { data } = await get<api.Comment[]>(path, { fields: "id,text,person_id" });
			const isIt = (c: api.Comment) => c.person_id === me && c.text === text && !was.comment_ids.includes(c.id);
			comment = data.filter(isIt).at(-1)?.id ?? 0;
			return comment > 0;
		},
		request: () => ({ method: "DELETE", path: `${path}/${comment}` }),
		answered: () => {},
	};
}
