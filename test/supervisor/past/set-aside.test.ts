import {chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {takeLock} from '../../../src/journal/lock.ts';
import {openJournal} from '../../../src/journal/writer.ts';
import {lastMerged, lastSessionIn, setAsideAt} from '../../../src/supervisor/past/last-session.ts';
import {hasBegun, isStuck, readSession} from '../../../src/supervisor/past/read-session.ts';
import {setAside} from '../../../src/supervisor/past/set-aside.ts';
import {asNobody} from '../../helpers/as-nobody.ts';
import {contents} from '../../journal/helpers.ts';
import {damages, id, stateWithSession} from './damaged-session.ts';

const at = '2026-11-22T00:00:00.000Z';

describe.each(damages)('%s', (_, damage, why) => {
	test('is told with a way out, and the session can be set aside as it lies there', async () => {
		const {home, folder} = await stateWithSession();
		damage(folder.journal);
		const before = contents(folder.path);
		const {events} = await readSession(id, folder);

		const last = await lastSessionIn(home);
		expect(last).toMatchObject({id, fault: {kind: 'refused', message: expect.stringMatching(why)}});
		expect(last?.fault?.hint).toContain(`delegate-tui doctor --set-aside ${id}`);
		expect(isStuck(last)).toBe(true);
		await expect(lastMerged(home)).rejects.toThrow(why);

		expect(await setAside(home, id, at)).toEqual([]);
		const {[folder.setAside]: mark, ...after} = contents(folder.path);
		expect(mark).toBeDefined();
		expect(after).toEqual(before);
		expect(await setAsideAt(folder)).toEqual({at, why: last?.fault?.message});
		expect(await lastSessionIn(home)).toBeUndefined();
		await expect(lastMerged(home)).rejects.toThrow('was set aside');
		expect((await readSession(id, folder)).events).toEqual(events);
	});
});

test('a session whose journal is whole is not set aside', async () => {
	const {home, folder} = await stateWithSession();
	await expect(setAside(home, id, at)).rejects.toMatchObject({
		kind: 'refused',
		message: `The journal of ${id} is whole, so it was not set aside.`,
		hint: expect.stringContaining('delegate-tui stop'),
	});
	expect(existsSync(folder.setAside)).toBe(false);
	expect(isStuck(await lastSessionIn(home))).toBe(false);
});

test('a session that has ended needs not be set aside for a new one to start', async () => {
	const {home, folder} = await stateWithSession();
	const journal = await openJournal({folder: folder.journal, session: id});
	await journal.append([{kind: 'session.ended', status: 'ABORTED', why: 'over', at}]);
	await journal.close();
	await expect(setAside(home, id, at)).rejects.toMatchObject({
		hint: 'the session has ended; a new one can start',
	});
});

test('a mark that can’t be read is a failure, not a session that goes on', async () => {
	const {folder} = await stateWithSession();
	mkdirSync(folder.setAside);
	await expect(setAsideAt(folder)).rejects.toThrow(folder.setAside);
});

test('nothing is set aside while somebody holds the lock', async () => {
	const {home, folder} = await stateWithSession();
	rmSync(join(folder.journal, '000001.ndjson'));
	const lock = takeLock(home.lock);
	await expect(setAside(home, id, at)).rejects.toMatchObject({
		kind: 'refused',
		message: expect.stringContaining('A supervisor is at work'),
	});
	expect(existsSync(folder.setAside)).toBe(false);
	lock?.release();
	await setAside(home, id, at);
	expect(existsSync(folder.setAside)).toBe(true);
});

test('a mark counts whatever somebody wrote into it', async () => {
	const {home, folder} = await stateWithSession();
	writeFileSync(folder.setAside, 'I gave it up.\n');
	expect(await setAsideAt(folder)).toMatchObject({why: 'no reason was recorded'});
	expect(await lastSessionIn(home)).toBeUndefined();
});

test('a journal that may not be read is not damaged', async () => {
	const {home, folder} = await stateWithSession();
	chmodSync(dirname(home.path), 0o755);
	chmodSync(home.path, 0o755);
	chmodSync(folder.path, 0o755);
	chmodSync(folder.journal, 0o755);
	chmodSync(join(folder.journal, '000001.ndjson'), 0o000);
	await asNobody(async () => {
		await expect(lastSessionIn(home)).rejects.toMatchObject({
			kind: 'missing',
			message: expect.stringMatching(/000001\.ndjson could not be read: permission is denied/),
			hint: expect.stringContaining('who owns'),
		});
	});
});

test('an earlier session counts when a later one never began', async () => {
	const {home, folder} = await stateWithSession();
	const later = home.session('DEL-20270101T000000000Z');
	mkdirSync(later.path);
	writeFileSync(later.environments, '{}');
	expect(hasBegun(await readSession('DEL-20270101T000000000Z', later))).toBe(false);
	expect(await lastSessionIn(home)).toMatchObject({id, fault: undefined});

	await (await openJournal({folder: later.journal, session: 'DEL-20270101T000000000Z'})).close();
	expect(await lastSessionIn(home)).toMatchObject({id, folder: {path: folder.path}});
	expect(readFileSync(join(later.journal, '000001.ndjson'), 'utf8')).toMatch(/^\{"journal":1/);
});
