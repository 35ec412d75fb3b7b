import {expect, test} from 'vitest';
import type {Event} from '../../../src/events/event.ts';
import type {Environments} from '../../../src/events/plan.ts';
import type {Command} from '../../../src/rules/commands/command.ts';
import {emptyState} from '../../../src/state/state.ts';
import {answerRequest} from '../../../src/supervisor/requests/answer-request.ts';
import type {RunningSession} from '../../../src/supervisor/session.ts';
import {requireSession} from '../../../src/supervisor/world.ts';
import {accepted, starting} from '../../helpers/given.ts';
import {collide} from '../../helpers/merging.ts';
import {makeSupervised} from '../world.ts';

const granted: Event = {
	kind: 'user.decided',
	item: 'p-1',
	choice: 'edit',
	by: 'user',
	seq: 3,
	at: '2026-01-01T00:00:00.000Z',
};

/** A session whose plan waits for its approval, and what is done with it in order. */
const waiting = async () => {
	const {world, state} = await makeSupervised({'readme.md': 'hello\n'});
	const done: unknown[] = [];
	const keep = async (_: unknown, environments: Environments): Promise<void> => {
		done.push(environments);
	};
	const running: RunningSession = {
		id: world.session,
		world: {...world, environments: {...world.environments, keep}},
		loop: {
			state: () => state,
			ask: async (command: Command) => {
				done.push(command.kind);
				return granted;
			},
			append: async () => {},
			lookAtClock: () => {},
			awakeMs: () => 0,
			close: () => {},
		},
		over: Promise.resolve(),
		abandon: async () => {},
	};
	return {running, done, plan: requireSession(state).plan};
};

const edit = {do: 'decide', item: 'p-1', choice: 'edit', by: 'user'} as const;
const environments = {'AGT-001': {KEY: 'value'}};

test('what an edited plan sets in environments is kept before the plan is believed', async () => {
	const {running, done, plan} = await waiting();
	await answerRequest(running, {...edit, plan, environments});
	expect(done).toEqual([environments, 'decide']);
});

test('a process that is kept ends before a person is in the worktree of its agent', async () => {
	const {running, done} = await waiting();
	const {world, loop} = running;
	const visits = {ids: ['a visit'], staysHeld: false};
	const {agents} = starting(['AGT-001', 'AGT-002']).state();
	const [visited] = agents;
	const state = {
		...loop.state(),
		agents: agents.map(agent => (agent === visited ? {...agent, visits} : agent)),
	};
	const end = async (agent: string) => void done.push(agent);
	const entered = {
		...running,
		world: {...world, conversations: {...world.conversations, end}},
		loop: {...loop, state: () => state},
	};
	for (const {id} of agents) {
		await answerRequest(entered, {do: 'capture', agent: id});
	}

	expect(done).toEqual(['AGT-001']);
});

test('an edit that is refused keeps nothing', async () => {
	const {running, done, plan} = await waiting();
	const elsewhere = {...plan, target: 'elsewhere'};
	await answerRequest(running, {...edit, plan: elsewhere, environments});
	expect(done).toEqual(['decide']);
});

test('what is asked is judged by all that was written before', async () => {
	const {running, done, plan} = await waiting();
	const written = running.loop.state();
	let state = emptyState;
	const append = async (): Promise<void> => {
		state = written;
	};
	const loop = {...running.loop, state: () => state, append};
	await answerRequest({...running, loop}, {...edit, plan, environments});
	expect(done).toContain('decide');
});

test.each([
	{given: {}, kept: []},
	{given: {environment: {KEY: 'value'}}, kept: [['AGT-003', {KEY: 'value'}]]},
])(
	'an arbiter that no environment came with is left that of its profile: $kept',
	async ({given, kept}) => {
		const {running} = await waiting();
		const session = accepted(['AGT-001', 'AGT-002']);
		collide(session, {a: ['AGT-001'], b: ['AGT-002']});
		const {world, loop} = running;
		const told: unknown[] = [];
		const keepOf = async (id: string, environment: unknown): Promise<void> => {
			told.push([id, environment]);
		};
		await answerRequest(
			{
				...running,
				world: {...world, environments: {...world.environments, keepOf}},
				loop: {...loop, state: session.state},
			},
			{
				do: 'decide',
				...{item: 'c-1', choice: 'arbiter:AGT-001', by: 'user'},
				...given,
			},
		);
		expect(told).toEqual(kept);
	},
);
