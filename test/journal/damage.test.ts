import {
	cpSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {diskFiles} from '../../src/journal/files.ts';
import {readJournal} from '../../src/journal/read.ts';
import {openJournal} from '../../src/journal/writer.ts';
import {
	contents,
	journalOf,
	note,
	noted,
	session,
	temporaryFolder,
	withJournal,
} from './helpers.ts';

const count = 50;

/** A journal of fifty entries in one segment, and how many of them stand before each byte. */
const written = async () => {
	const folder = await journalOf(count);
	const path = join(folder, '000001.ndjson');
	const bytes = readFileSync(path);
	const wholeBefore = (end: number) => {
		const lines = bytes.subarray(0, end).toString('latin1').split('\n').length - 1;
		return Math.max(0, lines - 1);
	};

	const lastLine = bytes.lastIndexOf(0x0a, -2) + 1;
	return {folder, path, bytes, wholeBefore, lastLine};
};

/** The entries of a journal that has the first so many of the fifty. */
const texts = Array.from({length: count + 1}, (_, whole) => JSON.stringify(noted(whole)));

/** Reads a journal of one segment that is only in memory. */
const readBytes = (bytes: Uint8Array) =>
	readJournal('/journal', {
		...diskFiles,
		list: async () => ['000001.ndjson'],
		read: async () => bytes,
	});

test('a file cut at any byte keeps every whole entry, and goes on', async () => {
	const {folder, path, bytes, wholeBefore} = await written();
	for (let length = 0; length < bytes.length; length++) {
		const cut = bytes.subarray(0, length);
		const whole = wholeBefore(length);
		const isWhole = bytes[length - 1] === 0x0a;
		const {entries, end} = await readBytes(cut);
		expect(JSON.stringify(entries), `cut at ${length}`).toBe(texts[whole]);
		expect(end.kind, `cut at ${length}`).toBe(isWhole ? 'whole' : 'torn');
		if (length % 97 === 0 || length < 75) {
			writeFileSync(path, cut);
			await goesOn(folder, whole);
		}
	}
});

test('a tail of zeros of any length is torn', async () => {
	const {folder, path, bytes} = await written();
	const half = bytes.subarray(0, bytes.lastIndexOf(0x0a, -2) + 30);
	for (const zeros of [1, 2, 17, 511, 512, 513, 4095, 4096, 70_000]) {
		for (const [start, whole] of [
			[bytes, count],
			[half, count - 1],
		] as const) {
			writeFileSync(path, Buffer.concat([start, Buffer.alloc(zeros)]));
			expect((await readJournal(folder)).end.kind).toBe('torn');
			await goesOn(folder, whole);
		}
	}
});

test('no changed bit goes unnoticed, and what stands before it can still be read', async () => {
	const {bytes, wholeBefore, lastLine} = await written();
	for (let index = 0; index < bytes.length; index++) {
		const changed = Buffer.from(bytes);
		changed[index] = (bytes[index] ?? 0) ^ (1 << (index % 8));
		const {entries, end} = await readBytes(changed);
		expect(JSON.stringify(entries), `byte ${index}`).toBe(texts[wholeBefore(index)]);
		expect(end.kind, `byte ${index}`).toBe(index >= lastLine - 1 ? 'torn' : 'corrupt');
	}
});

test('a last line with a hole in it is torn, although it has its newline', async () => {
	const {folder, path, bytes, lastLine} = await written();
	for (const hole of [1, 20, bytes.length - lastLine - 1]) {
		writeFileSync(path, Buffer.from(bytes).fill(0, lastLine, lastLine + hole));
		await goesOn(folder, count - 1);
		expect(readdirSync(join(dirname(folder), 'torn'))).not.toEqual([]);
	}
});

test('the writer refuses what the reader calls damaged', async () => {
	const {folder, path, bytes, lastLine} = await written();
	for (let index = 0; index < lastLine - 1; index += 101) {
		const changed = Buffer.from(bytes);
		changed[index] = (bytes[index] ?? 0) ^ 1;
		writeFileSync(path, changed);
		await expect(openJournal({folder, session})).rejects.toMatchObject({kind: 'refused'});
		expect(readFileSync(path).equals(changed)).toBe(true);
		expect(existsSync(join(dirname(folder), 'torn'))).toBe(false);
	}
});

test.each([
	[
		'a missing segment',
		(folder: string) => rmSync(join(folder, '000002.ndjson')),
		'the segment is missing',
	],
	[
		'a missing first segment',
		(folder: string) => rmSync(join(folder, '000001.ndjson')),
		'the segment is missing',
	],
	[
		'an older segment that is cut',
		(folder: string) => shorten(join(folder, '000002.ndjson')),
		'the segment is cut short',
	],
	[
		'an older segment that is empty',
		(folder: string) => writeFileSync(join(folder, '000002.ndjson'), ''),
		'the segment is cut short',
	],
	[
		'a segment in the place of another',
		(folder: string) => cpSync(join(folder, '000002.ndjson'), join(folder, '000003.ndjson')),
		'it is the header of segment 2',
	],
	[
		'an older segment without its last entry',
		(folder: string) => dropLastLine(join(folder, '000001.ndjson')),
		'the segment starts with entry',
	],
])('%s is damage, not a torn tail', async (_, damage, reason) => {
	const folder = await journalOf(30, {segmentBytes: 1000});
	damage(folder);
	const before = contents(dirname(folder));
	await expect(openJournal({folder, session})).rejects.toMatchObject({
		kind: 'refused',
		message: expect.stringContaining(reason),
	});
	expect(contents(dirname(folder))).toEqual(before);
	const {entries} = await readJournal(folder);
	expect(entries).toEqual(noted(entries.length));
});

test('a segment of another session is damage', async () => {
	const [folder = '', other = ''] = ['DEL-1', 'DEL-2'].map(() =>
		join(temporaryFolder(), 'journal'),
	);
	for (const [position, name] of [
		[folder, 'DEL-1'],
		[other, 'DEL-2'],
	] as const) {
		await withJournal({folder: position, session: name, segmentBytes: 10}, async journal => {
			await journal.append([note(1)]);
			await journal.append([note(2)]);
		});
	}

	cpSync(join(other, '000002.ndjson'), join(folder, '000002.ndjson'));
	expect((await readJournal(folder)).end).toEqual({
		kind: 'corrupt',
		segment: 2,
		line: 1,
		reason: 'the segment belongs to session DEL-2',
	});
});

test('reading where there is no journal says so', async () => {
	const folder = temporaryFolder();
	await expect(readJournal(folder)).rejects.toMatchObject({kind: 'missing'});
	await expect(readJournal(join(folder, 'none'))).rejects.toMatchObject({kind: 'missing'});
	mkdirSync(join(folder, '000001.ndjson'));
	await expect(readJournal(folder)).rejects.toMatchObject({kind: 'refused'});
});

const goesOn = async (folder: string, whole: number): Promise<void> => {
	await withJournal({folder, session}, async journal => {
		expect(journal.entries).toEqual(noted(whole));
		expect(await journal.append([note(whole + 1)])).toEqual(noted(whole + 1).slice(whole));
	});
	expect(await readJournal(folder)).toMatchObject({
		entries: noted(whole + 1),
		end: {kind: 'whole'},
	});
};

const shorten = (path: string): void => writeFileSync(path, readFileSync(path).subarray(0, -5));

const dropLastLine = (path: string): void =>
	writeFileSync(path, readFileSync(path, 'utf8').replace(/[^\n]*\n$/, ''));
