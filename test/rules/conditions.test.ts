import {describe, expect, it} from 'vitest';
import {later} from '../../src/lib/text/duration.ts';
import {conditionsOf, type Look} from '../../src/rules/conditions.ts';
import {statusOf} from '../../src/rules/status.ts';
import {type Given, saying, starting, stopWork, working} from '../helpers/given.ts';
import {subtask} from '../helpers/plan.ts';
import {snapshotTaken} from '../helpers/quiet-outcome.ts';

const minuteMs = 60_000;

const conditions = (
	session: Given,
	{afterMs = 0, ...seen}: {afterMs?: number} & Omit<Look, 'now'> = {},
) =>
	conditionsOf(session.state(), session.agent('AGT-001'), {
		now: later(session.state().at, afterMs),
		...seen,
	}).map(({kind, text}) => `${kind}: ${text}`);

const silentSince = (session: Given, since: string, during?: string): void => {
	const what = during === undefined ? {} : {during};
	session.tell({kind: 'turn.changed', agent: 'AGT-001', turn: 1, to: 'silent', since, ...what});
};

const startedAt = (session: Given): string => session.agent('AGT-001').startedAt ?? '';

describe('an agent at work', () => {
	it('is in no state that is worth a look, as a rule', () => {
		expect(conditions(working(['AGT-001']), {files: 20})).toEqual([]);
	});

	it('says after a while what its start waits for', () => {
		const session = starting(['AGT-001']);
		expect(conditions(session, {afterMs: 9000})).toEqual([]);
		expect(conditions(session, {afterMs: 25_000})).toEqual([
			'starting: starting for 25s: its worktree is being made and set up',
		]);
		expect(conditions(session, {afterMs: 119_000})).toEqual([
			'starting: starting for 1m: its worktree is being made and set up',
		]);
	});

	it('says at once what the making of its worktree is at, until it is there', () => {
		const session = starting(['AGT-001']);
		const preparing = {at: later(session.state().at, 3000), text: 'checking out 3 of 9 files'};
		const told = (text: string, at = preparing.at) =>
			conditions(session, {afterMs: 3000, preparing: {at, text}});
		expect(told(preparing.text)).toEqual(['starting: starting for 3s: checking out 3 of 9 files']);
		expect(told('')).toEqual([]);
		expect(told(preparing.text, later(preparing.at, -4000))).toEqual([]);
		const ready = {base: 'b', baseline: 't', onto: [], conflicts: []};
		session.tell({kind: 'workspace.prepared', agent: 'AGT-001', ...ready});
		expect(told(preparing.text)).toEqual([]);
	});

	it('has changed many files', () => {
		const session = working(['AGT-001']);
		expect(conditions(session, {files: 21})).toEqual([
			'many-files: it has changed 21 files, more than 20',
		]);
		const lenient = working(['AGT-001'], {settings: {files: 30}});
		expect(conditions(lenient, {files: 21})).toEqual([]);
	});

	it('has had no checkpoint for long', () => {
		const session = working(['AGT-001']);
		expect(conditions(session, {afterMs: 29 * minuteMs})).toEqual([]);
		const told = ['no-checkpoint: no checkpoint for 30m'];
		expect(conditions(session, {afterMs: 30 * minuteMs})).toEqual(told);
	});

	it('is silent, and in the middle of what', () => {
		const session = working(['AGT-001']);
		silentSince(session, later(startedAt(session), 5 * minuteMs), 'npm test');
		expect(conditions(session)).toEqual([
			expect.stringMatching(/^silent: no word from it since .*, in the middle of: npm test$/),
		]);
	});

	it('has had no word from its model yet, until one comes', () => {
		const session = working(['AGT-001']);
		const changed = {kind: 'turn.changed', agent: 'AGT-001', turn: 1} as const;
		session.tell({...changed, to: 'quiet'});
		const toldMs = Date.parse(session.state().at) - Date.parse(startedAt(session));
		expect(conditions(session, {afterMs: 20_000 - toldMs})).toEqual([
			'quiet: no word from its model for 20s; it may be waiting for a limit',
		]);
		session.tell({...changed, to: 'heard'});
		expect(conditions(session)).toEqual([]);
	});

	it('is not called quiet once its silence is told, or when it waits for an answer', () => {
		const session = working(['AGT-001']);
		session.tell({kind: 'turn.changed', agent: 'AGT-001', turn: 1, to: 'quiet'});
		silentSince(session, startedAt(session));
		expect(conditions(session)).toEqual([expect.stringMatching(/^silent: /)]);
		const waiting = saying(stopWork);
		waiting.tell({kind: 'turn.changed', agent: 'AGT-001', turn: 1, to: 'quiet'});
		expect(conditions(waiting)).toEqual([]);
	});

	it('is gone with its supervisor', () => {
		const session = working(['AGT-001']);
		session.ends('AGT-001', {by: 'lost'});
		expect(conditions(session)).toEqual([expect.stringMatching(/^gone: its process ended with/)]);
	});
});

describe('a blocker', () => {
	it('is counted as the checkpoint that it is', () => {
		const session = saying(stopWork);
		session.work();
		expect(session.agent('AGT-001')).toMatchObject({state: 'CHECKPOINT', checkpoints: 1});
	});
});

describe('a checkpoint that was taken', () => {
	it('is counted like one that was said', () => {
		const session = working(['AGT-001']);
		const snapshot = (reason: string) => snapshotTaken(session.state(), 'AGT-001', reason);
		session.tell(snapshot('a minute of change'));
		expect(session.agent('AGT-001').checkpoints).toBe(0);
		session.tell({...snapshot('a checkpoint after 30m'), checkpoint: true});
		expect(session.agent('AGT-001').checkpoints).toBe(1);
		expect(conditions(session, {afterMs: 29 * minuteMs})).toEqual([]);
	});
});

describe('the status', () => {
	const late = '2030-01-01T00:00:00.000Z';
	const place = {worktree: '', branch: ''};
	const besides = {...place, changed: {at: late, files: 7}, reportedAt: late};

	it('tells what changed since the last snapshot, and when an agent was last heard of', () => {
		const [agent] = statusOf(working(['AGT-001']).state(), () => besides).agents;
		expect(agent).toMatchObject({filesModified: 7, lastActivityAt: besides.reportedAt});
	});

	it('counts the files of a snapshot that was taken since its agent’s worktree was looked at', () => {
		const session = working(['AGT-001']);
		const changed = {at: session.state().at, files: 7};
		session.ends('AGT-001');
		session.work();
		const {at, files = 0} = session.agent('AGT-001').snapshots.at(-1) ?? {};
		expect(at && at > changed.at).toBe(true);
		const [agent] = statusOf(session.state(), () => ({...place, changed})).agents;
		expect(agent).toMatchObject({filesModified: files});
		expect(files).not.toBe(7);
	});

	it('counts results as soon as they are there', () => {
		const session = saying('[COMPLETION_REPORT]\nstatus: success\n[/COMPLETION_REPORT]\n', [
			'AGT-001',
			'AGT-002',
			subtask('AGT-003', {after: ['AGT-001']}),
		]);
		session.ends('AGT-001');
		expect(statusOf(session.state(), () => besides).health).toMatchObject({
			...{running: 1, queued: 1, registrySize: 3},
			...{waitingQuestions: 0, waitingItems: 1, storedResults: 1},
		});
	});
});
