import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync, statfsSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** Where Linux has a disk in memory. */
const memory = '/dev/shm';

/** Many times what all tests that run at once keep, in bytes. */
const enough = 4 * 1024 ** 3;

/**
Returns the folder in which tests make theirs: in memory where there is room and programs may be run, else, or where one is named, the machine's own.

They make and remove a million files, and a disk that has just removed many is slow to find room for new ones. What a test says of a disk that is full, slow or cut off is said by disks of its own.
*/
export const temporaryRoot = (): string =>
	process.env.TMPDIR === undefined && isLarge() && runsPrograms() ? memory : tmpdir();

const isLarge = (): boolean => {
	try {
		const {bavail, bsize} = statfsSync(memory);
		return bavail * bsize >= enough;
	} catch {
		return false;
	}
};

const runsPrograms = (): boolean => {
	try {
		const folder = mkdtempSync(join(memory, 'delegate-tui-'));
		const program = join(folder, 'program');
		try {
			writeFileSync(program, '#!/bin/sh\n', {mode: 0o755});
			execFileSync(program);
			return true;
		} finally {
			rmSync(folder, {recursive: true});
		}
	} catch {
		return false;
	}
};
