import {describe, expect, test} from 'vitest';
import {whyNotUndo} from '../../src/rules/effects/merging.ts';
import {undoRefused, workPublished} from '../../src/state/apply/apply-publication.ts';
import type {Publication} from '../../src/state/merge/merge.ts';
import {
	canTurn,
	createsTarget,
	lastResult,
	nextToTurn,
	voidMerge,
	whyNotMergeNow,
	withOutdated,
} from '../../src/state/merge/publication.ts';
import {emptyState, type State} from '../../src/state/state.ts';
import {accepted, completed, type Given} from '../helpers/given.ts';
import {mergeBuilt, mergePublished, supervisorStarted} from '../helpers/happened.ts';
import {
	build,
	checked,
	collide,
	mergedWhileLasting,
	publish,
	refuse,
	secondToReview,
	verify,
} from '../helpers/merging.ts';
import {subtask} from '../helpers/plan.ts';

/** A session whose result is about to be published. */
const intended = (): Given => {
	const session = checked(['AGT-001']);
	session.decide('a-1', 'approve');
	return session;
};

/** A session that ended with a publication. */
const merged = (): Given => {
	const session = intended();
	publish(session);
	return session;
};

const supervisorStarts = (session: Given): void => session.tell(supervisorStarted({pid: 2}));

const intendUndo = (session: Given, from = 'result', commit = 'base'): void =>
	session.tell({kind: 'merge.intended', commit, from, undoes: 'result'});

/** The second agent's work collides with the target, and wins. */
const resolve = (session: Given): void => {
	collide(session, {a: ['AGT-002'], b: ['target']});
	session.decide(session.item('conflict').id, 'choose-one:AGT-002');
	expect(session.state().resolutions).toHaveLength(1);
};

/** Expects the merge that can be turned round next to be that one, and not to be turned round yet. */
const expectLast = (session: Given, publication: object): void => {
	const last = nextToTurn(session.state());
	expect(last).toMatchObject(publication);
	expect(last).not.toHaveProperty('intent');
};

/** The commits at which the target is, or was, by a move of this session's. */
const ours = (session: Given) => session.state().session?.ours;

/** A merge that was published, of a commit and the agents whose work is in it. */
const publication = (
	phase: Publication['phase'],
	commit: string,
	of: readonly string[],
): Publication => ({
	phase,
	built: mergeBuilt({commit, agents: of}),
	verified: {ok: true, commands: [], log: null},
	last: {from: 'base', to: commit},
});

const agents = ['AGT-001'];
const pair = ['AGT-001', 'AGT-002'];
const built = {commit: 'result', agents};
const standing = {phase: 'standing', built, last: {from: 'base', to: 'result'}};

describe('a publication', () => {
	test('stands, and can be undone from then on', () => {
		const session = intended();
		expect(session.state().publications).toEqual([]);
		expect(whyNotUndo(session.state())).toBe('Nothing was merged in this session.');
		publish(session);
		expectLast(session, standing);
		expect(whyNotUndo(session.state())).toBeUndefined();
	});

	test('that is taken back after the end reopens nothing, and can be brought back', () => {
		const session = merged();
		intendUndo(session);
		expect(whyNotUndo(session.state())).toBe('main is being moved.');
		session.tell({kind: 'merge.undone', commit: 'result', from: 'result', to: 'base'});
		expectLast(session, {phase: 'undone', built, last: {from: 'result', to: 'base'}});
		expect(session.state().session).toMatchObject({tip: 'base', ended: {status: 'COMPLETE'}});
		expect(session.stateOf('AGT-001')).toBe('MERGED');
		expect([session.state().items, session.keys()]).toEqual([[], []]);

		intendUndo(session, 'base', 'result');
		session.tell(mergePublished({agents}));
		expectLast(session, standing);
		expect(session.state().session).toMatchObject({tip: 'result'});
	});

	test('makes the commit that it brings one of the session’s own, and no commit that was there before', () => {
		const session = merged();
		expect(ours(session)).toEqual(['result']);
		session.tell({kind: 'merge.undone', commit: 'result', from: 'result', to: 'base'});
		expect(ours(session)).toEqual(['result']);
		intendUndo(session, 'base', 'again');
		session.tell({
			kind: 'merge.published',
			commit: 'again',
			from: 'base',
			agents,
			redoes: 'result',
		});
		expect(ours(session)).toEqual(['result', 'again']);
		session.tell({kind: 'merge.undone', commit: 'result', from: 'again', to: 'revert'});
		expect(ours(session)).toEqual(['result', 'again', 'revert']);
	});

	test('that could not be taken back stands as before', () => {
		const session = merged();
		intendUndo(session);
		refuse(session, 'other', 'base');
		expectLast(session, standing);
		expect(session.state().items).toEqual([]);
	});

	test('that is taken back while the session lasts is open for review again', () => {
		const session = mergedWhileLasting();
		expect(session.stateOf('AGT-001')).toBe('MERGED');
		supervisorStarts(session);
		expect(session.state().interrupted).toEqual([]);
		session.tell({kind: 'merge.undone', commit: 'result', from: 'result', to: 'revert'});
		const why = 'its merge was taken back';
		expect(session.agent('AGT-001')).toMatchObject({
			state: 'COMPLETE',
			why,
			verdict: {kind: 'none'},
		});
		expect(session.state().merge).toEqual({phase: 'none'});
		expect(session.item('review').agent).toBe('AGT-001');
		session.work();
		session.finishes('AGT-002');
		for (const {id} of session.state().items) {
			session.decide(id, 'merge');
		}

		expect(session.keys()).toEqual([expect.stringMatching(/^build:revert:/)]);
	});

	test('that is taken back while the next result waits makes that void, for it stands on it', () => {
		const session = secondToReview();
		session.decide(session.item('review').id, 'merge');
		build(session, 'next', 'result');
		verify(session, true, 'next');
		expect(session.kinds()).toEqual(['approval']);
		session.tell({kind: 'merge.undone', commit: 'result', from: 'result', to: 'base'});
		expect(session.kinds()).toEqual(['review']);
	});

	test('that is taken back voids what was resolved against the target as it was', () => {
		const session = secondToReview();
		session.decide(session.item('review').id, 'merge');
		resolve(session);
		session.tell({kind: 'merge.undone', commit: 'result', from: 'result', to: 'base'});
		expect(session.state().resolutions).toEqual([]);
	});

	test('stays to be taken back, whatever those are told whose work is in it', () => {
		const state = mergedWhileLasting().state();
		const reply = {item: 'r-9', heading: 'REVIEW FEEDBACK', about: 'x', text: ''} as const;
		const told = state.agents.map(agent => ({...agent, replies: [reply]}));
		expect(whyNotUndo({...state, agents: told})).toBeUndefined();
	});

	test('that never was can’t be refused to be undone', () => {
		expect(undoRefused(intended().state()).publications).toEqual([]);
	});

	test('that was not published can’t be undone by a stray event', () => {
		const session = intended();
		const before = session.state();
		intendUndo(session);
		session.tell({kind: 'merge.undone', commit: 'result', from: 'result', to: 'base'});
		expect(session.state().publications).toEqual(before.publications);
		expect(session.state().merge).toEqual(before.merge);
	});
});

describe('a publication that had nothing to bring', () => {
	/** Another agent's work is merged as well, and the target holds all of it already. */
	const mergedWithNothing = (session: Given, agent: string, tip: string): void => {
		session.work();
		session.finishes(agent);
		for (const {id} of session.state().items) {
			session.decide(id, 'merge');
		}

		build(session, tip, tip);
		verify(session, true, tip);
		session.decide(session.item('approval').id, 'approve');
		publish(session, tip, tip);
	};

	test('is no merge to take back, and the session says so in its end', () => {
		const session = accepted(agents);
		build(session, 'base', 'base');
		verify(session, true, 'base');
		session.decide(session.item('approval').id, 'approve');
		publish(session, 'base', 'base');
		expect(nextToTurn(session.state())).toBeUndefined();
		expect(ours(session)).toEqual([]);
		expect(session.stateOf('AGT-001')).toBe('MERGED');
		expect(session.state().session?.ended).toMatchObject({
			status: 'COMPLETE',
			why: 'the work of 1 of 1 agents was merged, but there was nothing to merge into main',
		});
	});

	test('leaves the one before it to be taken back', () => {
		const session = mergedWhileLasting();
		mergedWithNothing(session, 'AGT-002', 'result');
		expect(session.stateOf('AGT-002')).toBe('MERGED');
		expectLast(session, standing);
		expect(session.state().session?.ended?.why).toBe('the work of 2 of 2 agents was merged');
	});

	test('of work that was taken back leaves nothing of it to be brought back', () => {
		const session = mergedWhileLasting();
		session.tell({kind: 'merge.undone', commit: 'result', from: 'result', to: 'base'});
		mergedWithNothing(session, 'AGT-002', 'base');
		expect(agents.map(session.stateOf)).toEqual(['MERGED']);
		expect(nextToTurn(session.state())).toBeUndefined();
		expect(session.state().session?.ended?.status).toBe('COMPLETE');
	});

	test.each([
		['undone', pair, 'AGT-002', []],
		['undone', pair, 'AGT-003', ['undone']],
		['standing', pair, 'AGT-002', ['standing']],
	] as const)(
		'leaves of a merge that is %s, of %o, when it is of %s: %o',
		(phase, both, one, left) => {
			expect(phasesAfter(publication(phase, 'result', both), 'tip', [one])).toEqual(left);
		},
	);
});

test('the first merge alone creates a target that was no branch when the session began', () => {
	const {session} = accepted(['AGT-001']).state();
	const [base = '', begun] = [session?.base, session && {...session, newTarget: true as const}];
	expect(createsTarget({session: begun}, base)).toBe(true);
	expect(createsTarget({session: begun}, 'moved on')).toBe(false);
	expect(createsTarget({session}, base)).toBe(false);
	expect(createsTarget(emptyState, base)).toBe(false);
});

test('each commit of a merge that is divided by agent is one of ours', () => {
	const session = secondToReview();
	session.decide(session.item('review').id, 'merge');
	const commits = ['first', 'second'].map(commit => ({commit, message: commit}));
	session.tell(mergeBuilt({commit: 'second', tip: 'result', agents: ['AGT-002'], commits}));
	verify(session, true, 'second');
	session.decide(session.item('approval').id, 'approve');
	publish(session, 'second', 'result');
	expect(ours(session)).toEqual(['result', 'first', 'second']);
});

/** The phases of an older merge, once work of these agents was published as the commit `tip`. */
const phasesAfter = (before: Publication, from: string, of: readonly string[]) => {
	const event = {
		...mergePublished({commit: 'tip', from, agents: of}),
		seq: 9,
		at: '2026-11-22T08:00:00Z',
	};
	const after = workPublished(
		{...emptyState, publications: [before]},
		publication('standing', 'tip', of),
		event,
	);
	return after.publications.filter(({built}) => built.commit !== 'tip').map(({phase}) => phase);
};

test.each([
	['undone', []],
	['outdated', []],
	['standing', ['standing']],
] as const)('a publication leaves of a merge of others that is %s: %o', (phase, left) => {
	expect(phasesAfter(publication(phase, 'result', pair), 'base', ['AGT-003'])).toEqual(left);
});

describe('of several merges', () => {
	/** A session that lasts and holds two merges, of an agent each. */
	const mergedTwice = (): Given => {
		const session = secondToReview();
		session.decide(session.item('review').id, 'merge');
		session.tell(
			mergeBuilt({commit: 'second', tree: 'tree of second', tip: 'result', agents: ['AGT-002']}),
		);
		verify(session, true, 'second');
		session.ask({kind: 'add', subtask: subtask('AGT-003')});
		session.decide(session.item('approval').id, 'approve');
		publish(session, 'second', 'result');
		return session;
	};

	const undo = (session: Given, commit: string, from: string, to: string): void =>
		session.tell(
			{kind: 'merge.intended', commit: to, from, undoes: commit},
			{kind: 'merge.undone', commit, from, to},
		);

	const nexts = (session: Given) =>
		(['undo', 'redo'] as const).map(turn => {
			const next = nextToTurn(session.state(), turn);
			return next && `${next.phase} ${next.built.commit}`;
		});

	test('the newest that stands is taken back next, and the one taken back last brought back', () => {
		const session = mergedTwice();
		expect(nexts(session)).toEqual(['standing second', undefined]);
		expect(whyNotUndo(session.state(), 'redo')).toBe(
			'No merge of this session has been taken back.',
		);
		undo(session, 'second', 'second', 'r2');
		expect(nexts(session)).toEqual(['standing result', 'undone second']);
		undo(session, 'result', 'r2', 'r1');
		expect(nexts(session)).toEqual(['undone result', 'undone result']);
		session.tell(
			{kind: 'merge.intended', commit: 'again', from: 'r1', undoes: 'result'},
			{kind: 'merge.published', commit: 'again', from: 'r1', agents, redoes: 'result'},
		);
		expect(nexts(session)).toEqual(['standing result', 'undone second']);
		expect(pair.map(session.stateOf)).toEqual(['MERGED', 'COMPLETE']);
	});

	test('no other is taken back while the newer one is', () => {
		const session = mergedTwice();
		session.tell({kind: 'merge.intended', commit: 'r2', from: 'second', undoes: 'second'});
		expect(whyNotUndo(session.state())).toBe('main is being moved.');
		refuse(session, 'other', 'r2');
		expect(whyNotUndo(session.state())).toBeUndefined();
	});

	test('only those taken back of an agent that goes on are outdated', () => {
		const publications = [
			publication('standing', 'one', agents),
			publication('undone', 'two', agents),
			publication('undone', 'three', ['AGT-002']),
		];
		const after = withOutdated({...emptyState, publications}, 'AGT-001').publications;
		expect(after.map(({phase}) => phase)).toEqual(['standing', 'outdated', 'undone']);
	});

	test.each([
		[[], false],
		[['standing'], true],
		[['undone'], true],
		[['outdated'], false],
		[['outdated', 'standing'], true],
	] as const)('of %o one can be turned round: %s', (phases, can) => {
		const publications = phases.map(phase => publication(phase, phase, agents));
		expect(canTurn({publications})).toBe(can);
	});

	test('the last result is the one under way, or else the last that stands', () => {
		const [one, two, three] = [
			publication('standing', 'one', agents),
			publication('standing', 'two', agents),
			publication('undone', 'three', agents),
		];
		const publications = [one, two, three];
		expect(lastResult({merge: {phase: 'none'}, publications})).toBe(two);
		expect(lastResult({merge: {phase: 'none'}, publications: [three]})).toBeUndefined();
		const {merge} = checked(agents).state();
		expect(lastResult({merge, publications})).toBe(merge);
	});

	test('the older one can still be taken back when the newer one is worked on anew', () => {
		const session = mergedTwice();
		undo(session, 'second', 'second', 'r2');
		session.decide(session.item('review').id, 'feedback', 'Name it better.');
		session.work();
		expect(nexts(session)).toEqual(['standing result', 'outdated second']);
		expect(whyNotUndo(session.state(), 'redo')).toContain('can’t be brought back');
		expect(whyNotUndo(session.state())).toBeUndefined();
	});
});

describe('a merge that was taken back while the session lasts', () => {
	const takenBack = (): Given => {
		const session = mergedWhileLasting();
		session.tell({kind: 'merge.undone', commit: 'result', from: 'result', to: 'revert'});
		return session;
	};

	const bringBack = (session: Given): void => {
		intendUndo(session, 'revert', 'again');
		const told = {from: 'revert', agents, redoes: 'result'} as const;
		session.tell({kind: 'merge.published', commit: 'again', ...told});
	};

	test('leaves nothing to review once it is brought back', () => {
		const session = takenBack();
		expect(session.item('review').agent).toBe('AGT-001');
		bringBack(session);
		expect(session.stateOf('AGT-001')).toBe('MERGED');
		expect(session.kinds()).not.toContain('review');
	});

	test('is not brought back once an agent of it was sent back, so that its later work is reviewed', () => {
		const session = takenBack();
		expect(whyNotUndo(session.state())).toBeUndefined();
		session.decide(session.item('review').id, 'feedback', 'Name it better.');
		const why =
			'The merge (result) can’t be brought back: the work of AGT-001 has gone on since then, and is merged anew.';
		expect(whyNotUndo(session.state())).toBe(why);
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		expect(whyNotUndo(session.state())).toBe(why);
		session.finishes('AGT-001');
		expect(whyNotUndo(session.state())).toBe(why);
		bringBack(session);
		expect(session.stateOf('AGT-001')).toBe('COMPLETE');
		expect(session.kinds()).toContain('review');
	});

	test('can’t be sent back to work while it is being brought back', () => {
		const session = takenBack();
		intendUndo(session, 'revert', 'again');
		expect(session.refusal(session.item('review').id, 'feedback', {note: 'Better.'})).toBe(
			'A merge is being taken back or brought back on main.',
		);
	});
});

describe('a merge that was brought back', () => {
	test('is known by its own commit, wherever the target stands by then', () => {
		const session = merged();
		intendUndo(session, 'mine', 'revert');
		session.tell({kind: 'merge.undone', commit: 'result', from: 'mine', to: 'revert'});
		intendUndo(session, 'revert', 'mine');
		const told = {commit: 'mine', from: 'revert', agents, redoes: 'result'} as const;
		session.tell({kind: 'merge.published', ...told, commit: 'stray'});
		expect(nextToTurn(session.state())?.phase).toBe('undone');
		session.tell({kind: 'merge.published', ...told});
		expectLast(session, {...standing, last: {from: 'revert', to: 'mine'}});
	});

	test('makes a result void that was built while it was away', () => {
		const session = secondToReview();
		session.tell({kind: 'merge.undone', commit: 'result', from: 'result', to: 'base'});
		for (const {id} of session.state().items) {
			session.decide(id, 'merge');
		}

		resolve(session);
		build(session, 'next', 'base');
		verify(session, true, 'next');
		expect(session.kinds()).toEqual(['approval']);
		intendUndo(session, 'base', 'result');
		const told = {commit: 'result', from: 'base', agents, redoes: 'result'} as const;
		session.tell({kind: 'merge.published', ...told});
		expect(session.kinds()).toEqual([]);
		expect(session.state().resolutions).toEqual([]);
		expect(session.keys()).toEqual([expect.stringMatching(/^build:result:/)]);
	});

	test('is not taken for the next result, which waits for its approval', () => {
		const session = checked(agents);
		session.ask({kind: 'add', subtask: subtask('AGT-002')});
		session.decide('a-1', 'approve');
		session.tell(mergePublished({commit: 'another', agents}));
		expect(session.state().merge.phase).toBe('intended');
	});
});

describe('a move of the target', () => {
	test('that a new supervisor finds begun was cut off, until one comes to its end', () => {
		const session = intended();
		expect(session.state().interrupted).toEqual([]);
		supervisorStarts(session);
		const {merge} = session.state();
		const since = merge.phase === 'intended' ? merge.since : '';
		expect(session.state().interrupted).toEqual([{from: 'base', to: 'result', since}]);
		supervisorStarts(session);
		expect(session.state().interrupted).toHaveLength(1);
		refuse(session, 'interrupted');
		expect(session.item('approval').refused).toEqual({
			message: 'a.txt is edited in your checkout.',
			hint: 'commit it or move it away',
		});
		expect(session.state().interrupted).toHaveLength(1);
		session.decide(session.item('approval').id, 'approve');
		publish(session);
		expect(session.state().interrupted).toEqual([]);
	});

	test.each([
		['locked', 1],
		['dirty-checkout', 0],
		['untracked-files', 0],
		['ignored-files', 0],
		['no-target', 0],
		['in-progress', 0],
		['no-room', 0],
		['other', 0],
		['settings-changed', 1],
		['a-cause-of-another-version' as 'other', 1],
	] as const)(
		'that was cut off and then refused as %s leaves %i of it to clear up',
		(cause, left) => {
			const session = intended();
			supervisorStarts(session);
			refuse(session, cause);
			expect(session.state().interrupted).toHaveLength(left);
		},
	);

	test('that was cut off under the same supervisor is cleared up by the next try as well', () => {
		const session = intended();
		const {merge} = session.state();
		const since = merge.phase === 'intended' ? merge.since : '';
		refuse(session, 'interrupted');
		expect(session.state().interrupted).toEqual([{from: 'base', to: 'result', since}]);

		const undone = merged();
		intendUndo(undone);
		refuse(undone, 'interrupted', 'base');
		expect(undone.state().interrupted).toMatchObject([{from: 'result', to: 'base'}]);
	});

	test('that ended in an error of ours counts as cut off, and its next try clears it up', () => {
		const session = intended();
		session.fails('publish:', 'EMFILE', false);
		expect(session.state().interrupted).toMatchObject([{from: 'base', to: 'result'}]);
		session.pass('retry:');
		session.fails('publish:', 'EMFILE');
		expect(session.state().interrupted).toHaveLength(1);
		session.decide(session.item('approval').id, 'reject');
		expect(session.keys()).toEqual(['clear-up']);
	});

	test('that was begun to undo a merge is known to be cut off as well', () => {
		const session = merged();
		intendUndo(session);
		supervisorStarts(session);
		expect(session.state().interrupted).toMatchObject([{from: 'result', to: 'base'}]);
		session.tell({kind: 'merge.undone', commit: 'result', from: 'result', to: 'base'});
		expect(session.state().interrupted).toEqual([]);
	});
});

describe('a result that waits', () => {
	test('stands when others’ work changes, and is void when its own does or the target moves', () => {
		const state = checked(agents).state();
		expect(voidMerge(state, ['AGT-002'])).toEqual(state);
		expect(voidMerge(state, agents).merge.phase).toBe('none');
		expect(voidMerge(state, ['target']).merge.phase).toBe('none');
	});

	test('has its types checked beyond the limit until the work in it changes, and only once', () => {
		const session = accepted(agents);
		const run = {...{name: 'TypeScript', version: '7', ms: 1}, failed: 'It is too much.'};
		const oracles = [{...run, isOverBudget: true}] as const;
		const looked = {outcome: 'compared', merges: 1, oracles, unread: 0} as const;
		const tell = () => {
			session.tell(mergeBuilt({agents, looked}));
			verify(session, true);
			return session.item('approval');
		};
		session.decide(tell().id, 'types');
		const state = session.state();
		expect(state).toMatchObject({merge: {phase: 'none'}, allTypesOf: agents});
		expect(voidMerge(state, ['target']).allTypesOf).toEqual(agents);
		expect(voidMerge(state, agents).allTypesOf).toBe(null);
		const {id} = tell();
		expect(() => session.decide(id, 'types')).toThrow('types');
	});

	const sides = {path: 'a.txt', a: ['AGT-001'], b: ['AGT-002']};
	const byHand = {...sides, choice: 'manual', files: []} as const;
	test.each([
		['a choice between two works', {...sides, choice: 'choose-one', winner: agents}, 1],
		[
			'a choice between a work and the target',
			{...sides, b: ['target'], choice: 'choose-one', winner: agents},
			0,
		],
		['a file by hand', byHand, 1],
		['a file by hand that mends what git merged', {...byHand, mends: ['b.txt']}, 0],
	] as const)('loses, as the target moves, of %s: what leaves %i', (_, resolution, left) => {
		const state = {...emptyState, resolutions: [resolution]};
		expect(voidMerge(state, ['target']).resolutions).toHaveLength(left);
	});
});

describe('work that is to be merged without waiting', () => {
	/** A state in which the second agent's work stands on that of the first, changed as given. */
	const onFirst = (first: object, onto: readonly string[] = agents): State => {
		const state = completed(pair).state();
		const [one, two] = state.agents;
		const snapshots = two?.snapshots.map(snapshot => ({
			...snapshot,
			startingPoint: {...snapshot.startingPoint, onto},
		}));
		return {
			...state,
			agents: [
				{...one, ...first},
				{...two, snapshots},
			] as State['agents'],
		};
	};

	test.each([
		['is neither merged nor with it', {}, agents, true],
		['is merged', {state: 'MERGED'}, agents, false],
		[
			'is out of the session',
			{state: 'ABORTED', verdict: {kind: 'cancelled', why: 'x'}},
			agents,
			false,
		],
		['is unknown', {}, ['AGT-009'], false],
	] as const)(
		'waits for what it is built on, where that %s (%o on %o): %s',
		(_, first, onto, waits) => {
			const why = whyNotMergeNow(onFirst(first, onto), ['AGT-002']);
			expect(why).toBe(
				waits
					? 'The work of AGT-002 is built on that of AGT-001, which is not merged yet; merge AGT-001 first, or both together.'
					: undefined,
			);
		},
	);

	test('goes together with what it is built on, and needs no snapshot', () => {
		expect(whyNotMergeNow(onFirst({}), pair)).toBeUndefined();
		const state = completed(agents).state();
		const bare = state.agents.map(agent => ({...agent, snapshots: []}));
		expect(whyNotMergeNow({...state, agents: bare}, agents)).toBeUndefined();
	});

	test('waits while a merge is taken back', () => {
		const session = secondToReview();
		expect(whyNotMergeNow(session.state(), [])).toBeUndefined();
		intendUndo(session);
		expect(whyNotMergeNow(session.state(), [])).toBe(
			'A merge is being taken back or brought back on main.',
		);
	});
});
