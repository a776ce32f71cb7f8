// Tables of people are imported and exported as CSV.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readCsv, writeCsv } from "../src/model/csv";

test("rows and cells", () => {
	assert.deepEqual(readCsv("a,b\n1,\n"), [
		["a", "b"],
		["1", ""],
	]);
	assert.deepEqual(readCsv("a,b\r\n1,2"), [
		["a", "b"],
		["1", "2"],
	]);
	assert.deepEqual(readCsv(""), []);
	assert.deepEqual(readCsv("\uFEFFa\n\nb\n"), [["a"], ["b"]]);
});

test("quotes hold everything", () => {
	assert.deepEqual(readCsv('"a ""b"", c","d\ne"\n'), [['a "b", c', "d\ne"]]);
	assert.deepEqual(readCsv('"not ended'), [["not ended"]]);
});

test("there and back", () => {
	const rows = [
		["name", "email"],
		['Bo "the" Li', "bo@example.test"],
		["a,b", "c\r\nd"],
		["", "x"],
	];
	assert.deepEqual(readCsv(writeCsv(rows)), rows);
});
