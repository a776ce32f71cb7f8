/**
 * A board without a page, for t/model/boards.py: each line of JSON on standard input says what to do, a line on
 * standard output reports when it is done.
 *
 *	{"base", "token", "project", "person", "seed"}	opens a project
 *	{"act": N}	does N things, on a bad network
 *	{"wishes": [COMMAND …]}	gives these commands, on a bad network
 *	{"rest": true}	waits, on a good network, until nothing is pending; reports what the board has
 */
import { pause } from "./browser";
import { createInterface } from "node:readline";
import { Board } from "../src/board/model";
import { me } from "../src/app/session";
import { SECTIONS } from "../src/model/order";
import { chance, connect, type Network } from "./network";
import { Actor, type Wish } from "./history";
import { Person } from "./person";

let board: Board;
let network: Network;
let person: Person;
let actor: Actor;
let random: () => number;

interface Line {
	base?: string;
	token?: string;
	project?: number;
	person?: number;
	seed?: number;
	act?: number;
	people?: Record<string, number>;
	wishes?: Wish[];
}

async function open({ base, token, project, person: id, seed, people }: Line): Promise<object> {
	random = chance(seed!);
	network = connect(base!, token!, random);
	me.value = { id: id! } as typeof me.value;
	board = new Board(project!);
	await board.load();
	person = new Person(board, id!, random);
	actor = new Actor(board, id!, people ?? {});
	return { open: !board.failure.peek() };
}

async function act(times: number): Promise<object> {
	network.bad = true;
	for (let n = 0; n < times; n++) {
		person.act();
		await pause(random() * 30);
	}
	return {};
}

async function give(wishes: readonly Wish[]): Promise<object> {
	network.bad = true;
	for (const wish of wishes) {
		actor.act(wish);
		await pause(random() * 30);
	}
	return {};
}

const LONGEST = 1500;

/** Sends what is waiting, and sends again what was lost. */
async function rest(): Promise<object> {
	network.bad = false;
	const { store } = board;
	for (let n = 0; n < LONGEST && store.pending.peek().length > 0; n++) await pause(20);
	await pause(600); // by then, even very late responses have arrived, and a load that failed was repeated
	for (let n = 0; n < 2; n++) await board.sync!.now();
	await pause(50);
	return state();
}

function state(): object {
	const { store } = board;
	const order = store.order.peek();
	return {
		version: store.version,
		pending: store.pending.peek().length,
		order,
		stories: SECTIONS.flatMap((section) => order[section].map((id) => store.peek(id) ?? { id })),
		labels: [...store.labels.peek().values()],
		epics: store.epics.peek(),
		automatic: store.project.peek()?.automatic_planning,
		start: store.current.peek()?.start,
		seen: network.seen,
	};
}

process.on("unhandledRejection", (error) => {
	process.stderr.write(`unhandled: ${error instanceof Error ? error.stack : error}\n`);
	process.exit(3);
});

for await (const line of createInterface({ input: process.stdin })) {
	const asked = JSON.parse(line) as Line;
	const done = asked.base
		? await open(asked)
		: asked.wishes
			? await give(asked.wishes)
			: asked.act
				? await act(asked.act)
				: await rest();
	process.stdout.write(`${JSON.stringify(done)}\n`);
}
process.exit(0);
