import {appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync} from 'node:fs';
import {expect, onTestFinished, test} from 'vitest';
import type {Body, Event} from '../../../src/events/event.ts';
import {segmentPath} from '../../../src/journal/scan.ts';
import {openJournal} from '../../../src/journal/writer.ts';
import {fold} from '../../../src/state/apply/apply.ts';
import {repositoryFolder} from '../../../src/supervisor/folder.ts';
import {keepCheckpoint, readStateCheckpoint} from '../../../src/supervisor/past/checkpoint.ts';
import {readOn, readSession, readStanding} from '../../../src/supervisor/past/read-session.ts';
import {working} from '../../helpers/given.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

const id = 'DEL-1';
const program = 'this one';

/** A session whose agent has told its progress so often, with the checkpoint that its supervisor kept, and how to go on with it. */
const makeSession = async (times: number) => {
	const folder = repositoryFolder(temporaryFolder(), 'repository').session(id);
	const journal = await openJournal({folder: folder.journal, session: id, segmentBytes: 40_000});
	onTestFinished(journal.close);
	const keep = keepCheckpoint(folder, program);
	const begun = working(['AGT-001']).events();
	const at = begun.at(-1)?.at ?? '';
	let events: readonly Event[] = [];
	const append = async (bodies: readonly (Body & {at: string})[]): Promise<void> => {
		events = [...events, ...(await journal.append(bodies))];
		await keep(fold(events), journal.position());
	};

	const tell = (from: number, to: number) =>
		append(
			Array.from({length: to - from}, (_, index) => ({
				...{at, kind: 'signal.said', agent: 'AGT-001', turn: 1, offset: 0},
				signal: {kind: 'progress', line: 1, phase: 'Work', status: `${from + index}`},
			})),
		);

	await append(begun.map(({seq: _, ...body}) => body));
	for (let from = 0; from < times; from += 100) {
		await tell(from, Math.min(times, from + 100));
	}

	return {folder, tell, state: () => fold(events)};
};

test('a session is read from its checkpoint and what came after it, over segments of its journal', async () => {
	const {folder, tell, state} = await makeSession(1950);
	expect(existsSync(segmentPath(folder.journal, 3))).toBe(true);
	const known = await readStateCheckpoint(folder, program);
	expect(known?.state.seq).toBeGreaterThan(1000);
	expect(known?.state.seq).toBeLessThan(state().seq);
	expect((await readStanding(id, folder, program)).state).toEqual(state());
	await tell(5000, 5001);
	const {state: read, fault} = await readStanding(id, folder, program);
	expect(read).toEqual(state());
	expect(fault).toBeUndefined();
	expect((await readSession(id, folder)).state).toEqual(state());
});

test('a checkpoint with nothing behind it is all that there is to know', async () => {
	const {folder, state} = await makeSession(0);
	const journal = await openJournal({folder: folder.journal, session: id});
	await journal.close();
	await keepCheckpoint(folder, program)({...state(), seq: 1000}, journal.position());
	expect(await readStanding(id, folder, program)).toMatchObject({
		state: {...state(), seq: 1000},
		fault: undefined,
	});
});

test('a short session has no checkpoint, nor has one of a program that can’t be told from others', async () => {
	const {folder, state} = await makeSession(900);
	expect(existsSync(folder.checkpoint)).toBe(false);
	const journal = await openJournal({folder: folder.journal, session: id});
	await journal.close();
	await keepCheckpoint(folder, undefined)({...state(), seq: 5000}, journal.position());
	expect(existsSync(folder.checkpoint)).toBe(false);
	expect(await readStateCheckpoint(folder, program)).toBeUndefined();
});

const doubts: readonly (readonly [
	string,
	(paths: {journal: string; checkpoint: string}) => void,
])[] = [
	[
		'was made by another program',
		({checkpoint}) => edit(checkpoint, text => text.replace(program, 'another one')),
	],
	[
		'tells another state than was written',
		({checkpoint}) => edit(checkpoint, text => text.replace('"phase":"Work"', '"phase":"Rest"')),
	],
	['is cut short', ({checkpoint}) => truncateSync(checkpoint, 500)],
	['is empty', ({checkpoint}) => truncateSync(checkpoint, 0)],
	['is no JSON', ({checkpoint}) => writeFileSync(checkpoint, 'null\nnull')],
	[
		'follows from other bytes of the first segment',
		({journal}) => edit(segmentPath(journal, 1), text => text.replace('AGT-001', 'AGT-002')),
	],
	[
		'follows from a longer first segment',
		({journal}) => appendFileSync(segmentPath(journal, 1), 'x'),
	],
	[
		'follows from a journal that was shorter',
		({journal}) => truncateSync(segmentPath(journal, 2), 9),
	],
];

const edit = (path: string, change: (text: string) => string): void =>
	writeFileSync(path, change(readFileSync(path, 'utf8')));

test.each(doubts)('a checkpoint that %s is not believed', async (_, harm) => {
	const {folder} = await makeSession(1200);
	expect(await readStateCheckpoint(folder, program)).toBeDefined();
	harm(folder);
	expect(await readStateCheckpoint(folder, program)).toBeUndefined();
	const whole = await readSession(id, folder);
	const read = await readStanding(id, folder, program);
	expect(read.state).toEqual(whole.state);
	expect(read.fault?.message).toBe(whole.fault?.message);
});

test('a session that was read before is read on from there, and whole again where it was damaged', async () => {
	const {folder, tell, state} = await makeSession(100);
	const before = await readStanding(id, folder);
	await tell(100, 101);
	expect(await readOn(before)).toMatchObject({state: state(), events: [{seq: state().seq}]});

	const path = segmentPath(folder.journal, 1);
	const whole = readFileSync(path);
	truncateSync(path, 0);
	appendFileSync(path, `damaged\n${whole.toString()}`);
	const damaged = await readStanding(id, folder);
	expect(damaged.fault).toBeDefined();
	writeFileSync(path, whole);
	expect(await readOn(damaged)).toMatchObject({state: state(), fault: undefined});
});
