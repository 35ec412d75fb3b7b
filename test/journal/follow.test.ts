import {
	appendFileSync,
	mkdirSync,
	readFileSync,
	rmSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import {open} from 'node:fs/promises';
import {join} from 'node:path';
import {setImmediate as turn} from 'node:timers/promises';
import {expect, onTestFinished, test, vi} from 'vitest';
import type {JournalEntry} from '../../src/journal/codec.ts';
import {type FollowOptions, followBatches} from '../../src/journal/follow.ts';
import {journalOf, note, noted, notes, session, temporaryFolder, withJournal} from './helpers.ts';

const journalFolder = () => join(temporaryFolder(), 'journal');

/** Follows until so many entries came. */
const take = async (folder: string, count: number, options: FollowOptions = {}) => {
	const taken: JournalEntry[] = [];
	for await (const entries of followBatches(folder, options)) {
		taken.push(...entries);
		if (taken.length >= count) {
			break;
		}
	}

	return taken;
};

test('a follower gets what is there and what comes, across segments', async () => {
	const folder = journalFolder();
	await withJournal({folder, session, segmentBytes: 1000}, async journal => {
		await journal.append(notes(20));
		const following = take(folder, 120);
		for (const body of notes(120).slice(20)) {
			await journal.append([body]);
		}

		expect(await following).toEqual(noted(120));
	});
});

test('a long journal comes piece by piece, however long a line is', async () => {
	const folder = journalFolder();
	const bodies = notes(60).map((body, index) => ({
		...body,
		...(index === 50 ? {text: 'x'.repeat(5000)} : {}),
	}));
	await withJournal({folder, session, segmentBytes: 4000}, journal => journal.append(bodies));
	const batches: number[] = [];
	const taken: JournalEntry[] = [];
	for await (const entries of followBatches(folder, {pieceBytes: 500})) {
		batches.push(entries.length);
		taken.push(...entries);
		if (taken.length === 60) {
			break;
		}
	}

	expect(taken.map(({seq}) => seq)).toEqual(noted(60).map(({seq}) => seq));
	expect(Math.max(...batches)).toBeLessThan(20);
});

test('a follower can be there before the journal', async () => {
	const folder = journalFolder();
	const following = take(folder, 3, {pollMs: 5});
	await turn();
	await withJournal({folder, session}, journal => journal.append(notes(3)));
	expect(await following).toEqual(noted(3));
});

test('a follower that hears nothing from the operating system looks now and then', async () => {
	const folder = journalFolder();
	mkdirSync(folder);
	const elsewhere = await journalOf(2);
	const following = take(folder, 2, {pollMs: 5});
	rmSync(folder, {recursive: true});
	mkdirSync(folder);
	writeFileSync(join(folder, '000001.ndjson'), readFileSync(join(elsewhere, '000001.ndjson')));
	expect(await following).toEqual(noted(2));
});

test('a line is yielded only when it is whole', async () => {
	const whole = await journalOf(10);
	const folder = journalFolder();
	mkdirSync(folder);
	const following = take(folder, 10, {pollMs: 1});
	for (const byte of readFileSync(join(whole, '000001.ndjson'))) {
		appendFileSync(join(folder, '000001.ndjson'), Buffer.of(byte));
		await turn();
	}

	expect(await following).toEqual(noted(10));
});

test('a torn tail that is cut and written over does not disturb a follower', async () => {
	const folder = await journalOf(2);
	appendFileSync(join(folder, '000001.ndjson'), '{"seq":3,"at":"x","kind":"torn');
	const batches = followBatches(folder);
	expect((await batches.next()).value).toEqual(noted(2));
	const third = batches.next();
	await withJournal({folder, session}, journal => journal.append([note(3)]));
	expect((await third).value).toEqual(noted(3).slice(2));
	await batches.return();
});

test('batches hold what is there at once', async () => {
	const folder = await journalOf(40);
	for await (const batch of followBatches(folder)) {
		expect(batch).toEqual(noted(40));
		break;
	}
});

test('an abort ends a follower that waits, and one that doesn’t', async () => {
	const folder = await journalOf(2, {segmentBytes: 10});
	const controller = new AbortController();
	const seen: (readonly JournalEntry[])[] = [];
	for await (const entries of followBatches(folder, {signal: controller.signal})) {
		seen.push(entries);
		controller.abort();
	}

	expect(seen).toEqual([noted(1)]);
	const waiting = new AbortController();
	const batches = followBatches(folder, {signal: waiting.signal, pollMs: 60_000});
	await batches.next();
	await batches.next();
	const next = batches.next();
	await turn();
	waiting.abort();
	expect(await next).toEqual({done: true, value: undefined});
	expect(await take(folder, 1, {signal: AbortSignal.abort()})).toEqual([]);
});

test('a follower says when the journal is damaged', async () => {
	const folder = await journalOf(3);
	const batches = followBatches(folder);
	await batches.next();
	appendFileSync(join(folder, '000001.ndjson'), 'damage\nmore of it\n');
	await expect(batches.next()).rejects.toThrow('damaged in line 5');
});

test('a follower says when a segment was cut short before the next', async () => {
	const folder = await journalOf(2, {segmentBytes: 10});
	const first = join(folder, '000001.ndjson');
	writeFileSync(first, readFileSync(first).subarray(0, -3));
	await expect(take(folder, 2)).rejects.toThrow('cut short');
	rmSync(first);
	await expect(take(folder, 2)).rejects.toThrow('cut short');
});

test.each([
	['taken back', (path: string) => truncateSync(path, 150), 'shorter than what was already read'],
	['removed', (path: string) => rmSync(path), 'could not be read'],
])('a follower says when what it read was %s', async (_, change, reason) => {
	const folder = await journalOf(2);
	const batches = followBatches(folder, {pollMs: 5});
	await batches.next();
	change(join(folder, '000001.ndjson'));
	await expect(batches.next()).rejects.toThrow(reason);
});

test('a follower says when the folder is gone before it has read the next segment', async () => {
	const folder = await journalOf(2, {segmentBytes: 10});
	const batches = followBatches(folder, {pollMs: 5});
	await batches.next();
	rmSync(folder, {recursive: true});
	await expect(batches.next()).rejects.toThrow('could not be read');
});

test('a follower reads on where the disk hands out less than is there', async () => {
	const folder = await journalOf(3, {segmentBytes: 200});
	await using file = await open(join(folder, '000001.ndjson'));
	const handles = Object.getPrototypeOf(file);
	const {read} = handles;
	const inPieces = vi.spyOn(handles, 'read').mockImplementation(function (
		this: unknown,
		bytes,
		from,
		length,
		position,
	) {
		return read.call(this, bytes, from, Math.min(7, Number(length)), position);
	});
	onTestFinished(() => inPieces.mockRestore());
	expect(await take(folder, 3)).toEqual(noted(3));
});
