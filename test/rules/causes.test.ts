import {expect, test} from 'vitest';
import type {AgentState} from '../../src/events/event.ts';
import {legalMoves} from '../../src/state/apply/apply-agent.ts';
import {
	accepted,
	ask,
	banner,
	completed,
	type Given,
	report,
	starting,
	working,
} from '../helpers/given.ts';
import {build, mergedWhileLasting, publish, verify} from '../helpers/merging.ts';

const id = 'AGT-001';

const after = (session: Given, ...steps: readonly ((session: Given) => void)[]): Given => {
	for (const step of steps) {
		step(session);
	}

	return session;
};

const says = (text: string) => (session: Given) => session.says(id, text);
const ends = (session: Given) => session.ends(id);
const works = (session: Given) => session.work();
const crashes = (session: Given) => session.ends(id, {by: 'exit', code: 1});
const decides =
	(kind: Parameters<Given['item']>[0], choice: string, note?: string) => (session: Given) =>
		session.decide(session.item(kind).id, choice, note);
const isStopped = (session: Given) => {
	expect(session.ask({kind: 'steer', agent: id, order: {verb: 'stop'}})).toBeUndefined();
	session.work();
};

const isPublished = (session: Given) => {
	build(session);
	verify(session, true);
	session.decide('a-1', 'approve');
	publish(session);
};

/** What is to be done for it next can't be done, and never will. */
const cannotGoOn = (session: Given) => session.fails('');

const isUndone = (session: Given) =>
	session.tell({kind: 'merge.undone', commit: 'result', from: 'result', to: 'base'});

const waiting = () => after(working([id]), says(banner), ends, works);
const failed = () => after(working([id]), crashes, works);
const unstarted = () => starting([id]);

/** What brings an agent from one state to another, by the table of states. */
const causes: readonly (readonly [AgentState, AgentState, string, () => Given])[] = [
	['PENDING', 'SPAWNING', 'a place is free', unstarted],
	['SPAWNING', 'RUNNING', 'it took its prompt', () => working([id])],
	['RUNNING', 'CHECKPOINT', 'a checkpoint', waiting],
	['RUNNING', 'CHECKPOINT', 'a question', () => after(working([id]), says(ask), ends, works)],
	['RUNNING', 'COMPLETE', 'a report of success', () => completed([id])],
	['RUNNING', 'FAILED', 'a crash', failed],
	[
		'RUNNING',
		'FAILED',
		'a report of failure',
		() => after(working([id]), says(report('failed')), ends, works),
	],
	['RUNNING', 'ABORTED', 'a person', () => after(working([id]), isStopped, ends, works)],
	[
		'CHECKPOINT',
		'RUNNING',
		'a review',
		() => after(waiting(), decides('checkpoint', 'continue'), works),
	],
	[
		'CHECKPOINT',
		'COMPLETE',
		'accepted at a checkpoint',
		() => after(waiting(), decides('checkpoint', 'merge'), works),
	],
	[
		'CHECKPOINT',
		'ABORTED',
		'a person',
		() => after(waiting(), decides('checkpoint', 'abort'), works),
	],
	[
		'COMPLETE',
		'RUNNING',
		'feedback',
		() => after(completed([id]), decides('review', 'feedback', 'more'), works),
	],
	['COMPLETE', 'MERGED', 'its work was merged', () => after(accepted([id]), isPublished)],
	[
		'FAILED',
		'MERGED',
		'salvaged and published',
		() => after(failed(), decides('failure', 'salvage'), isPublished),
	],
	['MERGED', 'COMPLETE', 'undone', () => after(mergedWhileLasting(), isUndone)],
	['SPAWNING', 'FAILED', 'it could not be started', () => after(unstarted(), cannotGoOn)],
	[
		'CHECKPOINT',
		'FAILED',
		'it could not be resumed',
		() => after(waiting(), decides('checkpoint', 'continue'), cannotGoOn),
	],
	[
		'COMPLETE',
		'ABORTED',
		'rejected',
		() => after(completed([id]), decides('review', 'abort'), works),
	],
	['FAILED', 'SPAWNING', 'retried', () => after(failed(), decides('failure', 'retry'), works)],
	['FAILED', 'ABORTED', 'abandoned', () => after(failed(), decides('failure', 'abandon'), works)],
	[
		'PENDING',
		'ABORTED',
		'a person',
		() => after(working(['AGT-002', id], {settings: {parallel: 1}}), isStopped),
	],
	['SPAWNING', 'ABORTED', 'a person', () => after(unstarted(), isStopped)],
];

test.each(causes)('from %s to %s: %s', (from, to, _, make) => {
	const moves = make()
		.events()
		.filter(event => event.kind === 'agent.moved');
	expect(moves.filter(({agent}) => agent === id)).toContainEqual(
		expect.objectContaining({from, to}),
	);
	expect(legalMoves[from]).toContain(to);
});

test('every move of the table has a cause here', () => {
	const told = causes.map(([from, to]) => `${from} ${to}`);
	const legal = Object.entries(legalMoves).flatMap(([from, all]) => all.map(to => `${from} ${to}`));
	expect(legal.filter(move => !told.includes(move))).toEqual([]);
});
