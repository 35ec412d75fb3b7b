import {cpSync, readdirSync, readFileSync, renameSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import type {Resource} from '../../src/client/model.ts';
import {readRecording} from '../../src/client/recording.ts';
import {fetchResource, keyText} from '../../src/client/resources/resources.ts';
import {createReplayStore} from '../../src/client/store/replay-store.ts';
import {connect} from '../../src/control/send.ts';
import type {Subject} from '../../src/control/subject.ts';
import {collectGarbage, unpinAll} from '../../src/git/store/pinned.ts';
import {takeLock} from '../../src/journal/lock.ts';
import {findRecordedWork, showRecorded} from '../../src/supervisor/show/show-recorded.ts';
import {agent} from '../helpers/plan-file.ts';
import {temporaryFolder} from '../helpers/repository.ts';
import {type Session, startSession} from '../helpers/session.ts';
import {keys, openProgram} from '../helpers/terminal.ts';
import {startCollision} from './collision.ts';

/** Folder of the repository in the state folder. */
const homeOf = ({folder}: Session): string => dirname(folder.path);

/** Fetches from the supervisor itself, while it is there. */
const shownLive = async (session: Session, what: Subject): Promise<Resource> => {
	const control = await connect(readFileSync(join(homeOf(session), 'socket'), 'utf8'));
	try {
		return await fetchResource(control.request, what);
	} finally {
		control.close();
	}
};

/** Plays a session up to an event, and waits for what is wanted there. */
const replayed = async (path: string, at: number, what: Subject): Promise<Resource> => {
	const work = await findRecordedWork(path);
	if (work === undefined) {
		throw new Error(`There is no work beside ${path}.`);
	}

	const store = createReplayStore({
		recording: await readRecording(path),
		at,
		speed: 1,
		playing: false,
		show: (state, parts) => showRecorded(work, state, parts),
	});
	const key = {what, state: 'now'};
	try {
		return await new Promise(resolve => {
			store.subscribe(() => {
				const resource = store.model().resources[keyText(key)];
				if (resource !== undefined && resource.phase !== 'loading') {
					resolve(resource);
				}
			});
			store.want([key]);
		});
	} finally {
		store.close();
	}
};

const outcome = (choice: string): Subject => ({of: 'outcome', item: 'c-1', choice});

/** What lies in a folder, byte for byte; a lock is not to be opened. */
const contentOf = (folder: string): readonly (readonly [string, string])[] =>
	readdirSync(folder, {recursive: true, withFileTypes: true})
		.filter(entry => entry.isFile() && !entry.name.startsWith('lock.sqlite'))
		.map(entry => join(entry.parentPath, entry.name))
		.sort()
		.map(path => [path, readFileSync(path, 'latin1')]);

test('a session is played again with every diff that its supervisor showed, and nothing is written', async () => {
	const {session: started, conflict} = await startCollision();
	await using session = started;
	const live: (readonly [at: number, what: Subject, resource: Resource])[] = [];
	const look = async (...whats: readonly Subject[]): Promise<void> => {
		for (const what of whats) {
			live.push([session.state().seq, what, await shownLive(session, what)]);
		}
	};

	await session.event('merge.blocked');
	await look(
		{of: 'work', agent: 'AGT-001'},
		{of: 'side', item: 'c-1', side: 'a'},
		{of: 'side', item: 'c-1', side: 'b'},
		outcome('choose-one:AGT-002'),
	);
	await session.answer(conflict, 'choose-one:AGT-002');
	await session.item('approval');
	await look({of: 'result'});
	const [approvalSeq = 0, , result] = live.at(-1) ?? [];
	expect(await replayed(session.folder.path, approvalSeq, {of: 'result'})).toEqual(result);
	await session.approve();
	await session.gone();
	expect(live.map(([, , {phase}]) => phase)).toEqual(Array(5).fill('ready'));

	const before = contentOf(homeOf(session));
	const lock = takeLock(join(homeOf(session), 'lock.sqlite'));
	expect(lock).toBeDefined();
	for (const [at, what, resource] of live) {
		expect([what, await replayed(session.folder.path, at, what)]).toEqual([what, resource]);
	}

	const [at = 0] = live[0] ?? [];
	// Nobody has looked at this one, so nothing that it is made from is there yet.
	expect(await replayed(session.folder.path, at, outcome('choose-one:AGT-001'))).toMatchObject({
		phase: 'ready',
		lines: expect.arrayContaining(['-base', '+left']),
	});
	expect(await replayed(session.folder.journal, at, {of: 'result'})).toEqual({
		phase: 'failed',
		why: 'There is no result to show yet.',
	});
	const hunks = {of: 'hunks', item: 'c-1'} as const;
	expect(await replayed(session.folder.path, at, hunks)).toMatchObject({
		phase: 'failed',
		why: expect.stringContaining('was not recorded'),
	});
	lock?.release();
	expect(contentOf(homeOf(session))).toEqual(before);
});

/** A session of one agent that was merged, and the events at which its items waited. */
const merged = async () => {
	const session = await startSession({agents: [agent('edits.sh', ['src/one.txt', 'first line'])]});
	await session.item('review');
	const review = session.state().seq;
	await session.accept('AGT-001');
	await session.item('approval');
	const approval = session.state().seq;
	await session.approve();
	await session.gone();
	return {session, review, approval};
};

test('the screen shows what was reviewed and approved, from the folder of the session', async () => {
	const {session: ended, review, approval} = await merged();
	await using session = ended;
	for (const [at, item] of [
		[review, 'r-1'],
		[approval, 'a-1'],
	] as const) {
		const words = ['watch', session.folder.path, '--at', `${at}`];
		using terminal = openProgram(session.project, words, {rows: 40});
		await terminal.until(`⏎ ${item}`);
		await terminal.typeUntil(keys.enter, '+ first line');
		expect(terminal.written()).not.toContain('does not hold it');
		terminal.type('q');
		expect(await terminal.exits()).toBe(0);
	}
});

test('what is gone is told by what took it away', async () => {
	const {session: ended, review} = await merged();
	await using session = ended;
	const {path} = session.folder;
	const store = {gitDir: join(homeOf(session), 'store.git')};
	const why = async (): Promise<string> => {
		const resource = await replayed(path, review, {of: 'work', agent: 'AGT-001'});
		return resource.phase === 'failed' ? resource.why : resource.phase;
	};

	expect(await why()).toBe('ready');
	const {root} = session.project;
	renameSync(root, `${root}-moved`);
	expect(await why()).toContain(`the repository ${root} was moved or removed`);
	renameSync(`${root}-moved`, root);

	const copy = join(temporaryFolder(), session.id);
	cpSync(path, copy, {recursive: true});
	expect(await findRecordedWork(copy)).toBeUndefined();

	await unpinAll(store, `refs/delegate/${session.id}`);
	expect(await why()).toBe('ready');
	await collectGarbage(store, new Date(Date.now() + 60_000));
	expect(await why()).toContain(`The snapshots of ${session.id} are gone`);

	rmSync(store.gitDir, {recursive: true});
	expect(await why()).toContain(`is gone: there is no ${store.gitDir}`);
});
