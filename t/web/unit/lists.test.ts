// Parts of a story that one list shows for all of them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readNews } from "../src/model/activity";
import { readDetail, STORY_DETAIL } from "../src/model/detail";
import { LISTED } from "../src/model/lists";

test("a build is read with the story, and what is unknown is not said", () => {
	assert.ok(STORY_DETAIL.includes("cicd_events(:default)"));
	const builds = [
		{ id: 1, name: "unit", status: "passed", provider: "ci", url: "https://ci.example/1" },
		{ id: 2, name: "lint", status: "unknown" },
	];
	assert.deepEqual(readDetail({ id: 9, cicd_events: builds }).cicd_events, [
		{ id: 1, name: "unit", url: "https://ci.example/1", status: "passed · ci" },
		{ id: 2, name: "lint", url: "", status: "" },
	]);
	assert.deepEqual(readDetail({ id: 9 }).cicd_events, []);
});

test("what others change in a list is news of the story alone", () => {
	for (const kind of LISTED) {
		const changes = [{ kind, change_type: "create", id: 1 }];
		const news = readNews([
			{ kind: `${kind}_create_activity`, changes, primary_resources: [{ kind: "story", id: 9 }] },
		]);
		assert.deepEqual([[...news.stories], news.frame], [[9], false]);
	}
	assert.ok(LISTED.includes("cicd_event"));
});
