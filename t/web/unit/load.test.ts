// What a board requests before it knows who is signed in.
import assert from "node:assert/strict";
import { test } from "node:test";
import { askAhead, takeFirst } from "../src/model/load";

/** Answers each request with `status`; returns the list of what is requested from then on. */
function answering(status: number): string[] {
	const asked: string[] = [];
	globalThis.fetch = (address) => {
		const path = new URL(String(address), "http://test").pathname;
		asked.push(path.replace("/services/v5/projects/", ""));
		const body = path.endsWith("iterations") ? [{ number: 4 }] : { id: 1 };
		return Promise.resolve(new Response(JSON.stringify(body), { status }));
	};
	return asked;
}

const BOTH = ["1", "1/iterations"];

test("it is asked for once, and taken once", async () => {
	const asked = answering(200);
	askAhead(1);
	const [frame, current] = await takeFirst(1);
	assert.deepEqual([frame.project.id, current.iteration.number], [1, 4]);
	assert.deepEqual(asked, BOTH);
	await takeFirst(1);
	assert.deepEqual(asked, [...BOTH, ...BOTH]);
});

test("another project is not that one", async () => {
	const asked = answering(200);
	askAhead(1);
	await takeFirst(2);
	assert.deepEqual(asked, [...BOTH, "2", "2/iterations"]);
});

test("a refusal is that of who was not signed in yet", async () => {
	answering(403);
	askAhead(1);
	const asked = answering(200);
	await takeFirst(1);
	assert.deepEqual(asked, BOTH);
	answering(403);
	await assert.rejects(takeFirst(1));
});
