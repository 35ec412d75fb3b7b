import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync, statfsSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** Folder in memory on Linux. */
const memory = '/dev/shm';

/** Many times the files of all concurrent tests, in bytes. */
const enough = 4 * 1024 ** 3;

/**
Returns the root of the tests' folders: in memory if there is room and programs can run there; otherwise, or if `TMPDIR` is set, the machine's own.

Tests make and remove a million files, and a disk is slow to allocate after many deletions. Tests of a disk that is full, slow or cut off use disks of their own.
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
