import fc from 'fast-check';
import type {AgentOrder} from '../../src/events/agent-order.ts';
import {awakeAt, type Deadline} from '../../src/events/deadline.ts';
import type {EffectKey} from '../../src/events/effect-key.ts';
import type {AgentState, TurnEnd} from '../../src/events/event.ts';
import type {Evidence} from '../../src/events/finding.ts';
import {legalMoves} from '../../src/state/apply/apply-agent.ts';

export const agent = fc.constantFrom('AGT-001', 'AGT-002', 'AGT-003', 'AGT-004', 'AGT-009');
export const turn = fc.constantFrom(0, 1, 2, 3);
/** Ids of items, most of which don't exist. */
export const item = fc
	.tuple(fc.constantFrom(...'p q cp b d s pm r l f c v a'.split(' ')), fc.constantFrom(1, 2, 3))
	.map(([prefix, number]) => `${prefix}-${number}`);
/** Typed choices, valid or not. */
export const choice = fc.constantFrom(
	...'approve edit reject continue merge help restore:1 abort resolved retry skip delegate'.split(
		' ',
	),
	...'once session widen refuse feedback extend complete retry-from:2 salvage abandon snooze'.split(
		' ',
	),
	...'choose-one:AGT-001 choose-one:target manual done accept any sequential:AGT-001,AGT-002 redo:AGT-001,AGT-002'.split(
		' ',
	),
	...'abort:AGT-002 sequential: choose-one: restore: stop add'.split(' '),
	...'merge-and-stop merge-with:AGT-002 redistribute always always-all cancel run'.split(' '),
	...'arbiter:codex arbiter:AGT-001 take:AGT-004 again:AGT-004 drop:AGT-004 accept'.split(' '),
	...'check:choose-one:AGT-001 check:none feedback:AGT-002 feedback-all delegate-wait'.split(' '),
);
/** Texts with and without a full stop. */
export const said = fc.constantFrom('It broke.', 'it broke', '');
export const commit = fc.constantFrom('base', 'one', 'two', '');
export const state = fc.constantFrom(...(Object.keys(legalMoves) as AgentState[]));
export const end = fc.constantFrom<TurnEnd>(
	{by: 'exit', code: 0},
	{by: 'exit', code: 1},
	{by: 'signal', signal: 'SIGKILL'},
	{by: 'error', cause: 'It broke.', trouble: {kind: 'overloaded', said: 'Too many requests.'}},
	{by: 'error', cause: 'x', trouble: {kind: 'login', said: 'x'}},
	{
		by: 'error',
		cause: 'Too many.',
		trouble: {
			kind: 'rate',
			said: 'Too many.',
			limit: {name: 'limit', until: '2026-01-02T03:10:00.000Z', shared: ['AGT-002', 'AGT-009']},
		},
	},
	{by: 'stopped'},
	{by: 'lost'},
);
export const reason = fc.constantFrom('exit:1', 'exit:2', 'said:5', 'said:9', 'a minute of change');
export const names = fc.constantFrom(
	['AGT-001'],
	['AGT-002'],
	['target'],
	['AGT-001', 'AGT-002'],
	[],
);
export const effect = fc.constantFrom<EffectKey>(
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
export const deadline = fc.constantFrom<Deadline>(
	{of: 'limit', agent: 'AGT-001', timeoutMs: 3_600_000, turn: 1},
	{of: 'limit', agent: 'AGT-009', timeoutMs: 1, turn: 1},
	{of: 'grace', agent: 'AGT-001', turn: 1, since: awakeAt('x', 0)},
	{of: 'retry', effect: {do: 'clear-up'}, since: awakeAt('y', 0)},
	{of: 'start', agent: 'AGT-002', since: awakeAt('x', 0), asked: 0},
	{of: 'model', agent: 'AGT-001', turn: 1},
	{of: 'model', agent: 'AGT-002', turn: 2},
	{of: 'reset', agent: 'AGT-001', until: '2026-01-02T03:10:00.000Z'},
	{of: 'listening', agent: 'AGT-001', seq: 5},
	{of: 'listening', agent: 'AGT-002', seq: 9},
);

/** Jumps of a clock, also to invalid times. */
export const jump = fc.constantFrom(0, 28_800_000, -86_400_000, 1e16, Number.MAX_VALUE, Number.NaN);

export const evidence = fc.constantFrom<readonly Evidence[]>(
	[],
	[
		{side: 'a', path: 'size.ts', line: 3},
		{side: 'b', path: 'use.ts', line: 7},
	],
);

export const stages = {base: null, a: null, b: null};

/** Orders to one agent. */
export const order = fc.oneof(
	fc.constantFrom<AgentOrder>(
		{verb: 'message', text: 'x'},
		{verb: 'message', text: 'x', now: true},
		{verb: 'message', text: '/compact', command: true},
		{verb: 'pause'},
		{verb: 'pause', visit: 'v'},
		{verb: 'resume'},
		{verb: 'resume', text: 'x', visit: 'v'},
		{verb: 'restart', from: null},
		{verb: 'restart', from: 1, text: 'x', item: 'f-1'},
		{verb: 'grant', paths: ['lib/x.ts']},
		{verb: 'check'},
		{verb: 'stop'},
	),
	fc.record({
		verb: fc.constant('restart' as const),
		from: fc.constant(null),
		as: fc.constant({profile: 'codex', agent: {protocol: 'acp', command: ['codex']}} as const),
	}),
);
