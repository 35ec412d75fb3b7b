import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {tellingLog} from '../../../src/cli/answering/telling-log.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

const telling = (folder: string, lines: string[]) => ({
	folder,
	name: 'verify.log',
	onLine: (line: string) => void lines.push(line),
});

test('what a log holds is told until what is waited for is over', async () => {
	const folder = temporaryFolder();
	const lines: string[] = [];
	const work = Promise.withResolvers<string>();
	const told = tellingLog(telling(folder, lines), work.promise);
	writeFileSync(join(folder, 'verify.log'), 'one\n\u001b[31mtwo\u001b[0m\nthree');
	work.resolve('done');
	expect(await told).toBe('done');
	expect(lines).toEqual(['one', 'two', 'three']);
});

test('a log that can’t be read hides nothing of what came of the work', async () => {
	const folder = temporaryFolder();
	// It can be opened, and not be read.
	mkdirSync(join(folder, 'verify.log'));
	expect(await tellingLog(telling(folder, []), Promise.resolve('done'))).toBe('done');
	await expect(
		tellingLog(telling(folder, []), Promise.reject(new Error('it failed'))),
	).rejects.toThrow('it failed');
});
