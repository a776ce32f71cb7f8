// The page's copy of a project, as the server confirms changes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Store } from "../src/model/store";
import { readStory, type Story } from "../src/model/types";

const story = (id: number, more: Partial<Story> = {}): Story => ({
	...readStory({ id, name: `Story ${id}`, current_state: "accepted" }),
	estimate: 1,
	requested_by_id: 1,
	accepted_at: "2026-03-02T10:00:00Z",
	...more,
});

const settledAs = (id: number, after: number | null, before: number | null, more: Partial<Story> = {}) => ({
	story: story(id, more),
	section: "done" as const,
	after,
	before,
});

test("stories of one second stand as the server has them", () => {
	const store = new Store(1);
	store.settle([settledAs(3, 2, null), settledAs(2, 1, 3), settledAs(1, null, 2)]);
	assert.deepEqual(store.order.peek().done, [1, 2, 3]);
	store.settle([settledAs(4, 1, 2)]);
	assert.deepEqual(store.order.peek().done, [1, 4, 2, 3]);
});

test("the first ones of a second come before one that stays", () => {
	for (const before of [null, 99]) {
		const store = new Store(1);
		store.settle([settledAs(1, before, 2), settledAs(2, 1, 3), settledAs(3, 2, null)]);
		store.settle([settledAs(1, before, 2), settledAs(2, 1, 3)]);
		assert.deepEqual(store.order.peek().done, [1, 2, 3]);
	}
});

test("the time is before that", () => {
	const store = new Store(1);
	store.settle([settledAs(1, null, 2), settledAs(2, 1, null)]);
	// After story 1, which was accepted later by now, though the page does not know that yet.
	store.settle([settledAs(3, 1, null, { accepted_at: "2026-03-02T11:00:00Z" })]);
	assert.deepEqual(store.order.peek().done, [1, 2, 3]);
	store.settle([settledAs(4, null, 1, { accepted_at: "2026-03-02T09:00:00Z" })]);
	assert.deepEqual(store.order.peek().done, [4, 1, 2, 3]);
});

test("stories lose a label that is gone, and keep one that is new", () => {
	const store = new Store(1);
	store.setLabels([
		{ id: 7, name: "a" },
		{ id: 8, name: "b" },
	]);
	store.keep([story(1, { label_ids: [7, 8] }), story(2, { label_ids: [8, 9] })], 1);
	store.setLabels([{ id: 8, name: "b" }]);
	assert.deepEqual(store.peek(1)!.label_ids, [8]);
	assert.deepEqual(store.peek(2)!.label_ids, [8, 9]);
});

test("what came too early is asked for again, until its version is known", () => {
	const store = new Store(1);
	store.version = 4;
	store.settleAt(6, [settledAs(1, null, null)]);
	store.settleAt(4, [settledAs(2, 1, null)]);
	assert.deepEqual(store.early(), [1]);
	store.version = 5;
	assert.deepEqual(store.early(), [1]);
	store.version = 6;
	assert.deepEqual(store.early(), []);
});

test("an older list lowers the version from which changes are requested, also before everything is loaded", () => {
	const store = new Store(1);
	store.setSection("done", [story(1)], true, 7);
	store.keep([story(2)], 5);
	store.lower(8);
	store.allLoaded();
	assert.equal(store.version, 5);
	store.version = 9;
	store.setSection("icebox", [], true, 8);
	assert.equal(store.version, 8);
	store.setSection("icebox", [], true, 12);
	store.allLoaded();
	assert.equal(store.version, 8);
});

test("what came with a later version is not replaced by an earlier one", () => {
	const store = new Store(1);
	store.version = 4;
	store.settleAt(7, [settledAs(1, null, null, { name: "new" })]);
	store.settleAt(6, [settledAs(1, null, null, { name: "old" })]);
	assert.equal(store.peek(1)?.name, "new");
});
