import {execFileSync} from 'node:child_process';
import {appendFileSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {capture} from '../../../src/supervisor/worktree/capture.ts';
import {filesBelow, script, temporaryFolder, write} from '../../helpers/repository.ts';
import {makeAtWork} from '../at-work.ts';

/** Puts a git in front of the real one that counts itself; our program looks git up once, so this comes before anything else. */
const startCounting = (): (() => number) => {
	const folder = temporaryFolder();
	const started = join(folder, 'started');
	const real = execFileSync('sh', ['-c', 'command -v git'], {encoding: 'utf8'}).trim();
	script(join(folder, 'git'), `echo >>${started}\nexec ${real} "$@"`);
	process.env.PATH = `${folder}:${process.env.PATH ?? ''}`;
	appendFileSync(started, '');
	return () => readFileSync(started, 'utf8').length;
};

test('however many files leave the scope, as many gits put them back', async () => {
	const started = startCounting();
	const revert = async (count: number): Promise<number> => {
		const {world, agent, believe, tree, told} = await makeAtWork({'docs/c.txt': 'c\n'});
		const before = filesBelow(tree);
		const left = Array.from({length: count}, (_, index) => `docs/${index % 7}/${index}.txt`);
		write(tree, {
			'docs/c.txt': 'out\n',
			...Object.fromEntries(left.map(path => [path, `${path}\n`])),
		});
		const first = started();
		believe(...(await capture(world, agent(), 'a test')));
		expect(filesBelow(tree)).toEqual(before);
		expect(told.filter(({kind}) => kind === 'scope.left')).toHaveLength(count + 1);
		return started() - first;
	};

	const some = await revert(50);
	expect(some).toBeGreaterThan(0);
	expect(await revert(200)).toBe(some);
});
