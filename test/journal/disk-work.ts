import {join} from 'node:path';
import {expect} from 'vitest';
import type {JournalEntry} from '../../src/journal/codec.ts';
import type {JournalFiles} from '../../src/journal/files.ts';
import {readIfThere} from '../../src/journal/read.ts';
import {openJournal} from '../../src/journal/writer.ts';
import type {Fault} from './failing-files.ts';
import {note, notes, session, withJournal} from './helpers.ts';

export const folder = '/session/journal';
export const faults: readonly Fault[] = [
	'ENOSPC',
	'EIO',
	'short write',
	'error after a short write',
	'sync EIO',
];
export const durations = ['once', 'from then on'] as const;

/**
Opens a journal twice, with a torn tail in between, and appends to it across segments.

Every append is tried although one before it failed, because a journal that broke must not promise anything more.
*/
export const work = async (disk: JournalFiles, files: JournalFiles) => {
	const promised: JournalEntry[] = [];
	const failures: unknown[] = [];
	for (const first of [0, 8]) {
		try {
			const journal = await openJournal({folder, session, segmentBytes: 700, files});
			const failed = failures.length;
			for (const body of notes(16).slice(first, first + 8)) {
				const isBroken = failures.length > failed;
				const result = await settle(journal.append([body, body]));
				if (result.status === 'rejected') {
					failures.push(result.reason);
				} else {
					promised.push(...(isBroken ? [neverToBePromised] : result.value));
				}
			}

			await journal.close();
		} catch (error) {
			failures.push(error);
		}

		if (failures.length === 0) {
			await tear(disk);
		}
	}

	return {promised, failures};
};

/** No journal holds it, so that a promise after a failure counts as one that was broken. */
const neverToBePromised: JournalEntry = {seq: 0, at: '', kind: 'promised after a failure'};

const settle = async <Value>(promise: Promise<Value>): Promise<PromiseSettledResult<Value>> => {
	const [result] = await Promise.allSettled([promise]);
	return result;
};

export const tear = async (disk: JournalFiles): Promise<void> => {
	const names = await disk.list(folder);
	const path = join(folder, names.toSorted().at(-1) ?? '');
	const {length} = await disk.read(path);
	const file = await disk.open(path);
	await file.write(Buffer.from('{"seq":'), length);
};

/** What the promise is: whatever happened, the journal opens again and has every promised entry in its place. */
export const holds = async (
	disk: JournalFiles,
	promised: readonly JournalEntry[],
	where: string,
): Promise<void> => {
	const reading = await readIfThere(folder, disk);
	expect(['whole', 'torn'], where).toContain(reading?.end.kind ?? 'whole');
	await withJournal({folder, session, files: disk}, async journal => {
		const bySeq = new Map(journal.entries.map(entry => [entry.seq, entry]));
		const found = promised.map(entry => bySeq.get(entry.seq));
		expect(JSON.stringify(found), where).toBe(JSON.stringify(promised));
		const [next] = await journal.append([note(1)]);
		expect(next?.seq, where).toBe(journal.entries.length + 1);
	});
};
