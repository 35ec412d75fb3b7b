import {describe, expect, it, test} from 'vitest';
import type {Effect} from '../../src/rules/effects/effect.ts';
import {owed} from '../../src/rules/effects/effects.ts';
import {buildKey, isMerging, mergeEffects} from '../../src/rules/effects/merging.ts';
import {inbox} from '../../src/rules/inbox.ts';
import {fold} from '../../src/state/apply/apply.ts';
import type {Item} from '../../src/state/item.ts';
import {emptyState} from '../../src/state/state.ts';
import {accepted, completed, type Given, working} from '../helpers/given.ts';
import {keyText} from '../helpers/key-text.ts';
import {
	build,
	builds,
	checked,
	collide,
	mergedWhileLasting,
	publish,
	refuse,
	secondToReview,
	verify,
} from '../helpers/merging.ts';
import {partChecked} from '../helpers/quiet-outcome.ts';

const pair = ['AGT-001', 'AGT-002'];

type CheckPart = Extract<Effect, {do: 'check-part'}>;

/** The item of a failed check, as readers show it. */
const shown = (session: Given) => inbox(session.state()).find(({kind}) => kind === 'verify');

describe('putting work together', () => {
	it('waits until every agent is accepted or out of it', () => {
		const session = completed([...pair, 'AGT-003']);
		session.decide('r-1', 'merge');
		session.decide('r-2', 'abort');
		expect(session.stateOf('AGT-001')).toBe('COMPLETE');
		expect(session.stateOf('AGT-002')).toBe('ABORTED');
		expect(builds(session)).toBe(false);
		session.decide('r-3', 'merge');
		expect(session.keys()).toEqual(['build:base:AGT-001@1:AGT-003@1:0']);
	});

	it('is tried again when there is another snapshot of any of it, the first one included', () => {
		const {agents, ...state} = accepted(pair).state();
		const keyWith = (count: number) =>
			keyText(
				buildKey({
					...state,
					agents: agents.map(a => ({...a, snapshots: a.snapshots.slice(0, count)})),
				}),
			);
		expect([keyWith(0), keyWith(1)]).toEqual([
			'build:base:AGT-001@0:AGT-002@0:0',
			'build:base:AGT-001@1:AGT-002@1:0',
		]);
	});

	it('is nothing to do before a session has begun', () => {
		expect(isMerging(emptyState)).toBe(false);
		expect(mergeEffects(emptyState)).toEqual([]);
		expect(keyText(buildKey(emptyState))).toMatch(/^build::/);
	});

	it('takes what was salvaged of a failed agent, which stays failed until it is published', () => {
		const session = working(pair);
		session.finishes('AGT-001');
		session.decide('r-1', 'merge');
		session.ends('AGT-002', {by: 'exit', code: 1});
		session.decide('f-1', 'salvage', 'src/** docs/**');
		expect(session.agent('AGT-002').verdict).toEqual({
			kind: 'accepted',
			only: ['src/**', 'docs/**'],
		});
		expect(builds(session)).toBe(true);
		build(session);
		verify(session, true);
		session.decide('a-1', 'approve');
		expect(session.stateOf('AGT-002')).toBe('FAILED');
		publish(session);
		expect(session.stateOf('AGT-002')).toBe('MERGED');
	});

	it('is one result, one check, one approval, one publication', () => {
		const session = accepted(pair);
		expect(session.owed().effects).toMatchObject([{do: 'build'}]);
		build(session);
		const {effects} = session.owed();
		expect(effects).toMatchObject([{do: 'verify', commit: 'result', tree: 'tree of result'}]);
		verify(session, true);
		expect(session.keys()).toEqual([]);
		expect(session.state().items).toMatchObject([
			{id: 'a-1', kind: 'approval', commit: 'result', tree: 'tree of result', tip: 'base'},
		]);
		session.decide('a-1', 'approve');
		expect(session.events().at(-1)).toMatchObject({kind: 'merge.intended', commit: 'result'});
		expect(session.keys()).toEqual(['publish:result:a-1']);
		expect(session.owed().effects).toMatchObject([{do: 'publish', commit: 'result', from: 'base'}]);
		publish(session);
		expect(session.stateOf('AGT-001')).toBe('MERGED');
		expect(session.stateOf('AGT-002')).toBe('MERGED');
		expect(session.state().session?.ended).toMatchObject({status: 'COMPLETE'});
	});

	it('goes on for an agent that joined before the approval', () => {
		const session = mergedWhileLasting();
		expect(session.stateOf('AGT-001')).toBe('MERGED');
		expect(session.state().session).toMatchObject({tip: 'result'});
		expect(session.state().session?.ended).toBeUndefined();
		session.work();
		session.finishes('AGT-002');
		session.decide('r-2', 'merge');
		expect(session.keys()).toEqual(['build:result:AGT-002@1:0']);
		expect(session.ask({kind: 'stop'})).toBeUndefined();
	});

	it('is not asked about while the check runs, nor for another commit than was checked', () => {
		const session = accepted(['AGT-001']);
		build(session);
		verify(session, true, 'another');
		expect(session.kinds()).toEqual([]);
		expect(session.keys()).toEqual([expect.stringMatching(/^verify:result:\d+$/)]);
	});
});

describe('a failed check', () => {
	const failed = (): Given => {
		const session = checked(pair, false);
		expect(session.item('verify').why).toBe('`npm test` exited with code 1');
		return session;
	};

	const checksParts = (session: Given): boolean =>
		session.keys().some(key => key.startsWith('check-part'));

	/** Tells what the check says of parts, in the order in which they are asked for. */
	const narrowed = (isRed: (agents: readonly string[]) => boolean): Given => {
		const session = failed();
		for (let [effect] = session.owed().effects; effect?.do === 'check-part'; ) {
			session.tell(partChecked(effect, isRed(effect.agents) ? 'red' : 'green'));
			[effect] = session.owed().effects;
		}

		return session;
	};

	it('is checked in parts, one at a time, to tell whose work it is', () => {
		const session = failed();
		const since = session.state().seq;
		expect(session.keys()).toEqual([`check-part:${since}:AGT-001+AGT-002`]);
		expect(shown(session)).toMatchObject({
			attribution: {verdict: 'open', waitsFor: 'check 1 of 4: everything once more'},
		});
		expect(session.owed().effects).toHaveLength(1);
	});

	it('names those whose work fails together, and sends nobody else back', () => {
		const alone = narrowed(agents => agents.includes('AGT-002'));
		expect(shown(alone)).toMatchObject({
			title:
				'The check of the merged result failed: `npm test` exited with code 1. AGT-002 alone breaks it.',
			attribution: {verdict: 'agents', sets: [{agents: ['AGT-002']}]},
		});
		expect(shown(alone)).not.toHaveProperty('attribution.conflicts');
		alone.decide('v-1', 'feedback', 'fix the clock');
		alone.work();
		expect(alone.stateOf('AGT-001')).toBe('COMPLETE');
		expect(alone.agent('AGT-001').verdict.kind).toBe('accepted');
		expect(alone.stateOf('AGT-002')).toBe('RUNNING');
	});

	it('is a conflict of tests where only their work together fails', () => {
		const together = narrowed(agents => agents.length === 2);
		expect(shown(together)).toMatchObject({
			attribution: {
				conflicts: [
					{
						type: 'TEST_CONFLICT',
						rule: 'T4',
						agents: pair,
						blocking: true,
						confidence: 'high',
						summary: 'AGT-001 and AGT-002 together break it; each alone is green.',
					},
				],
			},
		});
	});

	it('sends everybody back where a person wants that, or where nobody is named', () => {
		const all = narrowed(agents => agents.includes('AGT-002'));
		all.decide('v-1', 'feedback-all');
		const red = narrowed(() => true);
		expect(shown(red)).toMatchObject({attribution: {verdict: 'target'}});
		red.decide('v-1', 'feedback');
		for (const session of [all, red]) {
			session.work();
			expect(pair.map(session.stateOf)).toEqual(['RUNNING', 'RUNNING']);
		}
	});

	it('is asked about no more once a person has decided', () => {
		for (const choice of ['accept', 'abort', 'feedback']) {
			const session = failed();
			session.decide('v-1', choice);
			expect(checksParts(session)).toBe(false);
		}
	});

	it('goes on with what is known after a restart', () => {
		const session = failed();
		const [effect] = session.owed().effects;
		session.tell(partChecked(effect as CheckPart, 'red'));
		expect(owed(fold(session.events())).effects).toEqual(session.owed().effects);
	});

	it('says of a part that can’t be checked why, and goes on with the others', () => {
		const session = failed();
		const [effect] = session.owed().effects;
		session.tell(partChecked(effect as CheckPart, 'red'));
		session.fails('check-part:');
		const {merge} = session.state();
		expect(merge.phase === 'verified' && merge.verified.parts?.runs.at(-1)).toMatchObject({
			agents: [],
			outcome: 'unclear',
			why: 'the disk is full',
		});
		expect(session.keys()).toEqual([expect.stringMatching(/^check-part:\d+:AGT-001$/)]);
	});

	it('is run again for the asking, and may be right the next time', () => {
		const session = failed();
		const {seq} = session.state();
		session.decide('v-1', 'retry');
		expect(session.kinds()).toEqual([]);
		expect(session.state().checkedTrees).toEqual([]);
		expect(session.keys()).toEqual([`verify:result:${seq + 1}`]);
		verify(session, true);
		expect(session.kinds()).toEqual(['approval']);
	});

	it('is checked in parts while others ask something, and no more once the session stops', () => {
		const session = failed();
		const {items, ...state} = session.state();
		const question = {...session.item('verify'), kind: 'blocker'} as unknown as Item;
		expect(mergeEffects({...state, items: [...items, question]})).toMatchObject([
			{do: 'check-part'},
		]);
		session.ask({kind: 'stop'});
		expect(checksParts(session)).toBe(false);
	});

	it('can be accepted, which is not yet an approval', () => {
		const session = failed();
		session.decide('v-1', 'accept');
		expect(session.kinds()).toEqual(['approval']);
		expect(session.keys()).toEqual([]);
	});

	it('can end all of it', () => {
		const session = failed();
		session.decide('v-1', 'abort');
		expect(session.state().session?.ended).toMatchObject({
			status: 'ABORTED',
			why: 'no work was left to merge',
		});
	});
});

describe('what a choice about a conflict would come to', () => {
	/** A session with two conflicts, of which the outcome of a choice about the second one is asked for. */
	const asked = (): Given => {
		const session = accepted(pair);
		const sides = {a: ['AGT-001'], b: ['AGT-002']};
		collide(session, {...sides, path: 'a.txt'}, {...sides, path: 'b.txt'});
		session.decide('c-2', 'check:choose-one:AGT-001');
		return session;
	};

	const choice = {verb: 'choose-one', winner: ['AGT-001']};

	it('is checked while the merge waits for the choice, and once', () => {
		const session = asked();
		const since = session.state().seq;
		const about = {do: 'check-outcome', conflict: 'c-2', since} as const;
		const key = {...about, choice: 'choose-one:AGT-001'};
		expect(session.owed().effects).toEqual([{...about, choice, key}]);
		session.tell({
			...{kind: 'outcome.checked', conflict: 'c-2', choice: key.choice, since, put: null},
			...{tree: null, outcome: 'unclear', commands: [], log: null, left: []},
		});
		expect(session.keys()).toEqual([]);
	});

	it('is asked about no more where no merge waits, or the session stops', () => {
		const session = asked();
		expect(mergeEffects({...session.state(), merge: {phase: 'failed', agents: pair}})).toEqual([]);
		session.ask({kind: 'stop'});
		expect(session.keys()).toEqual([]);
	});
});

describe('an approval', () => {
	it('is followed by nothing before the intent is written', () => {
		const session = checked(pair);
		session.decide('a-1', 'approve');
		const events = session.events();
		const state = fold(events.slice(0, -1));
		expect(state.merge.phase).toBe('approved');
		expect(mergeEffects(state)).toEqual([]);
	});

	const approve = (session: Given, tip: string) =>
		session.ask({kind: 'decide', item: 'a-1', choice: 'approve', by: 'user', seen: {tip}});

	it('is void when the target moves', () => {
		const session = checked(pair);
		session.tell({kind: 'target.moved', from: 'base', to: 'theirs'});
		expect(session.kinds()).toEqual([]);
		expect(session.keys()).toEqual(['build:theirs:AGT-001@1:AGT-002@1:0']);
		expect(approve(session, 'theirs')).toMatch(/^No item a-1 waits for you/);
	});

	it('is refused when the target was seen elsewhere', () => {
		const session = checked(pair);
		expect(approve(session, 'theirs')).toMatch(/^main has moved since/);
		expect(approve(session, 'base')).toBeUndefined();
	});

	it('is refused while an undo moves the target, and only then', () => {
		const session = secondToReview();
		session.decide(session.item('review').id, 'merge');
		build(session, 'next', 'result');
		verify(session, true, 'next');
		const {id} = session.item('approval');
		const ask = (choice: string) => session.refusal(id, choice);
		session.tell({kind: 'merge.intended', commit: 'base', from: 'result', undoes: 'result'});
		expect(ask('approve')).toBe('A merge is being taken back or brought back on main.');
		refuse(session, 'dirty-checkout', 'base');
		expect(ask('approve')).toBeUndefined();
	});

	it('is void when an agent works again', () => {
		const session = checked(pair);
		session.tell({
			kind: 'agent.moved',
			agent: 'AGT-001',
			from: 'COMPLETE',
			to: 'RUNNING',
			why: 'took up feedback',
		});
		expect(session.kinds()).not.toContain('approval');
		expect(session.state().merge.phase).toBe('none');
	});

	it('stands when the target is seen to move by the publication itself', () => {
		const session = checked(pair);
		session.decide('a-1', 'approve');
		session.tell({kind: 'target.moved', from: 'base', to: 'result'});
		expect(session.keys()).toEqual(['publish:result:a-1']);
	});

	it('is asked for again, with the true cause, when something was in the way', () => {
		const session = checked(pair);
		session.decide('a-1', 'approve');
		refuse(session, 'dirty-checkout');
		expect(session.item('approval')).toMatchObject({
			id: 'a-2',
			refused: {message: 'a.txt is edited in your checkout.'},
		});
		session.decide('a-2', 'approve');
		expect(session.keys()).toEqual(['publish:result:a-2']);
	});

	it('is asked for again when the target moved under the publication', () => {
		const session = checked(pair);
		session.decide('a-1', 'approve');
		session.tell(
			{kind: 'target.moved', from: 'base', to: 'theirs'},
			{
				kind: 'merge.refused',
				commit: 'result',
				cause: 'target-moved',
				message: 'main moved',
				hint: '',
			},
		);
		expect(session.kinds()).toEqual([]);
		expect(session.keys()).toEqual(['build:theirs:AGT-001@1:AGT-002@1:0']);
	});

	it('is asked for again when the target moved while something was in the way of the publication', () => {
		const session = checked(pair);
		session.decide('a-1', 'approve');
		session.tell({kind: 'target.moved', from: 'base', to: 'theirs'});
		refuse(session, 'dirty-checkout');
		expect(session.kinds()).toEqual([]);
		expect(session.keys()).toEqual(['build:theirs:AGT-001@1:AGT-002@1:0']);
	});
});

test('a snapshot that is still owed of accepted work comes before the result, unless it can’t be taken', () => {
	const state = accepted(pair).state();
	const effect = {do: 'snapshot', agent: 'AGT-001', reason: 'said:9'} as const;
	const failed = {effect, at: state.awake, message: 'the disk is full', final: false};
	const keysAfter = (count: number, ...wanted: readonly string[]) => {
		const agents = state.agents.map(one => (one.id === 'AGT-001' ? {...one, wanted} : one));
		const attempts = count === 0 ? [] : [{...failed, count}];
		return owed({...state, agents, attempts}).effects.map(({key}) => keyText(key));
	};

	expect(keysAfter(0, 'said:9')).toEqual(['snapshot:AGT-001:said:9']);
	expect(keysAfter(1, 'said:9')).toEqual([]);
	expect(keysAfter(3, 'said:9')).toEqual(['build:base:AGT-001@1:AGT-002@1:0']);
	// That one can't be taken says nothing about the next.
	expect(keysAfter(3, 'said:9', 'exit:2')).toEqual(['snapshot:AGT-001:exit:2']);
});
