import {expect, test} from 'vitest';
import type {BodyOf} from '../../src/events/event.ts';
import {approvalOutcome} from '../../src/rules/approval-outcome.ts';
import {accepted, type Given} from '../helpers/given.ts';
import {mergeBuilt, mergePublished} from '../helpers/happened.ts';

const commit = '1'.repeat(40);
const tip = '0'.repeat(40);

/** A session whose result was approved just now. */
const approved = () => {
	const session = accepted(['AGT-001']);
	const from = session.state().session?.tip ?? tip;
	session.tell(mergeBuilt({commit, tree: '2'.repeat(40), tip: from}));
	session.tell({
		...{kind: 'verify.ended', commit, tree: '2'.repeat(40)},
		...{ok: true, commands: [], log: null},
	});
	session.decide('a-1', 'approve');
	return {session, from, outcome: outcomeSince(session, session.state().seq)};
};

const outcomeSince = (session: Given, seq: number) => () =>
	approvalOutcome(
		commit,
		session.events().filter(event => event.seq > seq),
		session.state(),
	);

const refused: BodyOf<'merge.refused'> = {
	...{kind: 'merge.refused', commit, cause: 'dirty-checkout'},
	...{message: 'You have changes in a.txt.', hint: 'commit them'},
};

test('as long as the target is being moved, nothing is known', () => {
	expect(approved().outcome()).toBeUndefined();
});

test('what was published is merged, and one that had nothing to bring says so', () => {
	const {session, from, outcome} = approved();
	session.tell(mergePublished({commit, from}));
	expect(outcome()).toEqual({kind: 'merged', commit, target: 'main'});
	const same = mergePublished({commit, from: commit});
	const events = [{...same, seq: 99, at: ''}];
	expect(approvalOutcome(commit, events, session.state())?.kind).toBe('unmoved');
});

test('a refusal is told with its reason, although a new approval waits by then', () => {
	const {session, outcome} = approved();
	session.tell(refused);
	expect(session.kinds()).toEqual(['approval']);
	expect(outcome()).toEqual({
		...{kind: 'refused', message: 'You have changes in a.txt.', hint: 'commit them'},
	});
});

test('a move that failed for good is told by its cause', () => {
	const {session, outcome} = approved();
	session.fails('publish', 'git is gone.');
	expect(outcome()).toMatchObject({kind: 'refused', message: 'git is gone.'});
});

test('a result that became void and a session that ended are no merges', () => {
	const moved = approved();
	moved.session.tell(
		{kind: 'target.moved', from: moved.from, to: '3'.repeat(40)},
		{...refused, cause: 'target-moved'},
	);
	expect(moved.outcome()?.kind).toBe('refused');

	const {session, outcome} = approved();
	session.tell({kind: 'session.ended', status: 'ABORTED', why: 'it was stopped'});
	expect(outcome()).toMatchObject({message: expect.stringContaining('it was stopped')});
});
