/*
Tries the properties of the parser and of the screen with many inputs: `npm run test:fuzz [-- SEED]`.

What fails is kept in test/signals/seeds.json, and tried again in each check from then on.
*/

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';

/** Inputs for each of the five properties that take whole transcripts, in each process. */
const runs = 20_000;

/** Each has half of the inputs, by a seed of its own: half the time wherever there are two processors. */
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
