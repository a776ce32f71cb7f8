// What a board knows after responses were lost, or came late.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "../src/model/command";
import { readStanding } from "../src/model/load";
import { Queue } from "../src/model/queue";
import { Store } from "../src/model/store";

const words = { key: "did.changed" as const };

type Answer = { status?: number; version?: number; changed?: boolean; body?: unknown } | "lost";

/** Answers the requests with these, in order; returns the list of requests. */
function answers(...list: Answer[]): string[] {
	const asked: string[] = [];
	globalThis.fetch = async (path, init) => {
		asked.push(`${init?.method} ${String(path).split("?")[0]}`);
		const next = list.shift() ?? "lost";
		if (next === "lost") throw new TypeError("lost");
		const headers = {
			"X-Service-Project-Version": String(next.version ?? 0),
			...((next.changed ?? init?.method !== "GET") ? { "X-Service-Project-Changed": "1" } : {}),
		};
		return new Response(JSON.stringify(next.body ?? {}), { status: next.status ?? 200, headers });
	};
	return asked;
}

const many = (): Command => ({
	ids: [5, 6],
	words,
	patch: (story) => story,
	request: (ids) => ({ method: "PUT", path: "/projects/1/stories/bulk", body: { ids, group: "unscheduled" } }),
});

const part = (): Command => ({
	ids: [5],
	words,
	patch: (story) => story,
	request: () => ({ method: "POST", path: "/projects/1/stories/5/tasks", body: { description: "saw" } }),
	answered: () => {},
});

function made() {
	const store = new Store(1);
	store.version = 4;
	let behind = 0;
	const queue = new Queue(store, { refused: () => {}, behind: () => behind++ });
	return { store, queue, behind: () => behind };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

test("what was done is not known before its stories are here", async () => {
	const { store, queue } = made();
	const asked = answers({ version: 5, body: [] }, "lost", { status: 400, version: 6 });
	queue.push(many());
	await settled();
	assert.equal(store.version, 4);
	queue.wake(); // and is refused now: somebody deleted one of them
	await settled();
	assert.equal(asked.length, 3);
	assert.deepEqual(store.pending.peek(), []);
	assert.equal(store.version, 4);
	queue.stop();
});

test("the version is that of the answer, once they are", async () => {
	const { store, queue } = made();
	answers({ version: 5, body: [] }, { version: 5, body: [] });
	queue.push(many());
	await settled();
	assert.equal(store.version, 5);
});

test("the same of a part, whose story does not come", async () => {
	const { store, queue, behind } = made();
	answers({ version: 5 }, "lost", { version: 6 }, { version: 6, body: [] });
	queue.push(part());
	await settled();
	assert.equal(store.version, 4);
	assert.ok(behind() > 0);
});

test("a part, whose story does", async () => {
	const { store, queue } = made();
	answers({ version: 5 }, { version: 5, body: [] });
	queue.push(part());
	await settled();
	assert.equal(store.version, 5);
});

const answer = (current_state: string) => ({ id: 5, name: "Five", story_type: "bug", current_state, owner_ids: [] });

test("an answer that comes after a later version is here does not undo it", async () => {
	const { store, queue } = made();
	const five = (state: string) => readStanding(answer(state) as never);
	store.settle([five("unstarted")]);
	answers({ version: 5, body: answer("delivered") });
	queue.push({
		ids: [5],
		words,
		patch: (story) => story,
		request: () => ({ method: "PUT", path: "/projects/1/stories/5", body: { current_state: "delivered" } }),
	});
	store.settleAt(6, [five("unscheduled")]);
	store.version = 6;
	await settled();
	assert.equal(store.peek(5)?.current_state, "unscheduled");
	assert.deepEqual(store.order.peek().work, []);
	assert.deepEqual(store.pending.peek(), []);
});

const five = (state: string, more: object = {}) => readStanding({ ...answer(state), ...more } as never);

const restate = (current_state: string): Command => ({
	ids: [5],
	words,
	patch: (story) => story,
	request: () => ({ method: "PUT", path: "/projects/1/stories/5", body: { current_state } }),
});

test("the version of a change that changed nothing is somebody else's", async () => {
	const { store, queue, behind } = made();
	answers({ version: 5, changed: false, body: answer("started") });
	queue.push(restate("started"));
	await settled();
	assert.equal(store.version, 4);
	assert.equal(behind(), 1);
});

test("an accepted story may have changed others, which it blocked", async () => {
	const { store, queue, behind } = made();
	store.settle([five("started"), five("started", { id: 6, blockers: [{ id: 1, description: "#5" }] })]);
	answers({ version: 5, body: answer("accepted") }, { version: 6, body: answer("started") });
	queue.push(restate("accepted"));
	await settled();
	assert.equal(store.version, 4);
	assert.equal(behind(), 1);
});

test("also if the request was about a part of it", async () => {
	const { store, queue } = made();
	store.settle([five("accepted"), five("started", { id: 6, blockers: [{ id: 1, description: "#5" }] })]);
	answers({ version: 5 }, { version: 5, body: [answer("accepted")] });
	queue.push(part());
	await settled();
	assert.equal(store.version, 4);
});

test("a deleted story does not come back with an older answer", async () => {
	const { store, queue } = made();
	store.settle([five("started")]);
	answers({ version: 6 });
	queue.push({ ...restate(""), request: () => ({ method: "DELETE", path: "/projects/1/stories/5" }) });
	await settled();
	store.settleAt(5, [five("finished")]);
	assert.equal(store.peek(5), undefined);
	store.settleAt(7, [five("finished")]);
	assert.equal(store.peek(5)?.current_state, "finished");
});
