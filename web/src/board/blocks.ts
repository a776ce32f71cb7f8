/**
 * Long lists are rendered in blocks: the browser lays out only the visible ones, and the first ones are rendered
 * before the others. A block keeps its first story as long as possible, so that inserting a story changes only one
 * block.
 */
import { useEffect, useRef, useState } from "preact/hooks";

const MOST = 40;
const WANTED = 20;

/** Cuts a list into blocks; `leaders` are the first ids of the previous blocks. */
export function cut(ids: readonly number[], leaders: ReadonlySet<number>): number[][] {
	const blocks: number[][] = [];
	let block: number[] = [];
	for (const id of ids) {
		const full = block.length >= MOST || (leaders.size === 0 && block.length >= WANTED);
		if (block.length > 0 && (full || (leaders.has(id) && block.length >= WANTED / 2))) {
			blocks.push(block);
			block = [];
		}
		block.push(id);
	}
	if (block.length > 0) blocks.push(block);
	return blocks;
}

function same(a: readonly number[] | undefined, b: readonly number[]): boolean {
	return a !== undefined && a.length === b.length && a.every((id, i) => id === b[i]);
}

/** The blocks of a list; a block that did not change stays the same object. */
export function useBlocks(ids: readonly number[]): readonly number[][] {
	const last = useRef<readonly number[][]>([]);
	const leaders = new Set(last.current.map((block) => block[0]!));
	const old = new Map(last.current.map((block) => [block[0]!, block]));
	last.current = cut(ids, leaders).map((block) => {
		const was = old.get(block[0]!);
		return was && same(was, block) ? was : block;
	});
	return last.current;
}

interface Scheduler {
	postTask(task: () => void, options: { priority: string }): Promise<unknown>;
}

/** Runs the task when there is nothing more urgent to do. */
export function later(task: () => void): void {
	const scheduler = (globalThis as { scheduler?: Scheduler }).scheduler;
	if (scheduler?.postTask) void scheduler.postTask(task, { priority: "background" });
	else setTimeout(task, 16);
}

/** How many of `total` to render now: a few immediately, the others step by step. */
export function useChunks(total: number, first = 2, step = 4): number {
	const [shown, show] = useState(first);
	useEffect(() => {
		if (shown >= total) return;
		let stopped = false;
		later(() => {
			if (!stopped) show(shown + step);
		});
		return () => {
			stopped = true;
		};
	}, [shown, total, step]);
	return shown;
}
