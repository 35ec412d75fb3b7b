import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {conePatterns, isInCone} from '../../src/lib/cone.ts';
import {git, makeRepository} from '../helpers/repository.ts';

const paths = [
	...['root.txt', 'a/x.txt', 'a/b/x.txt', 'a/b/c/x.txt', 'a/bc/x.txt', 'z/x.txt'],
	...['a/b/c/d/x.txt', 'z/[q]/x.txt', 'z/q/x.txt', 'z/y*/x.txt', 'z/yy/x.txt', 'ab/x.txt'],
];

test.each([
	[['a']],
	[['a/b']],
	[['a/b/c', 'z']],
	[['a', 'a/b/c']],
	[['z/[q]', 'z/y*']],
	[['missing/folder']],
])(
	'the patterns of a checkout of %j are git’s own, and a path is in it where git has it',
	folders => {
		const root = makeRepository(Object.fromEntries(paths.map(path => [path, `${path}\n`])));
		git(root, 'sparse-checkout', 'set', '--cone', '--skip-checks', ...folders);
		const patterns = readFileSync(join(root, '.git/info/sparse-checkout'), 'utf8');
		expect(conePatterns(folders).split('\n').toSorted()).toEqual(patterns.split('\n').toSorted());
		const there = git(root, '-c', 'core.quotePath=false', 'ls-files', '-t')
			.split('\n')
			.flatMap(line => (line.startsWith('H ') ? line.slice(2) : []));
		expect(paths.filter(path => isInCone(folders, path)).toSorted()).toEqual(there.toSorted());
	},
);
