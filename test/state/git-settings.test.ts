import {expect, test} from 'vitest';
import {inbox} from '../../src/rules/inbox.ts';
import {areKnown, changedText} from '../../src/state/merge/surface-notes.ts';
import {emptyState} from '../../src/state/state.ts';
import {accepted, type Given} from '../helpers/given.ts';
import {mergeBuilt, supervisorStarted} from '../helpers/happened.ts';
import {collide, publish, refuse, verify} from '../helpers/merging.ts';

const gitSettings = {digest: 'later', changed: ['.git/hooks/pre-push', 'alias.x in .git/config']};
const sentence =
	'Since the session began, .git/hooks/pre-push and alias.x in .git/config have changed; your git follows them from now on.';

/** Tells that the accepted work was put together, under these settings. */
const buildUnder = (session: Given, seen = gitSettings): void =>
	session.tell(mergeBuilt({gitSettings: seen}));

/** A session whose result, put together under changed settings, is being merged. */
const intended = (): Given => {
	const session = accepted(['AGT-001']);
	buildUnder(session);
	verify(session, true);
	session.decide('a-1', 'approve');
	expect(session.state().merge.phase).toBe('intended');
	return session;
};

test('what changed of git’s settings is told with the approval', () => {
	const session = accepted(['AGT-001']);
	buildUnder(session);
	verify(session, true);
	expect(inbox(session.state())).toMatchObject([{kind: 'approval', notes: [sentence]}]);
	expect(changedText({digest: 'later', changed: ['.git/config']})).toBe(
		'Since the session began, .git/config has changed; your git follows it from now on.',
	);

	const unchanged = accepted(['AGT-001']);
	buildUnder(unchanged, {digest: 'first', changed: []});
	verify(unchanged, true);
	expect(inbox(unchanged.state())[0]).not.toHaveProperty('notes');
});

test('settings that are other ones than at the approval let another result be built, and a person is asked again', () => {
	const session = intended();
	session.tell({
		...supervisorStarted(),
		found: {lost: [], interrupted: ['publication'], ended: []},
	});
	refuse(session, 'settings-changed');
	expect(session.kinds()).toEqual([]);
	// What the move that was cut off left belongs to a result that nobody can approve any more.
	expect(session.keys()).toEqual(['build:base:AGT-001@1:0', 'clear-up']);
	expect(session.state().interrupted).toHaveLength(1);
	buildUnder(session, {digest: 'last', changed: ['.git/config']});
	verify(session, true);
	session.decide('a-2', 'approve');
	publish(session);
	expect(session.state().publications).toMatchObject([{phase: 'standing'}]);
});

test('changed settings void no resolution, a moved target those that concern it', () => {
	const left = (['settings-changed', 'target-moved'] as const).map(cause => {
		const session = accepted(['AGT-001']);
		collide(session, {a: ['AGT-001'], b: ['target']});
		session.decide('c-1', 'choose-one:AGT-001');
		buildUnder(session);
		verify(session, true);
		session.decide('a-1', 'approve');
		refuse(session, cause);
		return session.state().resolutions.length;
	});
	expect(left).toEqual([1, 0]);
});

test('a filter that nobody has seen holds building back until a person goes on with it', () => {
	const held = (): Given => {
		const session = accepted(['AGT-001']);
		session.tell({kind: 'merge.blocked', conflicts: [], gitSettings});
		return session;
	};

	const session = held();
	expect(session.keys()).toEqual([]);
	expect(inbox(session.state())).toMatchObject([
		{
			kind: 'verify',
			title: expect.stringContaining(`There is no result yet. ${sentence}`),
			choices: [{choice: 'retry'}, {choice: 'abort'}],
		},
	]);
	session.decide('v-1', 'retry');
	expect(session.state().agreedSettings).toBe('later');
	expect(session.keys()).toEqual(['build:base:AGT-001@1:0']);

	const left = held();
	left.decide('v-1', 'abort');
	expect(left.state().agreedSettings).toBeNull();
});

test('settings are known that were there at the beginning, and those that a person agreed to last', () => {
	const state = intended().state();
	const known = ['first', 'later', 'other'].map(digest => areKnown(state, digest));
	expect(known).toEqual([true, true, false]);
	expect(areKnown(emptyState, 'first')).toBe(false);
	const rejected = accepted(['AGT-001']);
	buildUnder(rejected);
	verify(rejected, true);
	rejected.decide('a-1', 'reject');
	expect(rejected.state().agreedSettings).toBeNull();
});
