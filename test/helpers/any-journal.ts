import fc from 'fast-check';
import {awakeAt} from '../../src/events/awake.ts';
import type {Deadline} from '../../src/events/deadline.ts';
import type {EffectKey} from '../../src/events/effect-key.ts';
import type {AgentState, Body, Event, TurnEnd} from '../../src/events/event.ts';
import {agentStates} from '../../src/state/agent/transitions.ts';
import {planOf, sessionStarted, subtask} from './plan.ts';
import {words} from './words.ts';

const agent = fc.constantFrom('AGT-001', 'AGT-002', 'AGT-003', 'AGT-009');
const turn = fc.constantFrom(0, 1, 2, 3);
/** Ids of items, most of which are not there. */
export const item = fc
	.tuple(fc.constantFrom(...'p q cp b d s r l f c v a'.split(' ')), fc.constantFrom(1, 2, 3))
	.map(([prefix, number]) => `${prefix}-${number}`);
/** Choices as they are typed, right and wrong ones. */
export const choice = fc.constantFrom(
	...'approve edit reject continue merge help restore:1 abort resolved retry skip delegate'.split(
		' ',
	),
	...'once widen refuse feedback extend complete retry-from:2 salvage abandon snooze'.split(' '),
	...'choose-one:AGT-001 choose-one:target manual done accept any sequential:AGT-001,AGT-002'.split(
		' ',
	),
	...'abort:AGT-002 sequential: choose-one: restore: stop add'.split(' '),
);
const commit = fc.constantFrom('base', 'one', 'two', '');
const state = fc.constantFrom<AgentState>(...agentStates);
const end = fc.constantFrom<TurnEnd>(
	{by: 'exit', code: 0},
	{by: 'exit', code: 1},
	{by: 'signal', signal: 'SIGKILL'},
	{by: 'error', cause: 'x', trouble: {kind: 'overloaded', said: 'x'}},
	{by: 'error', cause: 'x', trouble: {kind: 'login', said: 'x'}},
	{by: 'stopped'},
	{by: 'lost'},
);
const reason = fc.constantFrom('exit:1', 'exit:2', 'said:5', 'said:9', 'a minute of change');
const names = fc.constantFrom(['AGT-001'], ['AGT-002'], ['target'], ['AGT-001', 'AGT-002'], []);
const effect = fc.constantFrom<EffectKey>(
	{do: 'prepare', agent: 'AGT-001'},
	{do: 'start', agent: 'AGT-001', turn: 1},
	{do: 'start', agent: 'AGT-002', turn: 2},
	{do: 'snapshot', agent: 'AGT-001', reason: 'exit:1'},
	{do: 'rework', agent: 'AGT-002'},
	{do: 'restore', agent: 'AGT-001', number: 1},
	{do: 'bring-back', agent: 'AGT-001', since: 1},
	{do: 'build', tip: 'base', work: [], resolutions: 0},
	{do: 'verify', commit: 'one', since: 0},
	{do: 'check-part', since: 1, agents: ['AGT-001']},
	{do: 'check-snapshot', agent: 'AGT-001', number: 1, since: 1},
	{do: 'publish', commit: 'one', approval: 'a-1'},
	{do: 'open-resolution', conflict: 'c-1'},
	{do: 'reply', agent: 'AGT-009', items: []},
);
const deadline = fc.constantFrom<Deadline>(
	{of: 'limit', agent: 'AGT-001', timeoutMs: 3_600_000, turn: 1},
	{of: 'limit', agent: 'AGT-009', timeoutMs: 1, turn: 1},
	{of: 'grace', agent: 'AGT-001', turn: 1, since: awakeAt('x', 0)},
	{of: 'retry', effect: {do: 'clear-up'}, since: awakeAt('y', 0)},
	{of: 'start', agent: 'AGT-002', since: awakeAt('x', 0), asked: 0},
	{of: 'model', agent: 'AGT-001', turn: 1},
	{of: 'model', agent: 'AGT-002', turn: 2},
	{of: 'listening', agent: 'AGT-001', seq: 5},
	{of: 'listening', agent: 'AGT-002', seq: 9},
);

/** How far a clock jumps, also out of all time. */
const jump = fc.constantFrom(0, 28_800_000, -86_400_000, 1e16, Number.MAX_VALUE, Number.NaN);

const stages = {base: null, a: null, b: null};
const plan = planOf([
	subtask('AGT-001', {agent: {protocol: 'text', command: ['agent'], reply: 'stdin'}}),
	subtask('AGT-002'),
	subtask('AGT-003', {after: ['AGT-001']}),
]);

/** Any event whatever, in any order: a journal is believed even when it makes no sense. */
const body: fc.Arbitrary<Body> = fc.oneof(
	fc.record({
		kind: fc.constant('agent.moved' as const),
		agent,
		from: state,
		to: state,
		why: fc.constant(''),
	}),
	fc.record({
		kind: fc.constant('signal.said' as const),
		agent,
		turn,
		signal: fc.constantFrom(...words),
		offset: fc.nat(),
	}),
	fc.record({
		kind: fc.constant('signal.said' as const),
		agent,
		turn,
		signal: fc.constantFrom(...words),
		offset: fc.nat(),
		by: fc.constant('tool' as const),
	}),
	fc.record({
		kind: fc.constant('turn.started' as const),
		agent,
		turn,
		prompt: fc.constantFrom('launch' as const, 'resume' as const, 'reminder' as const),
		pid: fc.nat(),
		startTime: fc.constant('1'),
		items: fc.array(item, {maxLength: 2}),
	}),
	fc.record({kind: fc.constant('turn.ended' as const), agent, turn, end}),
	fc.record({
		kind: fc.constant('reply.delivered' as const),
		agent,
		turn,
		items: fc.array(item, {maxLength: 2}),
	}),
	fc.record({
		kind: fc.constant('snapshot.taken' as const),
		agent,
		number: turn,
		reason,
		commit,
		tree: commit,
		work: commit,
		files: turn,
		outside: fc.constant([]),
		claims: fc.constant([]),
	}),
	fc.record({kind: fc.constant('snapshot.restored' as const), agent, number: turn}),
	fc.record({
		kind: fc.constant('scope.granted' as const),
		agent,
		since: turn,
		paths: fc.constantFrom([], ['lib/x.ts']),
		left: fc.constantFrom([], [{path: 'lib/y.ts', why: 'x'}]),
	}),
	fc.record({
		kind: fc.constant('snapshot.checked' as const),
		...{agent, number: turn, since: turn, tree: commit},
		ok: fc.boolean(),
		commands: fc.constant([]),
		log: fc.constant(null),
	}),
	fc.record({
		kind: fc.constant('workspace.prepared' as const),
		agent,
		base: commit,
		baseline: commit,
		onto: names,
		conflicts: fc.constant([]),
	}),
	fc.record({
		kind: fc.constant('user.decided' as const),
		item: fc.oneof(item, fc.constant('session')),
		choice,
		note: fc.constantFrom('', 'a note'),
		by: fc.constantFrom('user' as const, 'policy' as const, 'demo' as const),
		subtask: fc.constantFrom(subtask('AGT-004'), subtask('AGT-001')),
	}),
	fc.record({
		kind: fc.constant('user.decided' as const),
		item,
		choice,
		by: fc.constant('user' as const),
	}),
	fc.record({
		kind: fc.constant('scope.left' as const),
		agent,
		path: commit,
		change: fc.constant('added' as const),
		why: commit,
		patch: commit,
	}),
	fc.record({
		kind: fc.constant('conflict.found' as const),
		path: commit,
		a: names,
		b: names,
		type: fc.constant('FILE_CONFLICT' as const),
		summary: commit,
		stages: fc.constant(stages),
	}),
	fc.record({kind: fc.constant('conflict.gone' as const), conflict: item}),
	fc.record({kind: fc.constant('resolution.opened' as const), conflict: item, folder: commit}),
	fc.record({kind: fc.constant('merge.blocked' as const), conflicts: fc.constant([])}),
	fc.record({
		kind: fc.constant('merge.built' as const),
		commit,
		tree: commit,
		tip: commit,
		agents: names,
		files: turn,
	}),
	fc.record({
		kind: fc.constant('verify.ended' as const),
		commit,
		tree: commit,
		ok: fc.boolean(),
		commands: fc.constant([]),
		log: fc.constant(null),
	}),
	fc.record({
		kind: fc.constant('part.checked' as const),
		since: fc.nat(60),
		agents: names,
		tree: commit,
		outcome: fc.constantFrom('green', 'red', 'unclear'),
		log: fc.constant(null),
	}),
	fc.record({kind: fc.constant('merge.intended' as const), commit, from: commit}),
	fc.record({
		kind: fc.constant('merge.intended' as const),
		commit,
		from: commit,
		undoes: commit,
	}),
	fc.record({kind: fc.constant('merge.published' as const), commit, from: commit, agents: names}),
	fc.record({kind: fc.constant('merge.undone' as const), commit, from: commit, to: commit}),
	fc.record({
		kind: fc.constant('merge.refused' as const),
		commit,
		cause: fc.constantFrom('dirty', 'target-moved'),
		message: commit,
		hint: commit,
	}),
	fc.record({kind: fc.constant('target.moved' as const), from: commit, to: commit}),
	fc.record({kind: fc.constant('deadline.passed' as const), deadline}),
	fc.record({
		kind: fc.constant('effect.failed' as const),
		effect,
		message: commit,
		final: fc.boolean(),
	}),
	fc.record({
		kind: fc.constant('machine.changed' as const),
		what: fc.constant('clock' as const),
		byMs: jump,
	}),
	fc.constant<Body>({kind: 'supervisor.started', pid: 1, version: '0'}),
	fc.constant<Body>({kind: 'session.ended', status: 'ABORTED', why: ''}),
);

/** When an event says it happened, on a clock that anybody may set to anything, where it doesn't go on as before. */
const time: fc.Arbitrary<Partial<Pick<Event, 'at' | 'aheadMs'>>> = fc.oneof(
	{weight: 8, arbitrary: fc.constant({})},
	{weight: 1, arbitrary: fc.record({aheadMs: jump})},
	{weight: 1, arbitrary: fc.record({at: fc.constantFrom('x', '2026-06-01T00:00:00.000Z')})},
);

/** Sometimes what is owed is believed in between, as the loop does, so that journals get far. */
const told = fc.oneof(
	{weight: 3, arbitrary: fc.tuple(body, time).map(([body, time]) => ({...body, ...time}))},
	{weight: 1, arbitrary: fc.constant('owed' as const)},
);

const start: Body = sessionStarted(plan);
const approve: Body = {kind: 'user.decided', item: 'p-1', choice: 'approve', by: 'user'};

/** Journals of a session, sensible ones and others. */
export const journals = fc
	.tuple(fc.boolean(), fc.array(told, {maxLength: 60, size: 'max'}))
	.map(([sensible, rest]) => (sensible ? [start, approve, ...rest] : rest));
