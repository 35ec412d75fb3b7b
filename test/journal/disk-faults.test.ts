import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {diskFiles, type JournalFiles} from '../../src/journal/files.ts';
import {openJournal} from '../../src/journal/writer.ts';
import {Failure} from '../../src/lib/failure.ts';
import {durations, faults, folder, holds, tear, work} from './disk-work.ts';
import {failingFiles} from './failing-files.ts';
import {note, notes, session, temporaryFolder, withJournal} from './helpers.ts';
import {memoryDisk} from './memory-disk.ts';

const never = Number.POSITIVE_INFINITY;

test.each(faults.flatMap(fault => durations.map(lasts => ({fault, lasts}))))(
	'nothing promised is lost when the disk fails: $fault, $lasts',
	async ({fault, lasts}) => {
		const quietDisk = memoryDisk().files;
		const quiet = failingFiles(quietDisk, fault, never, lasts);
		expect((await work(quietDisk, quiet.files)).promised).toHaveLength(32);
		const total = quiet.operations();
		expect(total).toBeGreaterThan(15);
		for (let at = 1; at <= total; at++) {
			const disk = memoryDisk().files;
			const {files} = failingFiles(disk, fault, at, lasts);
			const {promised, failures} = await work(disk, files);
			expect(failures.length > 0, `operation ${at}`).toBe(fault !== 'short write');
			expect(failures.every(failure => failure instanceof Failure)).toBe(true);
			await holds(disk, promised, `operation ${at} of ${total}`);
		}
	},
);

const losses = ['nothing', 'everything', 'half', 'zeros'] as const;
const nameLosses = ['name kept', 'name lost'] as const;

test.each(losses.flatMap(loss => nameLosses.map(names => ({loss, names}))))(
	'nothing promised is lost when the power is cut, taking $loss of what was unsynced, $names',
	async ({loss, names}) => {
		const quietDisk = memoryDisk().files;
		const quiet = failingFiles(quietDisk, 'EIO', never, 'once');
		await work(quietDisk, quiet.files);
		for (let at = 1; at <= quiet.operations() + 1; at++) {
			const disk = memoryDisk();
			const {files} = failingFiles(disk.files, 'EIO', at, 'from then on');
			const {promised} = await work(disk.files, files);
			disk.crash(loss, names);
			await holds(disk.files, promised, `power cut at operation ${at}`);
		}
	},
);

test.each([
	['ENOSPC', 'the disk is full'],
	['EIO', 'the disk reported an I/O error'],
] as const)('a failed append names the cause: %s', async (fault, cause) => {
	const quiet = failingFiles(memoryDisk().files, fault, never, 'once');
	await openJournal({folder, session, files: quiet.files});
	const firstAppend = quiet.operations() + 1;
	const {files} = failingFiles(memoryDisk().files, fault, firstAppend, 'once');
	const journal = await openJournal({folder, session, files});
	const together = await Promise.allSettled(notes(3).map(body => journal.append([body])));
	for (const result of together) {
		expect(result).toMatchObject({
			status: 'rejected',
			reason: {
				kind: 'missing',
				message: `The journal could not be written: ${cause}.`,
				hint: expect.any(String),
			},
		});
	}

	await expect(journal.append([note(4)])).rejects.toThrow(cause);
	await journal.close();
});

test('a sync that failed is not tried again, and what it should have saved is cut off', async () => {
	let syncs = 0;
	const files: JournalFiles = {
		...diskFiles,
		create: async path => ({
			...(await diskFiles.create(path)),
			sync: async () => {
				syncs++;
				if (syncs === 2) {
					throw Object.assign(new Error('injected'), {code: 'EIO'});
				}
			},
		}),
	};
	const position = join(temporaryFolder(), 'journal');
	const journal = await openJournal({folder: position, session, files});
	await expect(journal.append([note(1)])).rejects.toThrow('I/O error');
	await expect(journal.append([note(2)])).rejects.toThrow('I/O error');
	await journal.close();
	expect(syncs).toBe(2);
	await withJournal({folder: position, session}, reopened => {
		expect(reopened.entries).toEqual([]);
	});
});

test('a disk that takes nothing ends in an error, not in a loop', async () => {
	const {files} = memoryDisk();
	const full: JournalFiles = {
		...files,
		create: async path => ({...(await files.create(path)), write: async () => 0}),
	};
	await expect(openJournal({folder, session, files: full})).rejects.toThrow('takes no more bytes');
});

test('a tail that can’t be kept is not cut', async () => {
	const disk = memoryDisk().files;
	await withJournal({folder, session, files: disk}, journal => journal.append(notes(2)));
	await tear(disk);
	const before = await disk.read(join(folder, '000001.ndjson'));
	const files: JournalFiles = {
		...disk,
		create: async path =>
			dirname(path) === '/session/torn'
				? {...(await disk.create(path)), sync: () => Promise.reject(new Error('injected'))}
				: disk.create(path),
	};
	await expect(openJournal({folder, session, files})).rejects.toThrow('injected');
	expect(await disk.read(join(folder, '000001.ndjson'))).toEqual(before);
});
