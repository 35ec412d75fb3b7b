import {describe, expect, it} from 'vitest';
import {inbox} from '../../src/rules/inbox.ts';
import {
	ask,
	checkpoint,
	type Given,
	parked,
	report,
	saying,
	starting,
	stopWork,
	working,
} from '../helpers/given.ts';
import {subtask} from '../helpers/plan.ts';
import {workspacePrepared} from '../helpers/quiet-outcome.ts';
import {waitedMs} from '../helpers/waited.ts';

const banner = checkpoint('Status: IN_PROGRESS\nProgress: 60%');
const stdin = subtask('AGT-001', {
	agent: {protocol: 'text', command: ['agent'], reply: 'stdin'},
});

/** How long it is until then. */
const waitOf = (session: Given, start: string): number =>
	waitedMs(session.state().awake, session.timer(start)?.at);

describe('first starts', () => {
	const three = ['AGT-001', 'AGT-002', 'AGT-003'];

	const starts = (session: Given) => session.keys().filter(key => key.startsWith('start:'));

	it('follow the order of the plan, whichever worktree is made first', () => {
		const session = starting(three);
		session.tell(workspacePrepared('AGT-003'));
		expect(starts(session)).toEqual([]);
		session.tell(workspacePrepared('AGT-001'));
		expect(starts(session)).toEqual([expect.stringContaining('AGT-001')]);
		session.tell(workspacePrepared('AGT-002'));
		expect(starts(session).map(key => key.match(/AGT-\d+/)?.[0])).toEqual(three);
	});

	it('wait for nobody whose worktree could not be made, or who was given up', () => {
		const session = starting(three);
		session.tell(workspacePrepared('AGT-003'));
		session.fails('prepare:AGT-001', 'no room', false);
		expect(starts(session)).toEqual([]);
		session.fails('prepare:AGT-002', 'no room');
		expect(starts(session)).toEqual([expect.stringContaining('AGT-003')]);
	});
});

describe('a start that takes long', () => {
	it('is asked about after a minute, and again a minute after a person gave it more time', () => {
		const session = starting(['AGT-001']);
		const {since} = session.agent('AGT-001');
		expect(waitedMs(since, session.timer('start:')?.at)).toBe(60_000);
		session.pass('start:');
		expect(session.state().items).toMatchObject([{id: 'l-1', kind: 'limit', of: 'start'}]);
		expect(session.timer('start:')).toBeUndefined();
		const nightMs = 8 * 3_600_000;
		session.wait(nightMs);
		session.decide('l-1', 'extend');
		expect(waitOf(session, 'start:')).toBe(60_000);
		expect(session.stateOf('AGT-001')).toBe('SPAWNING');
	});

	it('names what it waits for: its worktree, then its program', () => {
		const session = starting(['AGT-001']);
		session.pass('start:');
		expect(inbox(session.state())[0]?.title).toContain('its worktree is being made');
		session.tell(workspacePrepared('AGT-001'));
		expect(inbox(session.state())[0]?.title).toContain('its program is starting');
	});

	it('goes on by itself, and the question is gone', () => {
		const session = starting(['AGT-001']);
		session.pass('start:');
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		expect(session.state().items).toEqual([]);
		expect(session.keys()).toEqual([]);
	});

	it('can be given up', () => {
		const session = starting(['AGT-001']);
		session.pass('start:');
		session.decide('l-1', 'abort');
		expect(session.stateOf('AGT-001')).toBe('ABORTED');
	});

	it('is no matter any more once its agent was given up, however long its last work takes to be pinned', () => {
		const session = working(['AGT-001']);
		session.tell({kind: 'turn.ended', agent: 'AGT-001', turn: 1, end: {by: 'exit', code: 1}});
		session.fails('snapshot:');
		session.decide('f-1', 'retry');
		expect(session.stateOf('AGT-001')).toBe('SPAWNING');
		expect(session.timer('start:')).toBeDefined();
		session.ask({kind: 'stop'});
		expect(session.stateOf('AGT-001')).toBe('SPAWNING');
		expect(session.timer('start:')).toBeUndefined();
	});
});

describe('a text agent that wants a reply', () => {
	it('has ten seconds to exit, then its turn is ended, and that is no failure', () => {
		const session = saying(ask);
		expect(waitOf(session, 'grace:')).toBe(10_000);
		expect(session.keys()).toEqual([]);
		session.pass('grace:');
		expect(session.keys()).toEqual(['end-turn:AGT-001:1']);
		expect(session.timer('grace:')).toBeUndefined();
		session.work();
		expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
	});

	it('has ten seconds counted from the first such word, not from the last', () => {
		const session = saying(ask);
		const first = session.timer('grace:');
		session.says('AGT-001', stopWork);
		expect(session.timer('grace:')).toEqual(first);
	});

	it('is parked when it exits with 0, and started again with the reply', () => {
		const session = parked();
		expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
		expect(session.owed()).toEqual({events: [], effects: [], timers: []});
		session.decide('q-1', '8080');
		expect(session.owed().effects).toEqual([
			{
				key: {do: 'start', agent: 'AGT-001', turn: 2},
				do: 'start',
				agent: 'AGT-001',
				turn: 2,
				prompt: 'resume',
			},
		]);
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		expect(session.agent('AGT-001').replies).toEqual([]);
	});

	it('is not started again before its turn is over and snapshotted', () => {
		const session = saying(ask);
		session.decide('q-1', '8080');
		expect(session.keys()).toEqual([]);
		session.tell({kind: 'turn.ended', agent: 'AGT-001', turn: 1, end: {by: 'exit', code: 0}});
		expect(session.keys()).toEqual(['snapshot:AGT-001:exit:1']);
		session.work();
		expect(session.agent('AGT-001').turn).toMatchObject({phase: 'live', number: 2});
	});

	it('fails all the same when it exits with anything but 0, whichever is seen first', () => {
		for (const snapshotFirst of [true, false]) {
			const session = saying(stopWork);
			if (snapshotFirst) {
				session.work();
				expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
			}

			session.ends('AGT-001', {by: 'exit', code: 3}, 'boom');
			session.work();
			expect(session.stateOf('AGT-001')).toBe('FAILED');
			expect(session.item('failure').why).toBe('exited with code 3: boom');
			expect(session.kinds()).toEqual(['failure']);
		}
	});
});

describe('a text agent that takes replies on its input', () => {
	it('waits in its live turn and is given the reply there', () => {
		const session = saying(ask, [stdin]);
		session.decide('q-1', '8080');
		expect(session.keys()).toEqual(['reply:AGT-001:q-1']);
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		expect(session.agent('AGT-001')).toMatchObject({replies: [], turn: {phase: 'live', number: 1}});
		expect(session.timer('grace:')).toBeUndefined();
	});

	it('comes back from a checkpoint in the same turn', () => {
		const session = saying(stopWork, [stdin]);
		session.work();
		expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
		session.decide('b-1', 'resolved');
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		expect(session.agent('AGT-001').turn).toMatchObject({phase: 'live', number: 1});
	});

	it('is parked when the quick wait is over, and a late answer is delivered all the same', () => {
		const session = working([stdin], {settings: {quickMs: 60_000}});
		session.says('AGT-001', ask);
		expect(waitOf(session, 'grace:')).toBe(60_000);
		session.pass('grace:');
		session.work();
		expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
		expect(session.kinds()).toEqual(['question']);
		session.decide('q-1', '8080');
		expect(session.owed().effects).toMatchObject([{do: 'start', turn: 2, prompt: 'resume'}]);
	});

	it('is given ten seconds and no quick wait once it has completed', () => {
		const session = saying(report('success'), [stdin]);
		expect(waitOf(session, 'grace:')).toBe(10_000);
	});
});

describe('a text agent that ends without a completion report', () => {
	it('is started once more with a reminder, then it failed', () => {
		const session = working(['AGT-001']);
		session.ends('AGT-001');
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		expect(session.owed().effects).toMatchObject([{do: 'start', turn: 2, prompt: 'reminder'}]);
		session.work();
		session.ends('AGT-001');
		expect(session.stateOf('AGT-001')).toBe('FAILED');
		expect(session.item('failure').why).toBe('ended without a completion report');
	});

	it('failed with its last words, which may tell the cause', () => {
		const session = working(['AGT-001']);
		session.ends('AGT-001');
		session.work();
		const lastWords = 'last status: 429 Too Many Requests';
		const end = {by: 'exit', code: 0} as const;
		session.tell({kind: 'turn.ended', agent: 'AGT-001', turn: 2, end, lastWords});
		session.work();
		expect(session.item('failure').why).toBe(
			'ended without a completion report; it said last: last status: 429 Too Many Requests',
		);
	});

	it('failed with the reason why its report can’t be read, once it has made two of them', () => {
		const session = working(['AGT-001']);
		const unreadable = '[COMPLETION_REPORT]\nstatus: complete\n[/COMPLETION_REPORT]\n';
		for (const _ of [1, 2]) {
			session.says('AGT-001', unreadable);
			session.ends('AGT-001');
			session.work();
		}

		expect(session.item('failure').why).toBe(
			'its completion report can’t be read: The field status must be success, partial or failed.',
		);
	});

	it('is reminded again after it was given a reply', () => {
		const session = working(['AGT-001']);
		session.ends('AGT-001');
		session.work();
		session.says('AGT-001', ask);
		session.ends('AGT-001');
		session.decide('q-1', '8080');
		session.work();
		session.ends('AGT-001');
		expect(session.owed().effects).toMatchObject([{do: 'start', turn: 4, prompt: 'reminder'}]);
	});

	it.each([
		[{by: 'exit', code: 1}, undefined, 'exited with code 1'],
		[{by: 'exit', code: 127}, 'not found', 'exited with code 127: not found'],
		[{by: 'error', cause: 'it is not logged in: no key'}, undefined, 'it is not logged in: no key'],
		[{by: 'signal', signal: 'SIGSEGV'}, undefined, 'was killed by SIGSEGV'],
		[
			{by: 'signal', signal: 'SIGKILL'},
			undefined,
			'was killed by SIGKILL, perhaps for lack of memory',
		],
		[
			{by: 'exit', code: 1},
			'unshare: sigprocmask unblock failed: Invalid argument',
			'was killed by SIGKILL, perhaps for lack of memory',
		],
		[
			{by: 'exit', code: 137},
			'[session/create] phase=register',
			'was killed by SIGKILL, perhaps for lack of memory (exit code 137); it wrote last: [session/create] phase=register',
		],
	] as const)('and dies of %j failed with its cause', (end, lastError, why) => {
		const session = working(['AGT-001']);
		session.ends('AGT-001', end, lastError);
		expect(session.stateOf('AGT-001')).toBe('FAILED');
		expect(session.item('failure').why).toBe(why);
	});

	it('and is retried goes on where it stood, with the turns counted on', () => {
		const session = working(['AGT-001']);
		session.ends('AGT-001', {by: 'exit', code: 1});
		session.decide('f-1', 'retry');
		expect(session.stateOf('AGT-001')).toBe('SPAWNING');
		expect(session.owed().effects).toMatchObject([{do: 'start', turn: 2, prompt: 'resume'}]);
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
	});

	it.each([
		['is blocked', 'b-1', 0],
		['has failed', 'f-1', 1],
	])(
		'and %s gets its worktree set back first where it is retried from a snapshot, and is told so',
		(_, item, code) => {
			const session = saying(stopWork);
			session.ends('AGT-001', {by: 'exit', code});
			session.decide(item, 'retry-from:1', 'The port is 5433');
			expect(session.keys()).toEqual(['restore:AGT-001:1']);
			expect(session.agent('AGT-001').replies).toMatchObject([
				{item, heading: 'ERROR FIXED', from: 1, text: 'The port is 5433'},
			]);
			session.work();
			expect(session.stateOf('AGT-001')).toBe('RUNNING');
			expect(session.agent('AGT-001').restore).toBeUndefined();
		},
	);
});

describe('an agent that was lost with its supervisor', () => {
	it('waits at a checkpoint for nothing but its next turn', () => {
		const session = working(['AGT-001']);
		session.ends('AGT-001', {by: 'lost'});
		expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
		expect(session.agent('AGT-001').why).toBe('supervisor gone');
		expect(session.kinds()).toEqual([]);
		expect(session.owed().effects).toMatchObject([{do: 'start', turn: 2, prompt: 'resume'}]);
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
	});

	it('is not asked again what was answered, and keeps what was not', () => {
		const session = saying(ask);
		session.ends('AGT-001', {by: 'lost'});
		expect(session.kinds()).toEqual(['question']);
		expect(session.keys()).toEqual([]);
		session.decide('q-1', '8080');
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		expect(session.kinds()).toEqual([]);
	});

	it('and had completed is complete', () => {
		const session = saying(report('success'));
		session.ends('AGT-001', {by: 'lost'});
		expect(session.stateOf('AGT-001')).toBe('COMPLETE');
	});
});

describe('the time limit', () => {
	const short = subtask('AGT-001', {timeoutMs: 60_000});
	const acp = {agent: {protocol: 'acp', command: ['agent']}} as const;

	it('is told when most of the time is used up, while the agent goes on', () => {
		const session = working([short]);
		expect(waitOf(session, 'near-limit:')).toBe(48_000);
		session.pass('near-limit:');
		expect(session.state().items).toMatchObject([{kind: 'limit', of: 'near'}]);
		expect(session.keys()).toEqual([]);
		session.decide('l-1', 'extend');
		expect(session.agent('AGT-001').timeoutMs).toBe(120_000);
		expect(session.agent('AGT-001').replies).toEqual([]);
		expect(session.timer('near-limit:')).toBeDefined();
	});

	it('is asked about no more while its turn is over', () => {
		const session = working([short]);
		session.pass('near-limit:');
		session.ends('AGT-001');
		expect(session.kinds()).toEqual([]);
		session.work();
		session.pass('near-limit:');
		expect(session.kinds()).toEqual(['limit']);
	});

	it.each([
		['near-limit:', 'complete', 'COMPLETE', ['review']],
		['near-limit:', 'abort', 'ABORTED', []],
		['limit:', 'complete', 'COMPLETE', ['review']],
		['limit:', 'abort', 'ABORTED', []],
	])('at %s ends an agent where a person wants that: %s', (limit, choice, state, kinds) => {
		const session = working([short]);
		session.pass(limit);
		session.decide('l-1', choice);
		session.work();
		expect(session.stateOf('AGT-001')).toBe(state);
		expect(session.kinds()).toEqual(kinds);
	});

	it('lets an agent that can be told say where it stands, and pauses it then', () => {
		const session = working([{...short, ...acp}]);
		session.pass('limit:');
		expect(session.kinds()).toEqual([]);
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		expect(session.agent('AGT-001').delivered).toMatchObject([{heading: 'TIME LIMIT'}]);
		session.says('AGT-001', banner);
		session.ends('AGT-001');
		session.work();
		expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
		expect(session.state().items).toMatchObject([
			{kind: 'limit', of: 'work', said: {progress: 60}},
		]);
		expect(session.agent('AGT-001').checkpoints).toBe(1);
	});

	it('gives it a minute for that', () => {
		const session = working([{...short, ...acp}]);
		session.pass('limit:');
		session.work();
		expect(waitOf(session, 'closing:')).toBe(60_000);
		session.pass('closing:');
		session.work();
		expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
		expect(session.kinds()).toEqual(['limit']);
		session.decide('l-1', 'extend');
		session.work();
		expect(session.agent('AGT-001').closing).toBeUndefined();
		expect(session.timer('limit:')).toBeDefined();
	});

	it('takes an agent at its word that completes in that minute', () => {
		const session = working([{...short, ...acp}]);
		session.pass('limit:');
		session.work();
		session.finishes('AGT-001');
		expect(session.stateOf('AGT-001')).toBe('COMPLETE');
		expect(session.kinds()).toEqual(['review']);
	});

	it('pauses an agent and asks a person, who can extend it', () => {
		const session = working([short]);
		session.pass('limit:');
		expect(session.kinds()).toEqual(['limit']);
		session.work();
		expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
		session.decide('l-1', 'extend');
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		expect(waitOf(session, 'limit:')).toBeGreaterThan(55_000);
	});

	it('counts the time in turns and not the time of waiting between them', () => {
		const session = parked([short]);
		const worked = session.agent('AGT-001').workedMs;
		for (let second = 0; second < 100; second++) {
			session.tell();
		}

		session.decide('q-1', '8080');
		session.work();
		expect(waitOf(session, 'limit:')).toBe(60_000 - worked);
	});

	it('stands for a retry, too', () => {
		const session = working([short]);
		session.pass('limit:');
		session.ends('AGT-001', {by: 'exit', code: 1});
		session.decide('f-1', 'retry');
		session.work();
		expect(session.timer('limit:')).toBeDefined();
	});

	it('does not make an agent that had completed work again', () => {
		const session = working([short]);
		session.pass('limit:');
		session.finishes('AGT-001');
		session.decide('l-1', 'extend');
		expect(session.stateOf('AGT-001')).toBe('COMPLETE');
	});
});
