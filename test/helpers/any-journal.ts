import fc from 'fast-check';
import type {Body, Event} from '../../src/events/event.ts';
import {type RefusedCause, refusedCauses} from '../../src/events/reply.ts';
import {
	agent,
	choice,
	commit,
	deadline,
	effect,
	end,
	evidence,
	item,
	jump,
	names,
	order,
	reason,
	said,
	stages,
	state,
	turn,
} from './any-parts.ts';
import {beginnings} from './beginnings.ts';
import {mergeBuilt, mergePublished, supervisorStarted} from './happened.ts';
import {subtask} from './plan.ts';
import {words} from './words.ts';

/** A cause that this version doesn't know: parsing checks only the kind of an event. */
const causeOfAnotherVersion = 'of another version' as RefusedCause;

/** Any event, in any order: a journal is believed even if it makes no sense. */
const body: fc.Arbitrary<Body> = fc.oneof(
	fc.record({
		kind: fc.constant('agent.moved' as const),
		agent,
		from: state,
		to: state,
		why: fc.constant('It broke.'),
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
		said,
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
		left: fc.constantFrom([], [{path: 'lib/y.ts', why: 'Not now.'}]),
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
		rivals: fc.constantFrom([], [subtask('AGT-005', {bestOf: 'AGT-004'})]),
	}),
	fc.record({kind: fc.constant('user.steered' as const), agent, order}),
	fc.record({
		kind: fc.constant('access.denied' as const),
		agent,
		turn,
		path: fc.constantFrom('/srv/a', '/srv/b', 'example.org'),
		to: fc.constantFrom('read' as const, 'write' as const, 'connect' as const),
	}),
	fc.record({
		kind: fc.constant('commands.announced' as const),
		agent,
		commands: fc.constantFrom([], [{name: 'compact', description: ''}]),
	}),
	fc.record({
		kind: fc.constant('permission.asked' as const),
		agent,
		turn,
		request: fc.constantFrom('1', '2'),
		title: fc.constantFrom('', 'Run it'),
		command: fc.constantFrom('', 'npm test', 'rm -rf /'),
		paths: fc.constantFrom([], ['lib/x.ts']),
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
		why: said,
		patch: commit,
	}),
	fc.record({
		kind: fc.constant('conflict.found' as const),
		path: commit,
		a: names,
		b: names,
		type: fc.constant('FILE_CONFLICT' as const),
		summary: said,
		stages: fc.constant(stages),
		evidence,
	}),
	fc.record({
		...{kind: fc.constant('conflict.found' as const), path: commit, a: names, b: names},
		...{type: fc.constant('API_CONFLICT' as const), rule: fc.constant('A2' as const)},
		...{key: commit, summary: said, blocking: fc.boolean()},
		...{confidence: fc.constant('high' as const), files: fc.constant([])},
		evidence,
	}),
	fc.record({kind: fc.constant('conflict.gone' as const), conflict: item}),
	fc.record({kind: fc.constant('resolution.opened' as const), conflict: item, folder: commit}),
	fc.record({kind: fc.constant('merge.blocked' as const), conflicts: fc.constant([])}),
	fc
		.record({commit, tree: commit, tip: commit, agents: names, files: turn})
		.map(changes => mergeBuilt(changes)),
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
	fc.record({commit, from: commit, agents: names}).map(changes => mergePublished(changes)),
	fc.record({
		kind: fc.constant('merge.published' as const),
		commit,
		from: commit,
		agents: names,
		redoes: commit,
	}),
	fc.record({kind: fc.constant('merge.undone' as const), commit, from: commit, to: commit}),
	fc.record({
		kind: fc.constant('push.changed' as const),
		commit,
		to: fc.constantFrom('begun', 'done', 'failed'),
		remote: fc.constant('origin'),
		branch: fc.constant('main'),
		commands: fc.array(said, {maxLength: 2}),
	}),
	fc.record({
		kind: fc.constant('merge.refused' as const),
		commit,
		cause: fc.constantFrom(...refusedCauses, causeOfAnotherVersion),
		message: said,
		hint: said,
	}),
	fc.record({kind: fc.constant('target.moved' as const), from: commit, to: commit}),
	fc.record({kind: fc.constant('deadline.passed' as const), deadline}),
	fc.record({
		kind: fc.constant('effect.failed' as const),
		effect,
		message: said,
		final: fc.boolean(),
	}),
	fc.record({kind: fc.constant('machine.clock' as const), byMs: jump}),
	fc.constant<Body>(supervisorStarted()),
	fc.constant<Body>({kind: 'session.ended', status: 'ABORTED', why: ''}),
);

/** Time of an event, on a clock that may be set to any value; by default it continues. */
const time: fc.Arbitrary<Partial<Pick<Event, 'at' | 'aheadMs'>>> = fc.oneof(
	{weight: 8, arbitrary: fc.constant({})},
	{weight: 1, arbitrary: fc.record({aheadMs: jump})},
	{weight: 1, arbitrary: fc.record({at: fc.constantFrom('x', '2026-06-01T00:00:00.000Z')})},
);

/** An event, or sometimes the owed events, which the loop would write, so that journals get far. */
const told = fc.oneof(
	{weight: 3, arbitrary: fc.tuple(body, time).map(([body, time]) => ({...body, ...time}))},
	{weight: 1, arbitrary: fc.constant('owed' as const)},
);

/** Journals of a session, sensible or not. */
export const journals = fc
	.tuple(fc.constantFrom([], ...beginnings()), fc.array(told, {maxLength: 60, size: 'max'}))
	.map(([beginning, rest]) => [...beginning, ...rest]);
