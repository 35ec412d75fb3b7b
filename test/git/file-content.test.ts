import {execFileSync} from 'node:child_process';
import {constants} from 'node:fs';
import {open} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {contentAt, entryContentAt} from '../../src/git/settings/file-content.ts';
import {openContent} from '../../src/git/settings/open-content.ts';
import {temporaryFolder, write} from '../helpers/repository.ts';

/** A file that is opened as settings are, without waiting for anybody. */
const opened = async (path: string) => {
	const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
	onTestFinished(() => file.close());
	return file;
};

test('nothing is read of a pipe or folder that took the place of a file just before it was opened', async () => {
	const folder = temporaryFolder();
	execFileSync('mkfifo', [join(folder, 'pipe')]);
	expect(await openContent(await opened(join(folder, 'pipe')))).toEqual(['special']);
	expect(await openContent(await opened(folder))).toEqual(['special']);
	write(folder, {file: 'x'});
	expect(await openContent(await opened(join(folder, 'file')))).toEqual(
		await contentAt(folder, 'file'),
	);
});

test('a place that can’t be looked at although nobody forbids it is a failure', async () => {
	const name = 'x'.repeat(300);
	await expect(contentAt(temporaryFolder(), name)).rejects.toThrow('ENAMETOOLONG');
	await expect(entryContentAt(temporaryFolder(), name)).rejects.toThrow('ENAMETOOLONG');
});
