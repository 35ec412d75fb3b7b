import {describe, expect, it} from 'vitest';
import {inbox} from '../../src/rules/inbox.ts';
import {statusOf} from '../../src/rules/status.ts';
import {allowancesOf} from '../../src/state/agent/allowance.ts';
import {ask, type Given, saying, working} from '../helpers/given.ts';
import {subtask} from '../helpers/plan.ts';
import {waitedMs} from '../helpers/waited.ts';

const acp = (id: string) => subtask(id, {agent: {protocol: 'acp', command: ['agent']}});

const asks = (session: Given, number: number, id = 'AGT-001', turn = 1): void => {
	session.tell({
		kind: 'permission.asked',
		agent: id,
		turn,
		request: `${id}/${turn}/${number}`,
		title: 'Run it',
		command: `make ${number}`,
		paths: [],
	});
};

const waitingFor = (session: Given): string | null | undefined =>
	statusOf(session.state(), () => ({worktree: '', branch: ''})).agents[0]?.waitingFor;

describe('an agent that asks leave', () => {
	it('waits in its turn, and its worktree is pinned first', () => {
		const session = working([acp('AGT-001')]);
		asks(session, 1);
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		expect(waitingFor(session)).toBe('pm-1');
		expect(session.keys()).toEqual(['snapshot:AGT-001:asked:AGT-001/1/1']);
		session.decide('pm-1', 'once');
		expect(session.keys()).toEqual(['snapshot:AGT-001:asked:AGT-001/1/1']);
		session.work();
		expect(session.agent('AGT-001').snapshots).toHaveLength(1);
		expect(session.events().at(-1)).toMatchObject({kind: 'reply.delivered', items: ['pm-1']});
		expect(session.agent('AGT-001').permits).toEqual([]);
	});

	it.each([
		['once', {request: 'AGT-001/1/1', allowed: true, note: 'fine'}],
		['refuse', {request: 'AGT-001/1/1', allowed: false, note: 'fine'}],
	])('is answered: %s', (choice, permit) => {
		const session = working([acp('AGT-001')]);
		asks(session, 1);
		session.decide('pm-1', choice, 'fine');
		expect(session.agent('AGT-001').permits).toEqual([{item: 'pm-1', ...permit}]);
	});

	it('is ended by abort', () => {
		const session = working([acp('AGT-001')]);
		asks(session, 1);
		session.decide('pm-1', 'abort');
		expect(session.keys()).toContain('end-turn:AGT-001:1');
		session.work();
		expect(session.stateOf('AGT-001')).toBe('ABORTED');
	});

	it('is shown with its command and its choices', () => {
		const session = working([acp('AGT-001')]);
		asks(session, 1);
		expect(inbox(session.state())).toMatchObject([
			{
				id: 'pm-1',
				kind: 'permission',
				agent: 'AGT-001',
				title: 'Wants to run: make 1',
				free: false,
				command: 'make 1',
				choices: [
					{choice: 'once'},
					{choice: 'always', label: expect.stringMatching(/: make 1$/)},
					{choice: 'always-all'},
					{choice: 'refuse'},
					{choice: 'abort'},
				],
			},
		]);
	});

	it('for several things is answered to each as it is decided', () => {
		const session = working([acp('AGT-001')]);
		asks(session, 1);
		asks(session, 2);
		session.decide('pm-2', 'once');
		session.work();
		expect(session.events().at(-1)).toMatchObject({kind: 'reply.delivered', items: ['pm-2']});
		expect(waitingFor(session)).toBe('pm-1');
	});

	it('gives up its place, and goes on when there is one', () => {
		const session = working([acp('AGT-001'), 'AGT-002'], {settings: {parallel: 1}});
		asks(session, 1);
		session.work();
		expect(session.stateOf('AGT-002')).toBe('RUNNING');
		session.decide('pm-1', 'once');
		expect(session.keys()).toEqual([]);
		session.finishes('AGT-002');
		expect(session.keys()).toEqual(['reply:AGT-001:pm-1']);
	});

	it('while a question of its is open is answered without it', () => {
		const session = saying(ask, [acp('AGT-001')]);
		asks(session, 1);
		session.decide('pm-1', 'once');
		session.work();
		expect(session.events().at(-1)).toMatchObject({kind: 'reply.delivered', items: ['pm-1']});
		expect(session.agent('AGT-001').spokeAt).toBeDefined();
		expect(session.kinds()).toEqual(['question']);
	});
});

describe('leave for the rest of the session', () => {
	const asksToTest = (): Given => {
		const session = working([acp('AGT-001'), acp('AGT-002')]);
		const asked = {agent: 'AGT-001', turn: 1, request: 'AGT-001/1/1', title: 'Run it', paths: []};
		session.tell({kind: 'permission.asked', ...asked, command: 'node --test a.js'});
		return session;
	};

	it('is given to the agent that asked, by the pattern that was proposed', () => {
		const session = asksToTest();
		session.decide('pm-1', 'always');
		const allowance = {id: 'al-1', pattern: 'node --test *', agent: 'AGT-001'};
		expect(session.state().allowances).toEqual([allowance]);
		expect(session.agent('AGT-001').permits).toMatchObject([{item: 'pm-1', allowed: true}]);
		expect(session.events().at(-1)).toMatchObject({choice: 'always', note: 'node --test *'});
		expect(allowancesOf(session.state().allowances, 'AGT-002')).toEqual([]);
	});

	it('is given to all, by the pattern that a person wrote', () => {
		const session = asksToTest();
		session.decide('pm-1', 'always-all', 'node --test a.js');
		const [allowance] = allowancesOf(session.state().allowances, 'AGT-002');
		expect(allowance).toEqual({id: 'al-1', pattern: 'node --test a.js', agent: null});
	});

	it('is withdrawn by its id', () => {
		const session = asksToTest();
		session.decide('pm-1', 'always');
		expect(session.ask({kind: 'withdraw', allowance: 'al-2'})).toContain('no permission al-2');
		expect(session.ask({kind: 'withdraw', allowance: 'al-1'})).toBeUndefined();
		expect(session.state().allowances).toEqual([]);
	});

	it.each([
		['npm test *', '"npm test *" does not match the command that it asks to run.'],
		['node *', '"node *" would allow everything'],
	])('is not given by "%s"', (note, why) => {
		const session = asksToTest();
		expect(session.refusal('pm-1', 'always', {note})).toContain(why);
		expect(session.kinds()).toEqual(['permission']);
	});
});

describe('what an agent asked leave for', () => {
	it.each([
		['its turn ended', {by: 'exit', code: 0}],
		['its supervisor was gone', {by: 'lost'}],
	] as const)('is gone when %s', (_, end) => {
		const session = working([acp('AGT-001')]);
		asks(session, 1);
		asks(session, 2);
		session.decide('pm-2', 'once');
		session.ends('AGT-001', end);
		expect(session.kinds()).toEqual([]);
		expect(session.agent('AGT-001').permits).toEqual([]);
		expect(session.agent('AGT-001').replies).toEqual([]);
	});

	it('in a turn that is over opens nothing', () => {
		const session = working([acp('AGT-001')]);
		session.ends('AGT-001');
		asks(session, 1);
		expect(session.kinds()).toEqual([]);
	});
});

describe('an agent over ACP', () => {
	it('is given no words in its turn, but its next prompt', () => {
		const session = saying(ask, [acp('AGT-001')]);
		session.decide('q-1', '8080');
		expect(session.keys()).toEqual([]);
		session.ends('AGT-001');
		expect(session.keys()).toEqual(['start:AGT-001:2']);
	});

	it('that asked is left to end its turn for as long as a person may answer quickly', () => {
		const session = saying(ask, [acp('AGT-001')]);
		const {spokeAt} = session.agent('AGT-001');
		expect(waitedMs(spokeAt, session.timer('grace:')?.at)).toBe(480_000);
	});

	it('keeps its conversation through a retry', () => {
		const session = working([acp('AGT-001')]);
		session.tell({kind: 'conversation.opened', agent: 'AGT-001', turn: 1, conversation: 'c-1'});
		session.ends('AGT-001', {by: 'exit', code: 1});
		session.decide('f-1', 'retry');
		expect(session.agent('AGT-001').conversation).toBe('c-1');
	});
});
