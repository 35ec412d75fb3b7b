import {describe, expect, it} from 'vitest';
import {bytesText} from '../../src/lib/text/sanitize.ts';
import {noticesOf} from '../../src/rules/notices.ts';
import {statusOf} from '../../src/rules/status.ts';
import {ask, planned, working} from '../helpers/given.ts';
import {supervisorStarted} from '../helpers/happened.ts';

const texts = (session: ReturnType<typeof planned>) =>
	noticesOf(session.state(), {now: session.state().at, zone: 'UTC'}).map(({text}) => text);

describe('what there is to know of the machine', () => {
	it('is nothing while all is well', () => {
		expect(texts(planned(['AGT-001']))).toEqual([]);
	});

	it('is how much space is left, until there is enough again', () => {
		const session = planned(['AGT-001']);
		const space = {free: 200 * 2 ** 20, total: 2 ** 34, folder: '/state'};
		session.tell({kind: 'machine.disk', level: 'full', ...space});
		expect(texts(session)).toEqual([
			'200 MiB left on the disk of /state: agents and commands are paused until there is more.',
		]);
		session.tell({kind: 'machine.disk', level: 'low', ...space, free: 2 ** 29});
		expect(texts(session)).toEqual([
			'512 MiB left on the disk of /state; agents and commands are paused at 256 MiB.',
		]);
		session.tell({kind: 'machine.disk', level: 'enough', ...space, free: 2 ** 33});
		expect(texts(session)).toEqual([]);
	});

	it('is each process that could not be ended, until it is gone', () => {
		const session = planned(['AGT-001']);
		const one = {pid: 11, startTime: 'a', command: 'sleep 9'};
		session.tell({kind: 'machine.survivors', agent: 'AGT-001', processes: [one]});
		session.tell({
			kind: 'machine.survivors',
			agent: null,
			processes: [{...one, pid: 12}],
		});
		expect(texts(session)).toEqual([
			'AGT-001 left a process that still runs: 11 sleep 9',
			'A check left a process that still runs: 12 sleep 9',
		]);
		expect(statusOf(session.state(), () => ({worktree: '', branch: ''})).health.survivors).toEqual([
			{...one, agent: 'AGT-001'},
			{...one, pid: 12, agent: null},
		]);
		session.tell({kind: 'machine.survivors', agent: 'AGT-001', processes: []});
		expect(texts(session)).toHaveLength(1);
	});

	it('is what a move of the target waits for, until it waits no more or another supervisor looks', () => {
		const session = planned(['AGT-001']);
		const waits = {kind: 'machine.waiting'} as const;
		const program = {pid: 12, command: 'git-lfs filter-process'};
		session.tell({...waits, git: {command: 'git merge', program}});
		expect(texts(session)).toEqual([
			'git merge waits for "git-lfs filter-process" (process 12), which your git config names.',
		]);
		session.tell({...waits, git: {command: 'git status', program: null}});
		expect(texts(session)).toEqual(['git status takes long in your repository.']);
		session.tell({...waits, git: null});
		expect(texts(session)).toEqual([]);
		session.tell({...waits, git: {command: 'git merge', program}});
		session.tell(supervisorStarted({pid: 2}));
		expect(texts(session)).toEqual([]);
	});

	it('is what a restart found, until a person decides something', () => {
		const session = planned(['AGT-001']);
		session.tell({
			...supervisorStarted({pid: 2}),
			found: {
				lost: [
					{agent: 'AGT-001', snapshot: 3},
					{agent: 'AGT-002', snapshot: null},
				],
				interrupted: ['check', 'publication', 'undo'],
				ended: [{pid: 1, startTime: 'a', command: 'sleep'}],
				torn: 'torn/000001-9-1.torn',
				missing: [
					{agent: 'AGT-001', what: 'worktree'},
					{agent: 'AGT-001', what: 'git'},
					{agent: 'AGT-001', what: 'snapshots', numbers: [2]},
					{agent: 'AGT-002', what: 'snapshots', numbers: [1, 2]},
				],
			},
		});
		expect(texts(session)).toEqual([
			'The supervisor ended and was started again: AGT-001 resumes from its worktree (last snapshot 3); AGT-002 resumes from its worktree; the check is run again; the merge is looked at and finished; the undo is looked at and finished; 1 leftover process was ended; the end of the journal was torn, and the torn part is kept in torn/000001-9-1.torn; the worktree of AGT-001 was removed and is recreated before it goes on; the git folder of AGT-001 was removed, so its own commits are gone; its files and snapshots are not; snapshot 2 of AGT-001 was removed from the store and can’t be brought back; snapshots 1, 2 of AGT-002 were removed from the store and can’t be brought back.',
		]);
		session.tell(supervisorStarted({pid: 3}));
		expect(texts(session)).toHaveLength(1);
		session.decide('p-1', 'approve');
		expect(texts(session)).toEqual([]);
	});
});

it.each([
	[0, '0 bytes'],
	[1023, '1023 bytes'],
	[1024, '1.0 KiB'],
	[256 * 2 ** 20, '256 MiB'],
	[1.5 * 2 ** 30, '1.5 GiB'],
])('%i bytes are %s', (bytes, words) => {
	expect(bytesText(bytes)).toBe(words);
});

describe('an agent that says nothing any more', () => {
	const turn = {kind: 'turn.changed', agent: 'AGT-001', turn: 1} as const;
	const since = '2026-01-01T10:00:00.000Z';
	const silent = {...turn, to: 'silent', since, during: 'npm test'} as const;
	const silentSince = (session: ReturnType<typeof planned>) =>
		statusOf(session.state(), () => ({worktree: '', branch: ''})).agents[0]?.silentSince;

	it('is told of until it is heard again', () => {
		const session = working(['AGT-001']);
		session.tell(silent);
		const text = 'AGT-001: no word from it since 10:00:00 UTC, in the middle of: npm test.';
		expect(texts(session)).toEqual([text]);
		expect(silentSince(session)).toBe(since);
		session.tell({...turn, to: 'heard'});
		expect(texts(session)).toEqual([]);
		expect(silentSince(session)).toBeNull();
	});

	it('is not missed while it looks for its answer in a file', () => {
		const session = working(['AGT-001']);
		session.says('AGT-001', ask, {by: 'file', file: {id: 'workflow_1_q1', owner: 0}});
		session.tell(silent);
		expect(texts(session)).toEqual([]);
		expect(silentSince(session)).toBeNull();
		session.decide('q-1', 'this');
		expect(silentSince(session)).toBe(since);
	});

	it('is told of no more once its turn has ended', () => {
		const session = working(['AGT-001']);
		session.tell(silent);
		session.ends('AGT-001');
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		expect(texts(session)).toEqual([]);
	});

	it('is not meant by what was told of another turn', () => {
		const session = working(['AGT-001']);
		session.tell({...silent, turn: 7});
		expect(texts(session)).toEqual([]);
	});

	it('may be silent while it is frozen, or waits for an answer', () => {
		const session = working(['AGT-001']);
		const disk = {kind: 'machine.disk', free: 0, total: 1, folder: '/'} as const;
		session.tell(silent, {...disk, level: 'full'});
		expect(texts(session)).toEqual([expect.stringContaining('left on the disk')]);
		session.tell({...disk, level: 'enough'});
		expect(texts(session)).toHaveLength(1);
		session.says('AGT-001', ask);
		session.work();
		expect(session.kinds()).toEqual(['question']);
		expect(texts(session)).toEqual([]);
	});
});
