import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {write} from '../../helpers/repository.ts';
import {makeWorld} from '../world.ts';

/** Makes folders in one another until the path is longer than the system takes, so that it can only be gone step by step. */
const makeDeep = (folder: string): void => {
	onTestFinished(() => void execFileSync('rm', ['-rf', folder]));
	execFileSync(process.execPath, ['--eval', `(${goDown.toString()})(process.argv[1])`, folder]);
};

const goDown = (folder: string): void => {
	const {mkdirSync, writeFileSync} = process.getBuiltinModule('node:fs');
	for (const name of [folder, ...Array.from({length: 25}, () => 'x'.repeat(200))]) {
		mkdirSync(name);
		process.chdir(name);
	}

	writeFileSync('deep.txt', 'deep');
};

test('a folder whose path is too long is told, unless it is ignored, and the rest is kept', async () => {
	const world = await makeWorld({'.gitignore': '/ignored/\n'});
	makeDeep(join(world.tree, 'deep'));
	makeDeep(join(world.tree, 'ignored'));
	write(world.tree, {'a.txt': 'a'});
	const {skipped, commit} = await world.snapshot();
	expect(skipped).toEqual([{path: expect.stringMatching(/^deep\/x+\//), why: 'long'}]);
	expect(commit).toMatch(/^\w+$/);
});
