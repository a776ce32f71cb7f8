// The search language, as the search field completes it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { namedStory, quoted, searchSoFar, typedAt } from "../src/model/query";

const at = (text: string) => typedAt(text, text.length);

test("what is typed", () => {
	assert.deepEqual(at("sta"), { from: 0, part: "sta" });
	assert.deepEqual(at("login state:st"), { from: 12, part: "st", key: "state" });
	assert.deepEqual(at("-state:started,fi"), { from: 15, part: "fi", key: "state" });
	assert.deepEqual(at('label:"two wo'), { from: 6, part: '"two wo', key: "label" });
	assert.deepEqual(at("(owned_by:an"), { from: 10, part: "an", key: "owner" });
	assert.deepEqual(at("http://x"), { from: 0, part: "http://x" });
	assert.deepEqual(at("login "), { from: 6, part: "" });
	assert.deepEqual(typedAt("state:st login", 8), { from: 6, part: "st", key: "state" });
});

test("a story by its number or address", () => {
	const origin = "https://plan.example";
	const id = (text: string) => namedStory(text, origin)?.id;
	assert.equal(id(" 200000028 "), 200000028);
	assert.equal(id("#200000028"), 200000028);
	for (const path of ["/story/show/7", "/stories/7", "/n/projects/3/stories/7", "/projects/3/stories/7?x=1#c"])
		assert.equal(id(origin + path), 7, path);
	assert.equal(id("/story/show/7"), 7);
	assert.equal(id("https://www.pivotaltracker.com/story/show/7"), 7);
	assert.equal(id("https://www.pivotaltracker.com/n/projects/1/stories/7"), 7);
	for (const text of [
		"https://other.example/story/show/7",
		"7 days",
		"#a",
		"story/show/7",
		"https://plan.example/epic/show/7",
		"",
		"9".repeat(20),
	])
		assert.equal(id(text), undefined, text);
});

test("values are quoted where the language wants it", () => {
	assert.equal(quoted("shop"), "shop");
	assert.equal(quoted("two words"), '"two words"');
	assert.equal(quoted('a "b" \\c'), '"a \\"b\\" \\\\c"');
	assert.equal(quoted("what?"), '"what?"');
	assert.equal(quoted(""), '""');
});

test("what is searched for while it is typed", () => {
	assert.equal(searchSoFar("log"), "log*");
	assert.equal(searchSoFar("log "), "log");
	assert.equal(searchSoFar("state:started log"), "state:started log*");
	assert.equal(searchSoFar('label:"two words"'), 'label:"two words"');
	assert.equal(searchSoFar('"two words" (a OR b)'), '"two words" (a OR b)');
	for (const text of [
		"l",
		"state:",
		"state:sta",
		"lable:x",
		"(log",
		'"log',
		"log -",
		"log OR",
		"/a",
		"id:x",
		"state:started,",
	])
		assert.equal(searchSoFar(text), null, text);
});
