import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {lookAtSubmodules} from '../../../src/git/worktree/snapshot/raw-bytes.ts';
import {temporaryFolder, write} from '../../helpers/repository.ts';

test('a submodule that can’t be looked at is a failure, not an empty one', async () => {
	const root = temporaryFolder();
	await expect(lookAtSubmodules(root, [`${'long'.repeat(100)}`])).rejects.toMatchObject({
		code: 'ENAMETOOLONG',
	});
});

test('submodules are told apart by what lies in their place', async () => {
	const root = temporaryFolder();
	write(root, {'used/a.txt': 'a\n', replaced: 'a file\n'});
	mkdirSync(join(root, 'empty'));
	expect(await lookAtSubmodules(root, ['used', 'empty', 'replaced', 'gone'])).toEqual({
		used: ['used'],
		replaced: ['replaced', 'gone'],
	});
});
