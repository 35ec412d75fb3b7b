import {expect, test} from 'vitest';
import {openJournal} from '../../src/journal/writer.ts';
import {durations, faults, folder, holds, work} from '../journal/disk-work.ts';
import {failingFiles} from '../journal/failing-files.ts';
import {note, session} from '../journal/helpers.ts';
import {memoryDisk} from '../journal/memory-disk.ts';
import {tell, times} from './figures.ts';

const kinds = faults.flatMap(fault => durations.map(lasts => ({fault, lasts})));
const never = Number.POSITIVE_INFINITY;

/** Opens the journal and appends to it once, on a disk that may fail meanwhile. */
const recover = async (files: Parameters<typeof openJournal>[0]['files']): Promise<void> => {
	try {
		const journal = await openJournal({folder, session, ...(files === undefined ? {} : {files})});
		await journal.append([note(1)]);
		await journal.close();
	} catch {
		// What it was promised before is what counts.
	}
};

test.each(kinds)(
	'nothing promised is lost when the disk fails, and fails again in the recovery: $fault, $lasts',
	async ({fault, lasts}) => {
		const quietDisk = memoryDisk().files;
		const quiet = failingFiles(quietDisk, fault, never, lasts);
		await work(quietDisk, quiet.files);
		const step = times({part: 5, deep: 1});
		let tried = 0;
		for (let at = 1; at <= quiet.operations(); at += step) {
			for (let again = 1, goesOn = true; goesOn; again++) {
				const disk = memoryDisk().files;
				const {promised} = await work(disk, failingFiles(disk, fault, at, lasts).files);
				const second = failingFiles(disk, fault, again, lasts);
				await recover(second.files);
				goesOn = second.operations() >= again;
				await holds(disk, promised, `operation ${at}, then ${again} of the recovery`);
				tried++;
			}
		}

		expect(tried).toBeGreaterThan(3);
		tell(
			'J',
			'disk failures in the journal and again in its recovery: five faults, once and for good',
			tried,
		);
	},
);
