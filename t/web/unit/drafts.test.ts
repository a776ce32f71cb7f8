// What was typed and not saved; addresses of code, and mentions in texts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readAddress } from "../src/model/code_link";
import { conflicts, drafted, keepDrafts, readDrafts, same, takenBack, withoutGone } from "../src/model/drafts";
import { mentioned } from "../src/model/mentions";

class Memory {
	private readonly kept = new Map<string, string>();
	getItem = (key: string) => this.kept.get(key) ?? null;
	setItem = (key: string, value: string) => void this.kept.set(key, value);
	removeItem = (key: string) => void this.kept.delete(key);
	get length() {
		return this.kept.size;
	}
}

const memory = () => new Memory() as unknown as Storage;

test("lists have no order, nothing is null", () => {
	assert.ok(same([1, 2], [2, 1]));
	assert.ok(same(undefined, null));
	assert.ok(!same([1], [1, 1]));
	assert.ok(!same("", null));
});

test("a draft is kept until it is dropped", () => {
	const storage = memory();
	keepDrafts("1.story.2", { name: { value: "new", base: "old" } }, [], storage);
	assert.deepEqual(readDrafts("1.story.2", storage), { name: { value: "new", base: "old" } });
	assert.deepEqual(readDrafts("1.story.3", storage), {});
	keepDrafts("1.story.2", {}, ["name"], storage);
	assert.equal(storage.length, 0);
});

test("drafts of another form, or of another tab, stay", () => {
	const storage = memory();
	const draft = (value: string) => ({ value, base: "" });
	keepDrafts("new.1", { icebox: draft("a") }, ["icebox"], storage);
	keepDrafts("new.1", { backlog: draft("b") }, ["backlog"], storage);
	keepDrafts("new.1", { icebox: draft("aa") }, ["icebox"], storage);
	assert.deepEqual(readDrafts("new.1", storage), { icebox: draft("aa"), backlog: draft("b") });
	keepDrafts("new.1", {}, ["backlog"], storage);
	assert.deepEqual(readDrafts("new.1", storage), { icebox: draft("aa") });
});

test("what is damaged is no draft", () => {
	const storage = memory();
	for (const bad of ["{", "[]", "null", '"x"', '{"name":1}', '{"name":{"base":1}}']) {
		storage.setItem("planwright.draft.k", bad);
		assert.deepEqual(readDrafts("k", storage), {}, bad);
	}
});

test("a value that is as it was is no draft", () => {
	const once = drafted({}, "name", "new", "old");
	assert.deepEqual(once, { name: { value: "new", base: "old" } });
	assert.deepEqual(drafted(once, "name", "newer", "old"), { name: { value: "newer", base: "old" } });
	assert.deepEqual(drafted(once, "name", "old", "old"), {});
	// Typed back to what it was after somebody else changed it: still a change.
	assert.deepEqual(drafted(once, "name", "old", "theirs"), { name: { value: "old", base: "old" } });
});

test("a conflict is another value than ours that came later", () => {
	const draft = { value: "mine", base: "old" };
	assert.ok(!conflicts(draft, "old"));
	assert.ok(!conflicts(draft, "mine"));
	assert.ok(conflicts(draft, "theirs"));
	assert.ok(!conflicts(undefined, "theirs"));
});

test("a mention is what stands behind an @ in front of the caret", () => {
	assert.equal(mentioned("Ask @mar", 8), "mar");
	assert.equal(mentioned("@", 1), "");
	assert.equal(mentioned("(@jö", 4), "jö");
	assert.equal(mentioned("a@b.example", 11), null);
	assert.equal(mentioned("Ask @mar now", 12), null);
	assert.equal(mentioned("Ask @mar", 3), null);
});

test("addresses of code", () => {
	assert.deepEqual(readAddress("pull_requests", "https://git.example/a/b/pull/7"), {
		owner: "a",
		repo: "b",
		host_url: "https://git.example/",
		original_url: "https://git.example/a/b/pull/7",
		number: 7,
	});
	assert.equal(readAddress("pull_requests", "https://git.example/a/b/-/merge_requests/7")?.number, 7);
	assert.equal(readAddress("branches", "https://git.example/g/a/b/-/tree/x%20y")?.name, "x y");
	for (const bad of [
		"",
		"x",
		"javascript:alert(1)//a/b/pull/7",
		"https://git.example/a",
		"https://git.example/a/b/pull/x",
	])
		assert.equal(readAddress("pull_requests", bad), null, bad);
});

test("what was refused stands before what was typed since", () => {
	assert.deepEqual(takenBack({}, { field: "comment", text: "a" }), { comment: { value: "a", base: "" } });
	const typed = { comment: { value: "b", base: "" } };
	assert.equal(takenBack(typed, { field: "comment", text: "a" }).comment!.value, "a\nb");
	assert.equal(takenBack(typed, { field: "comment", text: "b" }).comment!.value, "b");
});

test("what was typed for a part that is gone is for a new one", () => {
	const edit = (value: string) => ({ value, base: "old" });
	const drafts = {
		name: edit("title"),
		"new.edit.comments.1": edit("said"),
		"new.edit.tasks.2": edit("saw"),
		"new.edit.tasks.3": edit("paint"),
	};
	const left = withoutGone(drafts, (_, id) => id === 3);
	assert.deepEqual(Object.keys(left).sort(), ["comment", "name", "new.edit.tasks.3", "new.task"]);
	assert.deepEqual([left.comment!.value, left["new.task"]!.value], ["said", "saw"]);
	assert.equal(
		withoutGone(drafts, () => true),
		drafts,
	);
});
