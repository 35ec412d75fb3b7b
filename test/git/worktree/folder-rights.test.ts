import {constants} from 'node:fs';
import {open} from 'node:fs/promises';
import {platform} from 'node:os';
import {expect, onTestFinished, test} from 'vitest';
import {pathOnlyFlagOn} from '../../../src/git/worktree/open-worktree.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

test.runIf(platform() === 'linux')(
	'Linux opens a folder as a mere place, of which nothing can be read',
	async () => {
		const place = await open(temporaryFolder(), pathOnlyFlagOn('linux') | constants.O_DIRECTORY);
		onTestFinished(() => place.close());
		expect((await place.stat()).isDirectory()).toBe(true);
		await expect(place.sync()).rejects.toThrow('EBADF');
	},
);

test('where a system has no flag for that, a folder is opened to read', () => {
	expect(pathOnlyFlagOn('darwin')).toBe(constants.O_RDONLY);
});
