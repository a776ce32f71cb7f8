// Both languages have the same texts, with the same values in them.
import assert from "node:assert/strict";
import { test } from "node:test";
import adminDe from "../locales/admin.de.json";
import adminEn from "../locales/admin.en.json";
import boardDe from "../locales/board.de.json";
import boardEn from "../locales/board.en.json";
import chartsDe from "../locales/charts.de.json";
import chartsEn from "../locales/charts.en.json";
import pagesDe from "../locales/pages.de.json";
import pagesEn from "../locales/pages.en.json";
import panelsDe from "../locales/panels.de.json";
import panelsEn from "../locales/panels.en.json";
import storyDe from "../locales/story.de.json";
import storyEn from "../locales/story.en.json";

type Texts = Record<string, unknown>;
const pairs: Record<string, [Texts, Texts]> = {
	board: [boardEn, boardDe],
	admin: [adminEn, adminDe],
	pages: [pagesEn, pagesDe],
	story: [storyEn, storyDe],
	charts: [chartsEn, chartsDe],
	panels: [panelsEn, panelsDe],
};
const values = (text: unknown) => [...new Set(JSON.stringify(text).match(/\{\w+\}/g) ?? [])].sort();

for (const [part, [en, de]] of Object.entries(pairs))
	test(`texts of ${part}`, () => {
		assert.deepEqual(Object.keys(de).sort(), Object.keys(en).sort());
		for (const key of Object.keys(en)) assert.deepEqual(values(de[key]), values(en[key]), key);
	});

test("no text has two meanings", () => {
	const keys = Object.values(pairs).flatMap(([en]) => Object.keys(en));
	assert.equal(new Set(keys).size, keys.length);
});
