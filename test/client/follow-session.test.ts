import {appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {followSession} from '../../src/client/follow-session.ts';
import {segmentPath} from '../../src/journal/scan.ts';
import {fold} from '../../src/state/apply/apply.ts';
import {temporaryFolder} from '../helpers/repository.ts';
import {recorded} from '../tui/a-screen.ts';

const fixture = join(import.meta.dirname, '../../fixtures/journals/questions-and-checkpoints');
const lines = readFileSync(segmentPath(fixture, 1), 'utf8').split(/(?<=\n)/);
/** The first lines of the journal, up to an event; before the events stands what the file is. */
const upTo = (seq: number): string => lines.slice(0, seq + 1).join('');

/** A session of which the first ten events are in the journal, and a reader that has read them. */
const following = async () => {
	const folder = join(temporaryFolder(), 'session');
	const journal = join(folder, 'journal');
	const file = segmentPath(journal, 1);
	mkdirSync(journal, {recursive: true});
	writeFileSync(file, upTo(10));
	const closing = new AbortController();
	onTestFinished(() => closing.abort());
	const progress = followSession(journal, closing.signal);
	const next = async () => (await progress.next()).value;
	return {folder, file, next, closing, first: await next()};
};

test('a reader gets the events that came together, and the state after them', async () => {
	const {file, next, first} = await following();
	const events = await recorded('questions-and-checkpoints');
	expect(first).toEqual({
		events: events.slice(0, 10),
		state: fold(events.slice(0, 10)),
		restarted: false,
	});
	appendFileSync(file, lines[11] ?? '');
	expect(await next()).toEqual({
		events: events.slice(10, 11),
		state: fold(events.slice(0, 11)),
		restarted: false,
	});
});

test('a reader starts over when a writer took back what was not safe on the disk', async () => {
	const {file, next} = await following();
	const events = await recorded('questions-and-checkpoints');
	writeFileSync(file, upTo(5));
	expect(await next()).toEqual({
		events: events.slice(0, 5),
		state: fold(events.slice(0, 5)),
		restarted: true,
	});
});

test('a reader is told when the folder of the session is gone', async () => {
	const {folder, next} = await following();
	rmSync(folder, {recursive: true});
	await expect(next()).rejects.toMatchObject({
		kind: 'missing',
		message: `The session’s folder ${folder} is gone, so it can’t be followed.`,
	});
});

test('a reader is told when the journal is gone from the folder', async () => {
	const {file, next} = await following();
	rmSync(file);
	await expect(next()).rejects.toMatchObject({
		kind: 'missing',
		message: `The journal in ${dirname(file)} is gone, so it can’t be followed.`,
	});
});

test('a reader is told when the journal is damaged', async () => {
	const {file, next} = await following();
	appendFileSync(file, `no line of a journal\n${lines[11]}`);
	expect(await next()).toMatchObject({restarted: true, state: {seq: 10}});
	await expect(next()).rejects.toMatchObject({
		kind: 'refused',
		message: expect.stringContaining('is damaged'),
	});
});

test('a reader that is no longer wanted ends without an error', async () => {
	const {next, closing} = await following();
	closing.abort();
	expect(await next()).toBeUndefined();
});
