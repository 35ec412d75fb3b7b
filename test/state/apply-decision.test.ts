import {describe, expect, it} from 'vitest';
import type {Reply} from '../../src/events/reply.ts';
import {owed} from '../../src/rules/effects/effects.ts';
import {apply} from '../../src/state/apply/apply.ts';
import type {State} from '../../src/state/state.ts';
import {banner, completed, type Given, saying, stopWork, working} from '../helpers/given.ts';
import {subtask} from '../helpers/plan.ts';

const delegation = '[DELEGATE_WORK]\nnew_task_description: Redis\n[/DELEGATE_WORK]\n';
const scope = '[SCOPE_REQUEST]\npaths: [src/server.ts]\n[/SCOPE_REQUEST]\n';
const ask =
	'[CLARIFICATION_NEEDED]\nquestions:\n  - {id: port, question: Which port?}\n[/CLARIFICATION_NEEDED]\n';

const waiting = (said: string): Given => {
	const session = saying(said);
	session.work();
	session.ends('AGT-001');
	expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
	return session;
};

const added = {subtask: subtask('AGT-002', {subtask: 'Redis'})};

describe('a decision becomes a reply to the agent that waited for it', () => {
	it.each<[string, string, string, string | undefined, Partial<Reply>]>([
		[
			ask,
			'q-1',
			'8080',
			undefined,
			{heading: 'CLARIFICATION RESPONSE', about: 'Which port?', text: '8080', question: 'port'},
		],
		[ask, 'q-1', '8080', 'or 80', {text: '8080\nor 80'}],
		[banner, 'cp-1', 'continue', undefined, {heading: 'CHECKPOINT REVIEWED', text: ''}],
		[banner, 'cp-1', 'help', 'use sqlite', {heading: 'CHECKPOINT REVIEWED', text: 'use sqlite'}],
		[
			stopWork,
			'b-1',
			'resolved',
			'it is there',
			{heading: 'BLOCKER RESOLVED', about: 'no disk', text: 'it is there'},
		],
		[stopWork, 'b-1', 'retry', undefined, {heading: 'ERROR FIXED', about: 'no disk'}],
		[stopWork, 'b-1', 'skip', undefined, {heading: 'SKIP', about: 'no disk'}],
		[
			stopWork,
			'b-1',
			'delegate',
			undefined,
			{heading: 'PARTIAL RESUME', newAgent: {id: 'AGT-002', subtask: 'Redis'}},
		],
		[
			delegation,
			'd-1',
			'approve',
			undefined,
			{heading: 'DELEGATION APPROVED', about: 'Redis', newAgent: {id: 'AGT-002', subtask: 'Redis'}},
		],
		[delegation, 'd-1', 'reject', 'too early', {heading: 'DELEGATION REJECTED', text: 'too early'}],
		[scope, 's-1', 'once', undefined, {heading: 'SCOPE DECISION', about: 'src/server.ts'}],
		[scope, 's-1', 'refuse', undefined, {heading: 'SCOPE DECISION'}],
	])('%j, %s %s %s', (said, item, choice, note, reply) => {
		const session = waiting(said);
		session.decide(item, choice, note, added);
		expect(session.agent('AGT-001').replies).toMatchObject([{item, ...reply}]);
		expect(session.owed().effects).toContainEqual(
			expect.objectContaining({do: 'start', agent: 'AGT-001', turn: 2, prompt: 'resume'}),
		);
	});

	it('feedback on finished work sends it back', () => {
		const session = completed(['AGT-001']);
		session.decide('r-1', 'feedback', 'more tests');
		expect(session.agent('AGT-001').replies).toMatchObject([
			{heading: 'REVIEW FEEDBACK', text: 'more tests'},
		]);
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
	});
});

describe('a decision about a scope', () => {
	it('allows the paths that were asked for', () => {
		const session = waiting(scope);
		session.decide('s-1', 'once');
		expect(session.agent('AGT-001').subtask.scope.allowed).toEqual(['AGT-001/**', 'src/server.ts']);
	});

	it('widens it by the globs of the note', () => {
		const session = waiting(scope);
		session.decide('s-1', 'widen', 'src/** docs/*.md');
		expect(session.agent('AGT-001').subtask.scope.allowed).toEqual([
			'AGT-001/**',
			'src/**',
			'docs/*.md',
		]);
	});

	it('leaves it as it was when refused', () => {
		const session = waiting(scope);
		session.decide('s-1', 'refuse');
		expect(session.agent('AGT-001').subtask.scope.allowed).toEqual(['AGT-001/**']);
	});
});

describe('a checkpoint', () => {
	it('can be merged as it is, which needs no review', () => {
		const session = waiting(banner);
		session.decide('cp-1', 'merge');
		expect(session.stateOf('AGT-001')).toBe('COMPLETE');
		expect(session.agent('AGT-001').verdict.kind).toBe('accepted');
		expect(session.kinds()).toEqual([]);
		expect(session.keys()).toEqual(['build:base:AGT-001@2:0']);
	});

	it('can be merged while the turn still runs, which is ended first', () => {
		const session = saying(banner);
		session.work();
		session.decide('cp-1', 'merge');
		expect(session.keys()).toEqual(['end-turn:AGT-001:1']);
		session.work();
		expect(session.stateOf('AGT-001')).toBe('COMPLETE');
	});

	it('can set the worktree back before the agent goes on', () => {
		const session = waiting(`PROGRESS: Limiter - 15/30 files\n${banner}`);
		expect(session.agent('AGT-001').updates.phase).toBe('Limiter');
		session.decide('cp-1', 'restore:1', 'another way');
		expect(session.keys()).toEqual(['restore:AGT-001:1']);
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		expect(session.agent('AGT-001').progress).toBeNull();
		expect(session.agent('AGT-001').updates).not.toHaveProperty('phase');
	});
});

const failing = (): Given => {
	const session = working(['AGT-001']);
	session.ends('AGT-001', {by: 'exit', code: 1});
	return session;
};

describe('work that is accepted before its worktree was set back', () => {
	const owing = (session: Given): State => {
		const {agents, ...state} = session.state();
		return {...state, agents: agents.map(agent => ({...agent, restore: 1}))};
	};

	const decided = (session: Given, item: string, choice: string): State =>
		apply(owing(session), {
			...{kind: 'user.decided', item, choice, by: 'user'},
			...{seq: session.state().seq + 1, at: session.state().at},
		});

	it.each([
		['checkpoint', 'merge', () => waiting(banner)],
		['failure', 'salvage', () => failing()],
		['review', 'merge', () => completed(['AGT-001'])],
	] as const)('stays as it stands: %s %s', (kind, choice, make) => {
		const session = make();
		expect(owing(session).agents[0]?.restore).toBe(1);
		const after = decided(session, session.item(kind).id, choice);
		expect(after.agents[0]?.verdict).toEqual({kind: 'accepted', only: []});
		expect(after.agents[0]).not.toHaveProperty('restore');
		expect(owed(after).effects.map(({key}) => key)).not.toContain('restore:AGT-001:1');
	});
});

describe('abort', () => {
	it.each([
		[banner, 'cp-1'],
		[stopWork, 'b-1'],
		[scope, 's-1'],
	])('ends an agent that waits, with all its items: %j', (said, item) => {
		const session = saying(said, ['AGT-001', 'AGT-002']);
		session.says('AGT-001', ask);
		session.ends('AGT-001');
		session.decide(item, 'abort');
		expect(session.stateOf('AGT-001')).toBe('ABORTED');
		expect(session.kinds()).toEqual([]);
		expect(session.stateOf('AGT-002')).toBe('RUNNING');
		expect(session.agent('AGT-001').snapshots).not.toEqual([]);
	});
});
