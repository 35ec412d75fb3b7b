import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {followLogWhile} from '../../../src/cli/answering/follow-log-while.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

const collecting = (folder: string, lines: string[]) => ({
	folder,
	name: 'verify.log',
	onLine: (line: string) => void lines.push(line),
});

test('the lines of a log are passed on until what is waited for is over', async () => {
	const folder = temporaryFolder();
	const lines: string[] = [];
	const work = Promise.withResolvers<string>();
	const told = followLogWhile(collecting(folder, lines), work.promise);
	writeFileSync(join(folder, 'verify.log'), 'one\n\u001b[31mtwo\u001b[0m\nthree');
	work.resolve('done');
	expect(await told).toBe('done');
	expect(lines).toEqual(['one', 'two', 'three']);
});

test('a log that can’t be read hides nothing of what came of the work', async () => {
	const folder = temporaryFolder();
	// It can be opened, and not be read.
	mkdirSync(join(folder, 'verify.log'));
	expect(await followLogWhile(collecting(folder, []), Promise.resolve('done'))).toBe('done');
	await expect(
		followLogWhile(collecting(folder, []), Promise.reject(new Error('it failed'))),
	).rejects.toThrow('it failed');
});
