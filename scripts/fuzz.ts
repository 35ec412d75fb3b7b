/*
Tries the properties of the parser with many inputs: `npm run test:fuzz [-- SEED]`.

What fails is kept in test/signals/seeds.json, and tried again in each check from then on.
*/
import {spawnSync} from 'node:child_process';
import {join} from 'node:path';

/** Inputs for each of the four properties that take whole transcripts. */
const runs = 50_000;

const [seed = '1'] = process.argv.slice(2);
console.log(`200,000 transcripts, seed ${seed}.`);
const {status} = spawnSync(
	process.execPath,
	[
		join(import.meta.dirname, '../node_modules/vitest/vitest.mjs'),
		'run',
		'test/signals/properties.test.ts',
		'--testTimeout=600000',
	],
	{stdio: 'inherit', env: {...process.env, FUZZ_RUNS: String(runs), FUZZ_SEED: seed}},
);
process.exitCode = status ?? 1;
