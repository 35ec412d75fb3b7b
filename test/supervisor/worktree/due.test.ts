import {expect, test} from 'vitest';
import {later} from '../../../src/lib/text/duration.ts';
import {dueReason, type FoundWorktree} from '../../../src/supervisor/worktree/due.ts';
import {type Given, working} from '../../helpers/given.ts';
import {snapshotTaken} from '../../helpers/quiet-outcome.ts';

const session = () => working(['AGT-001', 'AGT-002']);

/** What is due for a worktree that changed when its turn began and has been as it is for some seconds. */
const due = (
	given: Given,
	{afterMs, ...others}: Partial<FoundWorktree> & {readonly afterMs: number},
) => {
	const agent = given.agent('AGT-001');
	const startedAt = agent.turn.phase === 'live' ? agent.turn.startedAt : '';
	return dueReason({
		...{agent, tree: 'changed', isChanged: true, hasOthers: true},
		...{checkpointMs: 1_800_000, lookMs: 1000},
		now: later(startedAt, afterMs),
		unchangedSince: startedAt,
		...others,
	});
};

test('what an agent does first is pinned when it pauses, so that others soon know what collides', () => {
	expect(due(session(), {afterMs: 2000})).toBeUndefined();
	expect(due(session(), {afterMs: 3000})).toBe('its first changes');
});

test('nothing is pinned early that is still being changed, unchanged, or can collide with nobody', () => {
	const given = session();
	const aSecondLater = later(given.state().at, 1000);
	expect(due(given, {afterMs: 3000, unchangedSince: aSecondLater})).toBeUndefined();
	expect(due(given, {afterMs: 3000, isChanged: false})).toBeUndefined();
	expect(due(given, {afterMs: 3000, hasOthers: false})).toBeUndefined();
});

test('what it does after that is pinned once a minute', () => {
	const given = session();
	given.tell(snapshotTaken(given.state(), 'AGT-001', 'its first changes'));
	const {at} = given.agent('AGT-001').snapshots.at(-1) ?? {at: ''};
	expect(due(given, {afterMs: 0, now: later(at, 59_000)})).toBeUndefined();
	expect(due(given, {afterMs: 0, now: later(at, 60_000)})).toBe('a minute of change');
});

test('what is pinned as it is needs no other snapshot, and the time between two turns doesn’t count', () => {
	const given = session();
	given.tell(snapshotTaken(given.state(), 'AGT-001', 'a minute of change'));
	const agent = given.agent('AGT-001');
	const {at, tree} = agent.snapshots.at(-1) ?? {at: '', tree: ''};
	expect(due(given, {afterMs: 0, now: later(at, 120_000), tree})).toBeUndefined();
	if (agent.turn.phase !== 'live') {
		return expect.unreachable('a turn was expected');
	}

	const startedAt = later(at, 2_400_000);
	const resumed = {...agent, turn: {...agent.turn, startedAt}};
	const next = {agent: resumed, unchangedSince: startedAt, hasOthers: false, afterMs: 0};
	expect(due(given, {...next, now: later(startedAt, 59_000)})).toBeUndefined();
	expect(due(given, {...next, now: later(startedAt, 60_000)})).toBe('a minute of change');
});

test('a checkpoint is due when none was said or met for half an hour, if there is anything new', () => {
	const given = session();
	given.tell(snapshotTaken(given.state(), 'AGT-001', 'its first changes'));
	expect(due(given, {afterMs: 1_799_000})).toBe('a minute of change');
	expect(due(given, {afterMs: 1_800_000})).toBe('a checkpoint after 30m');
	given.tell(snapshotTaken(given.state(), 'AGT-001', 'a checkpoint after 30m'));
	const {at, tree} = given.agent('AGT-001').snapshots.at(-1) ?? {at: '', tree: ''};
	expect(due(given, {afterMs: 0, now: later(at, 1_800_000), tree})).toBeUndefined();
	expect(due(given, {afterMs: 0, now: later(at, 1_799_000)})).toBe('a minute of change');
	expect(due(given, {afterMs: 0, now: later(at, 1_800_000)})).toBe('a checkpoint after 30m');
});

test('work is pinned in time when the clock was set back since, and waits when that is but a look ago', () => {
	const given = session();
	given.tell(snapshotTaken(given.state(), 'AGT-001', 'left its scope'));
	const {at} = given.agent('AGT-001').snapshots.at(-1) ?? {at: ''};
	expect(due(given, {afterMs: 0, now: later(at, -1000)})).toBeUndefined();
	expect(due(given, {afterMs: 0, now: later(at, -86_400_000)})).toBe('a checkpoint after 30m');
});
