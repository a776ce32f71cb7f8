// Changes that are kept when their page is closed.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Command } from "../src/model/command";
import { keepCommands, takeCommands } from "../src/model/outbox";
import type { Detail } from "../src/model/detail";
import type { Story } from "../src/model/types";

const kept = new Map<string, string>();
const storage = {
	getItem: (key: string) => kept.get(key) ?? null,
	setItem: (key: string, value: string) => void kept.set(key, value),
	removeItem: (key: string) => void kept.delete(key),
} as unknown as Storage;

const words = { key: "did.changed" as const, values: { name: "Shelf" } };

const command = (more: Partial<Command> = {}): Command => ({
	ids: [5],
	words,
	patch: (story) => story,
	request: ([id]) => ({ method: "PUT", path: `/projects/1/stories/${id}`, body: { current_state: "started" } }),
	...more,
});

beforeEach(() => kept.clear());

test("a change of a story is asked for again, and seen", () => {
	keepCommands(1, 7, [command()], storage);
	const [again] = takeCommands(1, 7, storage);
	assert.deepEqual(again!.request([5]), {
		method: "PUT",
		path: "/projects/1/stories/5",
		body: { current_state: "started" },
	});
	const story = { id: 5, name: "Shelf", current_state: "unstarted" } as Story;
	assert.deepEqual(again!.patch(story, 5), { ...story, current_state: "started" });
	assert.equal(again!.answered, undefined);
	assert.deepEqual(takeCommands(1, 7, storage), []);
	assert.equal(kept.size, 0);
});

test("a new part keeps its key and how it looks", () => {
	const add = command({
		of: "1.story.5",
		request: () => ({ method: "POST", path: "/projects/1/stories/5/tasks", body: { description: "saw" } }),
		adds: { kind: "tasks", item: { id: -9, description: "saw", complete: false } },
		typed: { field: "new.task", text: "saw" },
		answered: () => assert.fail("of the page that is gone"),
		key: "known",
	});
	keepCommands(1, 7, [add, command()], storage);
	const [again, other] = takeCommands(1, 7, storage);
	assert.equal(again!.key, "known");
	assert.deepEqual(again!.typed, { field: "new.task", text: "saw" });
	assert.match(other!.key!, /^[0-9a-f]{32}$/);
	const detail = { tasks: [{ id: 1, description: "old", complete: true }] } as unknown as Detail;
	assert.deepEqual(
		again!.detail!(detail).tasks.map((t) => t.description),
		["old", "saw"],
	);
	again!.answered!({});
	assert.ok(again!.isOld);
});

test("what was new has the server's number when its turn comes", () => {
	const made = command({
		ids: [-3],
		request: () => ({ method: "POST", path: "/projects/1/stories", body: { name: "New" } }),
	});
	keepCommands(1, 7, [made, command({ ids: [-3] })], storage);
	const [add, start] = takeCommands(1, 7, storage);
	assert.equal(add!.request([-3]).path, "/projects/1/stories");
	assert.equal(start!.request([12]).path, "/projects/1/stories/12");
});

test("nobody sends what another person did, nor what is old, held or a draft", () => {
	keepCommands(1, 7, [command(), command({ held: true }), command({ isDraft: true })], storage);
	keepCommands(1, 8, [command()], storage);
	assert.equal(takeCommands(1, 9, storage).length, 0);
	assert.equal(takeCommands(2, 7, storage).length, 0);
	assert.equal(takeCommands(1, 8, storage).length, 1);
	assert.equal(takeCommands(1, 7, storage).length, 1);
	keepCommands(1, 7, [command()], storage);
	const [key, text] = [...kept][0]!;
	kept.set(key, text.replace(/"at":\d+/, `"at":${Date.now() - 25 * 3_600_000}`));
	assert.equal(takeCommands(1, 7, storage).length, 0);
});

test("what is damaged is forgotten", () => {
	for (const text of ["{", "{}", "[null, 3, {}]", '[{"at": 9e15, "by": 7}]']) {
		kept.set("planwright.outbox.1", text);
		assert.deepEqual(takeCommands(1, 7, storage), []);
	}
});
