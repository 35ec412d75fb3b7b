import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {JournalEntry} from '../../src/journal/codec.ts';
import {diskFiles, type JournalFiles} from '../../src/journal/files.ts';
import {readJournal} from '../../src/journal/read.ts';
import {openJournal} from '../../src/journal/writer.ts';
import {fromSeeds} from '../helpers/kept-seeds.ts';
import {note, noted, notes, session, withJournal} from '../journal/helpers.ts';
import {memoryDisk} from '../journal/memory-disk.ts';
import {drawFrom} from './chance.ts';
import {seed, tell, times} from './figures.ts';
import {type Draw, fickleDisk} from './power.ts';

const folder = '/session/journal';
const segment = join(folder, '000001.ndjson');
const count = 200;

/** The bytes of a journal of two hundred entries in one segment. */
const written = async (): Promise<Buffer> => {
	const {files} = memoryDisk();
	await withJournal({folder, session, files}, journal => journal.append(notes(count)));
	return Buffer.from(await files.read(segment));
};

/** A disk that holds nothing but one segment. */
const diskOf = async (bytes: Uint8Array): Promise<JournalFiles> => {
	const {files} = memoryDisk();
	const file = await files.create(segment);
	await file.write(bytes, 0);
	await file.sync();
	await files.syncFolder(folder);
	return files;
};

test('a journal that is cut at any byte has every whole entry, and goes on', async () => {
	const bytes = await written();
	const texts = Array.from({length: count + 1}, (_, whole) => JSON.stringify(noted(whole)));
	let whole = -1;
	for (let length = 0; length <= bytes.length; length++) {
		whole += bytes[length - 1] === 0x0a ? 1 : 0;
		const kept = Math.max(0, whole);
		const files = await diskOf(bytes.subarray(0, length));
		await withJournal({folder, session, files}, async journal => {
			expect(JSON.stringify(journal.entries), `cut at ${length}`).toBe(texts[kept]);
			expect(await journal.append([note(1)])).toMatchObject([{seq: kept + 1}]);
		});
	}

	tell('J', `cuts of a journal of ${count} events, at every byte`, bytes.length + 1);
});

test('no changed bit goes unnoticed', async () => {
	const bytes = await written();
	const flips = times({part: 2000, deep: 100_000});
	await fromSeeds('flipped bits', seed, from => flipBits(bytes, flips, drawFrom(from)));
	tell('J', 'flipped bits in a journal', flips);
});

const flipBits = async (bytes: Buffer, flips: number, draw: Draw): Promise<void> => {
	const lastLine = bytes.lastIndexOf(0x0a, -2) + 1;
	for (let flip = 0; flip < flips; flip++) {
		const at = draw(bytes.length - 1);
		const changed = Buffer.from(bytes);
		changed[at] = (bytes[at] ?? 0) ^ (1 << draw(8));
		const files: JournalFiles = {
			...diskFiles,
			list: async () => ['000001.ndjson'],
			read: async () => changed,
		};
		const {entries, end} = await readJournal(folder, files);
		expect(end.kind, `byte ${at}`).toBe(at < lastLine - 1 ? 'corrupt' : 'torn');
		expect(entries, `byte ${at}`).toEqual(noted(entries.length));
	}
};

/** Opens a journal three times and appends to it across segments, until the power goes. */
const work = async (files: JournalFiles): Promise<readonly JournalEntry[]> => {
	const promised: JournalEntry[] = [];
	try {
		for (const first of [0, 8, 16]) {
			const journal = await openJournal({folder, session, segmentBytes: 900, files});
			for (const body of notes(24).slice(first, first + 8)) {
				promised.push(...(await journal.append([body, body])));
			}

			await journal.close();
		}
	} catch {
		// The power is gone; what counts is what was promised before.
	}

	return promised;
};

test('a journal has what it promised, wherever the power went and whatever the disk forgot', async () => {
	const quiet = fickleDisk(Number.POSITIVE_INFINITY);
	expect(await work(quiet.files)).toHaveLength(48);
	const total = quiet.operations();
	const losses = times({part: 100, deep: 2000});
	await fromSeeds('power losses', seed, from => losePower(losses, total, drawFrom(from)));
	tell('J', 'power losses of a disk that forgets and reorders', losses);
});

const losePower = async (losses: number, total: number, draw: Draw): Promise<void> => {
	for (let loss = 0; loss < losses; loss++) {
		const cutAt = 1 + (loss % total);
		const disk = fickleDisk(cutAt);
		const promised = await work(disk.files);
		disk.restart(draw);
		await withJournal({folder, session, files: disk.files}, async journal => {
			const found = journal.entries.slice(0, promised.length);
			expect(JSON.stringify(found), `power cut at ${cutAt}, loss ${loss}`).toBe(
				JSON.stringify(promised),
			);
			expect(await journal.append([note(1)])).toMatchObject([{seq: journal.entries.length + 1}]);
		});
	}
};
