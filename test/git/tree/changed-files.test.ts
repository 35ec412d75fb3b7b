import {chmodSync, renameSync, rmSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {changedFiles, sumOfLines} from '../../../src/git/tree/changed-files.ts';
import {commitAll, git, makeRepository, write} from '../../helpers/repository.ts';

const body = 'one\ntwo\nthree\nfour\n';

const bothWays = async () => {
	const root = makeRepository({
		'gone\tfor good': 'x\n',
		link: 'a file\n',
		picture: new Uint8Array([0, 1]),
		'run.sh': 'true\n',
		was: body,
	});
	const before = git(root, 'rev-parse', 'HEAD');
	renameSync(join(root, 'was'), join(root, ':is'));
	rmSync(join(root, 'gone\tfor good'));
	rmSync(join(root, 'link'));
	symlinkSync('elsewhere', join(root, 'link'));
	chmodSync(join(root, 'run.sh'), 0o755);
	write(root, {picture: new Uint8Array([0, 2]), ':is': `${body}five\n`, 'new': 'a\nb\n'});
	const range = [before, commitAll(root)] as const;
	const store = {gitDir: join(root, '.git')};
	return {
		renamed: await changedFiles(store, range, {renames: true}),
		apart: await changedFiles(store, range, {renames: false}),
	};
};

test('what changed between two commits is told by name, kind, mode and lines', async () => {
	const {renamed, apart} = await bothWays();
	const rest = [
		{path: 'gone\tfor good', status: 'D', modes: ['100644', '000000'], added: 0, removed: 1},
		{path: 'link', status: 'T', modes: ['100644', '120000'], added: 1, removed: 1},
		{path: 'new', status: 'A', modes: ['000000', '100644'], added: 2, removed: 0},
		{path: 'picture', status: 'M', modes: ['100644', '100644'], added: null, removed: null},
		{path: 'run.sh', status: 'M', modes: ['100644', '100755'], added: 0, removed: 0},
	];
	const plain = ['100644', '100644'];
	expect(renamed).toEqual([
		{path: ':is', from: 'was', status: 'R', modes: plain, added: 1, removed: 0},
		...rest,
	]);
	expect(apart).toEqual([
		{path: ':is', status: 'A', modes: ['000000', '100644'], added: 5, removed: 0},
		...rest,
		{path: 'was', status: 'D', modes: ['100644', '000000'], added: 0, removed: 4},
	]);
	expect(sumOfLines(renamed)).toEqual({added: 4, removed: 2});
});

test('where nothing changed there is nothing to list', async () => {
	const root = makeRepository({a: 'a\n'});
	const head = git(root, 'rev-parse', 'HEAD');
	const store = {gitDir: join(root, '.git')};
	expect(await changedFiles(store, [head, head], {renames: true})).toEqual([]);
});
