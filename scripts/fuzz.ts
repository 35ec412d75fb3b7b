/*
Tests the properties of the parser and of the screen with many inputs: `npm run test:fuzz [-- SEED]`.

A failing seed is stored in test/signals/seeds.json, and tried again in each check from then on.
*/

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';

/** Number of inputs for each of the five properties of whole transcripts, in each process. */
const runs = 20_000;

/** Number of processes, each with its own seed and half of the inputs: half the time on two processors. */
const halves = 2;

const fuzz = async (seed: number): Promise<number> => {
	const child = spawn(
		process.execPath,
		[join(import.meta.dirname, '../node_modules/vitest/vitest.mjs'), 'run', '--project=fuzz'],
		{stdio: 'inherit', env: {...process.env, FUZZ_RUNS: String(runs), FUZZ_SEED: String(seed)}},
	);
	const [code] = await once(child, 'exit');
	return code ?? 1;
};

const [seed = '1'] = process.argv.slice(2);
console.log(`200,000 transcripts, seed ${seed}.`);
const codes = await Promise.all(
	Array.from({length: halves}, (_, half) => fuzz(halves * Number(seed) + half)),
);
process.exitCode = Math.max(...codes);
