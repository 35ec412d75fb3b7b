import {describe, expect, it} from 'vitest';
import {owed} from '../../src/rules/effects/effects.ts';
import {
	accepted,
	banner,
	completed,
	type Given,
	parked,
	saying,
	starting,
	stopWork,
	working,
} from '../helpers/given.ts';
import {keyText} from '../helpers/key-text.ts';
import {build, collide, verify} from '../helpers/merging.ts';
import {subtask} from '../helpers/plan.ts';
import {snapshotTaken, workspacePrepared} from '../helpers/quiet-outcome.ts';
import {waitedMs} from '../helpers/waited.ts';

/** Lets an effect fail until it is given up; returns how often it was tried. */
const failForGood = (session: Given, start: string, why = 'the disk is full'): number => {
	for (let tries = 1; ; tries++) {
		session.fails(start, why, false);
		if (session.timer(`retry:${start}`) === undefined) {
			return tries;
		}

		expect(session.keys().filter(key => key.startsWith(start))).toEqual([]);
		session.pass(`retry:${start}`);
	}
};

const spawning = (): Given => starting(['AGT-001']);

describe('an effect that failed', () => {
	it('is tried again after one second, then two, and no more after the third time', () => {
		const session = spawning();
		const pauses: number[] = [];
		for (const _ of [1, 2]) {
			session.fails('prepare:AGT-001', 'the disk is full', false);
			expect(session.keys()).toEqual([]);
			pauses.push(waitedMs(session.state().awake, session.timer('retry:prepare:')?.at));
			session.pass('retry:');
			expect(session.keys()).toEqual(['prepare:AGT-001']);
		}

		session.fails('prepare:AGT-001', 'the disk is full', false);
		expect(pauses).toEqual([1000, 2000]);
		expect(session.owed()).toEqual({events: [], effects: [], timers: []});
	});

	it('is not tried again when trying again can’t help', () => {
		const session = spawning();
		session.fails('prepare:AGT-001');
		expect(session.stateOf('AGT-001')).toBe('FAILED');
	});

	it('and then did well starts counting again at the next start', () => {
		const session = spawning();
		expect(failForGood(session, 'prepare:AGT-001')).toBe(3);
		session.decide('f-1', 'retry');
		expect(session.keys()).toEqual(['prepare:AGT-001']);
		expect(failForGood(session, 'prepare:AGT-001')).toBe(3);
	});
});

describe('an effect that always fails ends where a person sees it', () => {
	it('prepare: the start failed', () => {
		const session = spawning();
		failForGood(session, 'prepare:');
		expect(session.item('failure').why).toBe('start failed: the disk is full');
	});

	it('start: the start failed', () => {
		const session = spawning();
		session.tell(workspacePrepared('AGT-001'));
		failForGood(session, 'start:');
		expect(session.item('failure').why).toBe('start failed: the disk is full');
	});

	it('start of a reminder: it can’t be started again', () => {
		const session = working(['AGT-001']);
		session.ends('AGT-001');
		failForGood(session, 'start:AGT-001:2');
		expect(session.item('failure').why).toBe('can’t be started again: the disk is full');
	});

	it('start with a reply: it can’t be resumed', () => {
		const session = parked();
		session.decide('q-1', '8080');
		failForGood(session, 'start:AGT-001:2');
		expect(session.item('failure').why).toBe('can’t be resumed: the disk is full');
	});

	it('start with feedback: its review opens again and says why', () => {
		const session = completed(['AGT-001']);
		session.decide('r-1', 'feedback', 'More tests.');
		failForGood(session, 'start:AGT-001:2', 'The disk is full.');
		expect(session.stateOf('AGT-001')).toBe('COMPLETE');
		expect(session.item('review').trouble).toBe('The disk is full; it was not told: "More tests."');
		session.decide('r-2', 'feedback', 'More tests.');
		expect(session.keys()).toEqual(['start:AGT-001:2']);
	});

	it('start with feedback on salvaged work: it has failed again, says what it was not told, and is told at the retry', () => {
		const session = working(['AGT-001']);
		session.ends('AGT-001', {by: 'exit', code: 1});
		session.decide('f-1', 'salvage');
		build(session);
		verify(session, false);
		session.decide('v-1', 'feedback', 'Fix the clock.');
		failForGood(session, 'start:AGT-001:2');
		expect(session.stateOf('AGT-001')).toBe('FAILED');
		expect(session.kinds()).toEqual(['failure']);
		expect(session.item('failure').why).toBe(
			'start failed: the disk is full; it was not told: "Fix the clock."',
		);
		expect(session.keys()).toEqual([]);
		session.decide('f-2', 'retry');
		expect(session.keys()).toEqual(['start:AGT-001:2']);
		expect(session.agent('AGT-001').replies).toMatchObject([
			{text: 'Fix the clock.'},
			{heading: 'ERROR FIXED', about: expect.stringContaining('the disk is full')},
		]);
	});

	it('rework: its review opens again and says why', () => {
		const session = blocked();
		session.decide('c-1', 'redo:AGT-001,AGT-002');
		failForGood(session, 'rework:AGT-002');
		expect(session.item('review')).toMatchObject({agent: 'AGT-002', trouble: 'the disk is full'});
		expect(session.agent('AGT-002').replies).toEqual([]);
	});

	it('restore: it can’t be resumed, and a retry does not try it again', () => {
		const session = saying(stopWork);
		session.says('AGT-001', banner);
		session.work();
		session.ends('AGT-001');
		session.decide('b-1', 'resolved');
		session.decide('cp-1', 'restore:1');
		failForGood(session, 'restore:');
		expect(session.item('failure').why).toBe('can’t be resumed: the disk is full');
		session.decide('f-1', 'retry');
		expect(session.keys()).toEqual(['start:AGT-001:2']);
	});

	it('snapshot in a turn: the worktree is left alone all the same while the last one may still be taken', () => {
		const session = working(['AGT-001']);
		session.ends('AGT-001', {by: 'exit', code: 1});
		const {agents, ...state} = session.state();
		const failed = {count: 3, at: state.awake, message: 'the disk is full', final: true};
		const keysWhere = (...beyond: readonly string[]) =>
			owed({
				...state,
				agents: agents.map(agent => ({
					...{...agent, restore: 1},
					...{wanted: ['said:9', 'exit:1'], snapshots: []},
				})),
				attempts: beyond.map(reason => ({
					...failed,
					effect: {do: 'snapshot', agent: 'AGT-001', reason},
				})),
			}).effects.map(({key}) => keyText(key));
		expect(keysWhere('said:9')).toEqual(['snapshot:AGT-001:exit:1']);
		expect(keysWhere('said:9', 'exit:1')).toEqual(['restore:AGT-001:1']);
	});

	it('snapshot in a turn: its work could not be captured', () => {
		const session = saying(stopWork);
		failForGood(session, 'snapshot:');
		expect(session.item('failure').why).toBe('its work could not be captured: the disk is full');
	});

	it('snapshot at the end of a turn that was paused: its work could not be captured', () => {
		const session = saying(stopWork);
		session.work();
		session.tell({kind: 'turn.ended', agent: 'AGT-001', turn: 1, end: {by: 'exit', code: 0}});
		failForGood(session, 'snapshot:');
		expect(session.stateOf('AGT-001')).toBe('FAILED');
		expect(session.item('failure').why).toBe('its work could not be captured: the disk is full');
	});

	it('snapshot at the end of a turn: a retry takes it first, and its turn is the next one', () => {
		const session = working(['AGT-001']);
		session.tell({kind: 'turn.ended', agent: 'AGT-001', turn: 1, end: {by: 'exit', code: 0}});
		failForGood(session, 'snapshot:');
		session.decide('f-1', 'retry');
		expect(session.keys()).toEqual(['snapshot:AGT-001:exit:1']);
		failForGood(session, 'snapshot:');
		expect(session.item('failure').why).toBe('its work could not be captured: the disk is full');
		session.decide('f-2', 'retry');
		session.tell(snapshotTaken(session.state(), 'AGT-001', 'exit:1'));
		expect(session.keys()).toEqual(['start:AGT-001:2']);
	});

	it('snapshot of an agent that is given up: it is given up all the same', () => {
		const session = working(['AGT-001']);
		session.tell({kind: 'turn.ended', agent: 'AGT-001', turn: 1, end: {by: 'exit', code: 0}});
		failForGood(session, 'snapshot:');
		session.decide('f-1', 'abandon');
		expect(session.stateOf('AGT-001')).toBe('ABORTED');
		expect(session.state().session?.ended).toMatchObject({status: 'ABORTED'});
	});

	it('open-resolution: the conflict is as it was and says why', () => {
		const session = blocked();
		session.decide('c-1', 'manual');
		failForGood(session, 'open-resolution:');
		expect(session.item('conflict')).toMatchObject({
			manual: {phase: 'none'},
			trouble: 'the disk is full',
		});
		session.decide('c-1', 'manual');
		expect(session.keys()).toEqual(['open-resolution:c-1']);
	});

	it('build: a person is asked, who has nothing to accept', () => {
		const session = accepted(['AGT-001']);
		failForGood(session, 'build:');
		expect(session.item('verify').why).toContain('the disk is full');
		expect(session.refusal('v-1', 'accept')).toBe('"accept" is not a choice for v-1.');
	});

	it('verify: a person is asked, who can try it again', () => {
		const session = built();
		failForGood(session, 'verify:');
		expect(session.item('verify').why).toContain('the disk is full');
		session.decide('v-1', 'retry');
		expect(session.keys()).toEqual([expect.stringMatching(/^verify:result:/)]);
	});

	it('publish: the approval opens again and says why', () => {
		const session = built();
		verify(session, true);
		session.decide('a-1', 'approve');
		failForGood(session, 'publish:');
		expect(session.item('approval')).toMatchObject({
			id: 'a-2',
			refused: {message: 'the disk is full'},
		});
		session.decide('a-2', 'approve');
		expect(session.keys()).toEqual(['publish:result:a-2']);
	});
});

/** Two agents that collide in a file. */
const blocked = (): Given => {
	const session = accepted(['AGT-001', subtask('AGT-002')]);
	collide(session, {a: ['AGT-001'], b: ['AGT-002']});
	return session;
};

/** A result that was put together and is to be checked. */
const built = (): Given => {
	const session = accepted(['AGT-001']);
	build(session);
	return session;
};
