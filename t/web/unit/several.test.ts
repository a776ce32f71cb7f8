// Lines that become stories: which part of them is the title.
import assert from "node:assert/strict";
import { test } from "node:test";
import { severalOf } from "../src/model/several";

test("bullets, boxes and blank lines are no titles", () => {
	const text = "- one\r\n\n * two\n1. three\n12) four\n- [ ] five\n[x] six\na) seven\n• eight\n---\n☐ nine\n\t\u00a0\n";
	assert.deepEqual(severalOf(text).titles, ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]);
});

test("what only looks like a bullet stays", () => {
	const lines = [
		"3.5 inch screws",
		"-5 degrees",
		"2024. was a year",
		"10 nails",
		"e.g. this",
		"*bold* word",
		"C++ code",
	];
	assert.deepEqual(severalOf(lines.join("\n")).titles, lines);
});

test("a hundred at once; the rest waits", () => {
	const lines = Array.from({ length: 250 }, (_, n) => `- line ${n}`);
	const { titles, left } = severalOf(lines.join("\n"));
	assert.equal(titles.length, 100);
	assert.equal(left, lines.slice(100).join("\n"));
});
