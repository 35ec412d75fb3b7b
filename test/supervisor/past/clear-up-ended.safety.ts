import {appendFileSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {Body} from '../../../src/events/event.ts';
import {groupsContainment} from '../../../src/lib/process/containment.ts';
import {repositoryFolder} from '../../../src/supervisor/folder.ts';
import {readSession} from '../../../src/supervisor/past/read-session.ts';
import {clearUpEnded, withEndedSession} from '../../../src/supervisor/supervise.ts';
import type {StartParts} from '../../../src/supervisor/world.ts';
import {makeInterrupted, stage} from '../../git/target/interrupted-world.ts';
import {accepted} from '../../helpers/given.ts';
import {supervisorStarted} from '../../helpers/happened.ts';
import {pictureOf} from '../../helpers/kill-points.ts';
import {build, refuse, verify} from '../../helpers/merging.ts';
import {temporaryFolder, write} from '../../helpers/repository.ts';

const id = 'DEL-20260101T000000000Z';

type InterruptedMove = Awaited<ReturnType<typeof makeInterrupted>>;

/** What a session told whose publication was cut off and that was stopped then, before what it left could be taken back. */
const toldOf = ({from, to, root}: InterruptedMove): readonly Body[] => {
	const given = accepted(['AGT-001'], {settings: {docs: false}});
	build(given, to, from);
	verify(given, true, to);
	given.decide('a-1', 'approve');
	given.tell(supervisorStarted({pid: 2}));
	refuse(given, 'interrupted', to);
	given.ask({kind: 'stop'});
	const left = {message: 'Something was in the way.', hint: 'Look at it.'};
	given.tell({kind: 'machine.interrupted', left});
	return given
		.events()
		.map(
			({at: _, seq: __, ...body}): Body =>
				body.kind === 'session.started' ? {...body, repository: {id: 'repository', root}} : body,
		);
};

/** The next supervisor of a repository, where files and index of a merge were left by the session that ended last. */
const makeLeft = async () => {
	const interrupted = await makeInterrupted();
	const {repository, store} = interrupted;
	await stage(interrupted);
	const logged: string[] = [];
	const parts: StartParts = {
		...{repository, store, version: '0', program: [], containment: groupsContainment('a test')},
		folder: repositoryFolder(temporaryFolder(), repository.id),
		log: message => {
			logged.push(message);
		},
		requireLock: () => {},
	};
	const folder = parts.folder.session(id);
	await withEndedSession(parts, id, ({append}) => append(toldOf(interrupted)));
	const read = () => readSession(id, folder);
	const {events, state} = await read();
	expect(state.session?.ended).toBeDefined();
	return {...interrupted, parts, logged, folder, read, told: events.length};
};

describe('what a publication that was cut off left when its session ended', () => {
	test('is taken back by the next supervisor, once', async () => {
		const {root, before, parts, logged, read, told} = await makeLeft();
		expect(pictureOf(root)).not.toBe(before);
		await clearUpEnded(parts);
		expect(pictureOf(root)).toBe(before);
		const {events, state} = await read();
		expect(events.slice(told)).toMatchObject([{kind: 'machine.interrupted', left: null}]);
		expect(state.interrupted).toEqual([]);

		write(root, {'untracked.txt': 'mine still\n'});
		await clearUpEnded(parts);
		expect((await read()).events).toHaveLength(told + 1);
		expect(logged).toEqual([]);
	});

	test('is told where it can’t be told from the person’s own, and is news only once', async () => {
		const {root, parts, logged, read, told} = await makeLeft();
		write(root, {'src/1.txt': 'my own\n'});
		const found = pictureOf(root);
		await clearUpEnded(parts);
		await clearUpEnded(parts);
		expect(pictureOf(root)).toBe(found);
		const {events, state} = await read();
		expect(events.slice(told)).toMatchObject([
			{kind: 'machine.interrupted', left: {message: expect.stringContaining('src/1.txt')}},
		]);
		expect(state.interrupted).toHaveLength(1);
		expect(logged).toEqual([
			expect.stringContaining('src/1.txt'),
			expect.stringContaining('src/1.txt'),
		]);
	});

	test('is told where a command of the person’s is at work, which is about no file of theirs', async () => {
		const {root, parts, read} = await makeLeft();
		write(root, {'.git/index.lock': ''});
		await clearUpEnded(parts);
		const {notCleared} = (await read()).state;
		expect(notCleared?.message).toContain('index.lock exists');
		expect(notCleared?.message).not.toContain('src/1.txt');
	});

	test('stays where a later session goes on', async () => {
		const left = await makeLeft();
		const {root, parts, logged} = left;
		const found = pictureOf(root);
		const later = 'DEL-99990101T000000000Z';
		const lasting = toldOf(left).filter(({kind}) => kind !== 'session.ended');
		await withEndedSession(parts, later, ({append}) => append(lasting));
		await clearUpEnded(parts);
		expect(pictureOf(root)).toBe(found);
		expect(logged).toEqual([]);
	});

	test('stays where the journal of that session is damaged, which is for others to tell', async () => {
		const {root, parts, logged, folder} = await makeLeft();
		const found = pictureOf(root);
		appendFileSync(join(folder.journal, '000001.ndjson'), 'no\nentries\n');
		await clearUpEnded(parts);
		expect(pictureOf(root)).toBe(found);
		expect(logged).toEqual([]);
	});
});

test('what keeps an earlier session from being looked at is logged, and keeps nobody from starting', async () => {
	const {parts, logged, folder} = await makeLeft();
	mkdirSync(join(folder.journal, '000002.ndjson'));
	await clearUpEnded(parts);
	expect(logged).toEqual([expect.stringMatching(/could not be examined: .*000002\.ndjson/)]);
});

test('a move that no journal tells of is taken back by the next supervisor', async () => {
	const {root, before, parts, logged} = await makeLeft();
	const elsewhere = {...parts, folder: repositoryFolder(temporaryFolder(), parts.repository.id)};
	await clearUpEnded(elsewhere);
	expect(pictureOf(root)).toBe(before);
	expect(logged).toEqual([]);
});
