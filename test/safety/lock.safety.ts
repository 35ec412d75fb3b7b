import {join} from 'node:path';
import {expect, test} from 'vitest';
import {fromSeeds} from '../helpers/kept-seeds.ts';
import {type Child, startProgram} from '../journal/child.ts';
import {temporaryFolder} from '../journal/helpers.ts';
import {drawFrom} from './chance.ts';
import {seed, tell, times} from './figures.ts';
import type {Draw} from './power.ts';

/** How many try at once, and how many in a hundred of those who hold it are killed. */
const contenders = 6;
const killedInHundred = 15;

type Ring = {
	readonly path: string;
	readonly draw: Draw;
	/** Who was told to have it and has not been told to let it go. */
	holder: Child | undefined;
	acquired: number;
	readonly wanted: number;
};

test('of six that contend for the lock, of whom many are killed, never two have it', async () => {
	const wanted = times({part: 60, deep: 1000});
	await fromSeeds('contenders for the lock', seed, async from => {
		const path = join(temporaryFolder(), 'lock.sqlite');
		const ring: Ring = {path, draw: drawFrom(from), holder: undefined, acquired: 0, wanted};
		await Promise.all(Array.from({length: contenders}, () => contend(ring)));
		expect(ring.acquired).toBeGreaterThanOrEqual(wanted);
	});
	tell('H', 'locks taken by six contenders, of whom 15 % are killed', wanted);
}, 600_000);

/** Takes the lock again and again; one that is killed makes room for a new process. */
const contend = async (ring: Ring): Promise<void> => {
	let child = startProgram('contend.ts', [ring.path]);
	while (ring.acquired < ring.wanted) {
		if ((await child.ask('take')) !== 'held') {
			continue;
		}

		// From its answer until it is told to let go it surely has the lock.
		expect(ring.holder).toBeUndefined();
		ring.holder = child;
		ring.acquired++;
		// Others try meanwhile.
		await child.ask('take');
		await child.ask('take');
		ring.holder = undefined;
		if (ring.draw(100) < killedInHundred) {
			await child.kill();
			child = startProgram('contend.ts', [ring.path]);
		} else {
			await child.ask('release');
		}
	}

	await child.kill();
};
