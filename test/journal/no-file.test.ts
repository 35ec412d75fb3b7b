import {execFileSync} from 'node:child_process';
import {rmSync} from 'node:fs';
import {expect, test} from 'vitest';
import {followBatches} from '../../src/journal/follow.ts';
import {readJournal} from '../../src/journal/read.ts';
import {segmentPath} from '../../src/journal/scan.ts';
import {openJournal} from '../../src/journal/writer.ts';
import {notes, session, temporaryFolder, withJournal} from './helpers.ts';

const replacements = [
	['a pipe', (path: string) => execFileSync('mkfifo', [path])],
	['a link to a device', (path: string) => execFileSync('ln', ['-s', '/dev/zero', path])],
	['a folder', (path: string) => execFileSync('mkdir', [path])],
] as const;

test.for(replacements)('%s in place of a segment is named, not waited for', async ([, replace]) => {
	const folder = temporaryFolder();
	await withJournal({folder, session}, journal => journal.append(notes(3)));
	const path = segmentPath(folder, 1);
	rmSync(path);
	replace(path);
	const failure = {kind: 'refused', message: expect.stringContaining(`${path} is not a file`)};
	await expect(readJournal(folder)).rejects.toMatchObject(failure);
	await expect(openJournal({folder, session})).rejects.toMatchObject(failure);
	await expect(followBatches(folder).next()).rejects.toMatchObject(failure);
});
