// Iterations that are stronger or weaker than usual, and of which the server tells only when its backlog reaches them.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "../src/model/command";
import { Overrides } from "../src/model/overrides";
import { Store } from "../src/model/store";
import { readProject, readStory } from "../src/model/types";

const MONDAY = Date.parse("2026-03-02T00:00:00Z");
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

const waiting: Command = {
	ids: [],
	words: { key: "did.changed" },
	patch: (story) => story,
	request: () => ({ method: "PUT", path: "" }),
};

/** A project in which one story fills an iteration, with a strength of 0 for the sixth one. */
function made(count: number) {
	const store = new Store(1);
	store.project.value = readProject({ id: 1, current_velocity: 3, iteration_override_numbers: [2, 6] });
	store.setCurrent(1, MONDAY);
	const grow = (to: number) => {
		const stories = Array.from({ length: to }, (_, n) =>
			readStory({ id: n + 1, current_state: "unstarted", estimate: 3 }),
		);
		store.setSection("backlog", stories, true, 1);
	};
	grow(count);
	const asked: string[] = [];
	/** How many iterations the server's backlog has. */
	const server = { reach: count, lost: false };
	globalThis.fetch = async (path) => {
		asked.push(String(path).split("?")[0]!);
		if (server.lost) throw new TypeError("lost");
		const all = Array.from({ length: server.reach }, (_, n) => ({
			number: n + 1,
			length: 1,
			team_strength: n + 1 === 6 ? 0 : n + 1 === 2 ? 2 : 1,
		}));
		return new Response(JSON.stringify(all));
	};
	const strengths = () => store.plan.peek()!.iterations.map((it) => it.span.strength);
	return { store, grow, asked, server, strengths, overrides: new Overrides(store) };
}

test("they are loaded again when the backlog reaches one that is not known", async () => {
	const { store, grow, asked, server, strengths, overrides } = made(4);
	const stop = overrides.watch();
	await overrides.load();
	assert.deepEqual(strengths(), [1, 2, 1]);
	grow(6);
	await settled();
	assert.equal(asked.length, 1, "the fifth one is as usual");
	server.reach = 8;
	store.begin(waiting);
	grow(7);
	await settled();
	assert.equal(asked.length, 1, "the server does not know yet");
	store.end(waiting);
	await settled();
	assert.equal(asked.length, 2);
	assert.deepEqual(strengths(), [1, 2, 1, 1, 1, 0, 1]);
	grow(8);
	await settled();
	assert.equal(asked.length, 2, "that is known by now");
	stop();
});

test("neither for a view nor for a drag, and again after no answer", async () => {
	const { store, grow, asked, server, strengths, overrides } = made(4);
	const stop = overrides.watch();
	await overrides.load();
	store.whatIf.value = 1;
	store.preview.value = store.order.peek();
	store.whatIf.value = null;
	await settled();
	assert.equal(asked.length, 1);
	store.preview.value = null;
	server.lost = true;
	server.reach = 7;
	grow(7);
	await settled();
	assert.equal(asked.length, 2);
	server.lost = false;
	grow(7);
	await settled();
	assert.equal(asked.length, 3);
	assert.equal(strengths()[5], 0);
	stop();
	grow(9);
	await settled();
	assert.equal(asked.length, 3);
});
