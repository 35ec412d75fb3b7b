import {describe, expect, it} from 'vitest';
import type {AgentOrder} from '../../src/events/agent-order.ts';
import type {Body} from '../../src/events/event.ts';
import {orderSchema} from '../../src/events/order-schema.ts';
import {accessOf} from '../../src/state/agent/access.ts';
import type {Denial} from '../../src/state/agent/agent.ts';
import {judge} from '../../src/state/agent/scope.ts';
import {violationsOf} from '../../src/state/agent/violations.ts';
import {isHeldUp} from '../../src/state/items.ts';
import {banner, completed, type Given, working} from '../helpers/given.ts';
import {scopeLeft} from '../helpers/happened.ts';
import {subtask} from '../helpers/plan.ts';
import {snapshotTaken} from '../helpers/quiet-outcome.ts';

const grant = (...paths: readonly string[]): AgentOrder => ({verb: 'grant', paths});

const ask = (session: Given, order: AgentOrder) =>
	session.ask({kind: 'steer', agent: 'AGT-001', order});

const violate = (session: Given, path: string): void => session.tell(scopeLeft(path));

const agents = [subtask('AGT-001', {scope: {allowed: ['src/**'], forbidden: ['lib/secret.ts']}})];

describe('what was reverted and is granted after all', () => {
	it('is in the scope at once, and comes back once the turn is over, before the next one', () => {
		const session = working(agents);
		violate(session, 'lib/x.ts');
		expect(ask(session, grant('lib/x.ts'))).toBeUndefined();
		expect(judge(session.agent('AGT-001').subtask.scope, 'lib/x.ts')).toBe('allowed');
		expect(session.keys()).toEqual([]);

		session.ends('AGT-001');
		expect(session.keys()).toEqual([
			`bring-back:AGT-001:${session.agent('AGT-001').granted?.since}`,
		]);
		session.work();
		expect(violationsOf(session.agent('AGT-001')).reverted).toEqual([]);
		expect(session.agent('AGT-001').delivered).toMatchObject([
			{
				heading: 'SCOPE DECISION',
				about: 'lib/x.ts',
				text: expect.stringContaining('Your changes are back: lib/x.ts.'),
			},
		]);
	});

	it('may be thousands of files, and of more than can be granted at a time that is said', () => {
		const session = working(agents);
		const paths = Array.from({length: 5001}, (_, index) => `gen/${index}.ts`);
		session.tell({...snapshotTaken(session.state(), 'AGT-001', 'exit:1'), outside: paths});
		expect(ask(session, grant(...paths))).toMatch(
			/^At most 5000 files can be granted at a time, and these are 5001;/,
		);
		const order = grant(...paths.slice(1));
		expect(orderSchema.parse(order)).toEqual(order);
		expect(ask(session, order)).toBeUndefined();
	});

	it('comes back once nobody is in its worktree any more', () => {
		const session = working(agents);
		violate(session, 'lib/x.ts');
		ask(session, {verb: 'pause', visit: 'one'});
		session.work();
		ask(session, grant('lib/x.ts'));
		expect(session.keys()).toEqual([]);
		expect(ask(session, {verb: 'restart', from: 1})).toMatch(/^Somebody is in the worktree/);
		ask(session, {verb: 'resume', visit: 'one'});
		expect(session.keys()).toEqual([
			`bring-back:AGT-001:${session.agent('AGT-001').granted?.since}`,
		]);
	});

	it('comes back into finished work without a word to the agent, and that is not accepted without it', () => {
		const session = completed(agents);
		violate(session, 'lib/x.ts');
		ask(session, grant('lib/x.ts'));
		expect(session.refusal('r-1', 'merge')).toBe(
			'The files that you granted AGT-001 are still being restored; try again in a moment.',
		);
		session.work();
		expect(session.agent('AGT-001')).toMatchObject({state: 'COMPLETE', replies: []});
		expect(session.refusal('r-1', 'merge')).toBeUndefined();
	});

	it('comes into work that goes on by itself before that is accepted', () => {
		const session = working(agents, {plan: {supervision: 'semi-autonomous'}});
		violate(session, 'lib/x.ts');
		ask(session, grant('lib/x.ts'));
		session.finishes('AGT-001');
		expect(session.agent('AGT-001')).toMatchObject({state: 'COMPLETE', verdict: {kind: 'none'}});
		session.work();
		expect(session.agent('AGT-001').verdict.kind).toBe('accepted');
	});

	it('stays reverted where it can’t be brought back, and the agent is told why', () => {
		const session = working(agents);
		violate(session, 'lib/x.ts');
		ask(session, grant('lib/x.ts'));
		session.ends('AGT-001');
		session.fails('bring-back', 'No room.');
		session.work();
		expect(session.agent('AGT-001').delivered).toMatchObject([
			{text: expect.stringMatching(/lib\/x\.ts is not: No room\.$/)},
		]);
		expect(violationsOf(session.agent('AGT-001')).reverted).toEqual(['lib/x.ts']);
	});
});

describe('a grant is refused, with the reason', () => {
	const refusal = (path: string, ...more: readonly string[]) => {
		const session = working(agents);
		violate(session, path);
		return ask(session, grant(path, ...more));
	};

	it('for what was never reverted', () => {
		expect(refusal('lib/x.ts', 'lib/y.ts')).toBe('No change of AGT-001 in lib/y.ts was reverted.');
	});

	it('for what the plan forbids, and what no agent may write', () => {
		expect(refusal('lib/secret.ts')).toBe('The plan forbids AGT-001 to write lib/secret.ts.');
		expect(refusal('.claude/settings.json')).toBe('No agent may write .claude/settings.json.');
	});

	it('for a name that would open more than itself', () => {
		expect(refusal('lib/*')).toBe('The path lib/* can’t be written as a glob.');
	});

	it('once its work was accepted', () => {
		const session = completed([...agents, subtask('AGT-002')]);
		violate(session, 'lib/x.ts');
		session.decide('r-1', 'merge');
		expect(ask(session, grant('lib/x.ts'))).toBe('You have accepted the work of AGT-001 as it is.');
	});
});

const failed: Body = {
	...{kind: 'agent.moved', agent: 'AGT-001', from: 'RUNNING', to: 'FAILED'},
	why: 'it crashed',
};

describe('a path that an agent was denied', () => {
	const deny = (session: Given, path: string, to: Denial['to'] = 'read'): void =>
		session.tell({
			kind: 'access.denied',
			agent: 'AGT-001',
			turn: session.agent('AGT-001').turn.number,
			path,
			to,
		});

	it('is asked about once while it is open, and of many the first', () => {
		const session = working(agents);
		deny(session, '/srv/a');
		deny(session, '/srv/a');
		deny(session, '/srv/a', 'write');
		for (const name of 'bcdefgh') {
			deny(session, `/srv/${name}`);
		}

		const asked = session.state().items.map(item => item.kind === 'scope' && item.paths[0]);
		expect(asked).toEqual(['/srv/a', '/srv/a', '/srv/b', '/srv/c', '/srv/d']);
		expect(isHeldUp(session.state(), session.agent('AGT-001'))).toBe(false);
	});

	it.each([
		['has completed', (session: Given) => session.finishes('AGT-001'), 'review'],
		['has failed', (session: Given) => session.tell(failed), 'failure'],
	] as const)('can still be opened once the agent %s', (_, end, item) => {
		const session = working(agents);
		deny(session, '/srv/a');
		end(session);
		expect(session.kinds()).toEqual(expect.arrayContaining(['scope', item]));
		session.decide('s-1', 'session');
		expect(accessOf(session.agent('AGT-001')).read).toEqual(['/srv/a']);
		expect(session.item(item).agent).toBe('AGT-001');
		expect(session.keys().filter(key => key.startsWith('start'))).toEqual([]);
	});

	it.each([
		[
			'its completed work',
			(session: Given) => {
				session.finishes('AGT-001');
				session.decide('r-1', 'merge');
			},
		],
		[
			'its work at a checkpoint',
			(session: Given) => {
				session.says('AGT-001', banner);
				session.ends('AGT-001');
				session.decide('cp-1', 'merge');
				session.work();
			},
		],
		[
			'what is left of its failed work',
			(session: Given) => {
				session.tell(snapshotTaken(session.state(), 'AGT-001', 'exit:1'));
				session.tell(failed);
				session.decide('f-1', 'salvage');
			},
		],
	])('is asked about no more once a person accepts %s', (_, accept) => {
		const session = working(agents);
		deny(session, '/srv/a');
		accept(session);
		expect(session.agent('AGT-001').verdict.kind).toBe('accepted');
		expect(session.kinds()).not.toContain('scope');
	});

	it.each([
		['open', 'You may read /srv/a from your next start on, until you are started again.', true],
		['session', 'You may read /srv/a from your next start on.', false],
		['refuse', '/srv/a stays closed to you; go on without it.', false],
	])(
		'is decided by "%s" for the next start, told then, and asked about again: %s, %s',
		(choice, text, isAsked) => {
			const session = working(agents);
			deny(session, '/srv/a');
			session.decide('s-1', choice);
			expect(session.agent('AGT-001').replies).toMatchObject([{heading: 'MESSAGE', text}]);
			expect(accessOf(session.agent('AGT-001')).read).toEqual(
				choice === 'refuse' ? [] : ['/srv/a'],
			);
			session.ends('AGT-001');
			session.work();
			expect(session.agent('AGT-001').turn.number).toBe(2);
			expect(accessOf(session.agent('AGT-001')).read).toEqual(
				choice === 'session' ? ['/srv/a'] : [],
			);
			deny(session, '/srv/a');
			expect(session.state().items).toHaveLength(isAsked ? 1 : 0);
		},
	);

	it.each(['open', 'session'])(
		'is reached by the next process by "%s", also where one began meanwhile',
		choice => {
			const session = working(agents);
			deny(session, '/srv/a');
			session.ends('AGT-001');
			session.decide('s-1', choice);
			session.tell({
				...{kind: 'turn.started', agent: 'AGT-001', turn: 2, prompt: 'resume'},
				...{pid: 2, startTime: '2', items: []},
			});
			expect(session.agent('AGT-001').access).toMatchObject([{path: '/srv/a', isNew: true}]);
		},
	);

	it('may be a socket or a host to connect to', () => {
		const session = working(agents);
		deny(session, 'example.org', 'connect');
		deny(session, '/srv/db.sock', 'connect');
		session.decide('s-1', 'session');
		session.decide('s-2', 'open');
		expect(session.agent('AGT-001').replies.map(({text}) => text)).toEqual([
			'You may connect to example.org from your next start on.',
			'You may connect to /srv/db.sock from your next start on, until you are started again.',
		]);
		expect(accessOf(session.agent('AGT-001'))).toEqual({
			...{read: [], write: []},
			sockets: ['/srv/db.sock'],
			hosts: ['example.org'],
		});
	});

	it('costs no process where it stays closed', () => {
		const session = working(agents);
		deny(session, '/srv/a');
		session.decide('s-1', 'refuse');
		expect(session.agent('AGT-001').access).toEqual([
			{path: '/srv/a', to: 'read', granted: 'never'},
		]);
	});

	it('is asked about no more once its agent is done', () => {
		const session = completed(['AGT-001']);
		session.decide('r-1', 'merge');
		expect(session.refusal('s-1', 'once')).toBeDefined();
		deny(session, '/srv/a');
		expect(session.state().items.filter(({kind}) => kind === 'scope')).toEqual([]);
	});
});
