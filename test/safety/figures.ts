import {appendFileSync} from 'node:fs';
import {join, relative} from 'node:path';
import {beforeEach} from 'vitest';
import {isTestInTurn} from '../../scripts/safety/turns.ts';

/** Whether everything is to be tried, and not just the part that fits into a run for every change. */
const isDeep = process.env.SAFETY_DEEP === '1';

/** Returns how often something is to be tried in this run. */
export const times = ({part, deep}: {readonly part: number; readonly deep: number}): number =>
	isDeep ? deep : part;

/** The turn that this run has; who runs a file by itself has all of its tests. */
const turn = process.env.SAFETY_TURN;

let position = 0;

// This file is set up before each one of the suite, so that no test needs to know of turns.
beforeEach(({skip, task}) => {
	const file = relative(join(import.meta.dirname, '../..'), task.file.filepath);
	const isTried = isDeep || turn === undefined || isTestInTurn(file, position, Number(turn));
	position++;
	skip(!isTried, 'Another commit tries this.');
});

/** Where a run starts to draw; each run may have its own, so that deep runs need not repeat each other. */
export const seed = Number(process.env.SAFETY_SEED ?? 1);

/** Tells what was tried and held, for the table that the suite prints; call it after the last assertion. */
export const tell = (promise: string, what: string, count: number): void => {
	const file = process.env.SAFETY_FIGURES;
	if (file !== undefined) {
		appendFileSync(file, `${JSON.stringify({promise, what, count})}\n`);
	}
};
