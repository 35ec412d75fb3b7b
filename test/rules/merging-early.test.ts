import {describe, expect, test} from 'vitest';
import {statusLines} from '../../src/cli/commands/status.ts';
import {pairsToCompare} from '../../src/rules/collisions.ts';
import {mergeStep, sessionStatus, statusOf} from '../../src/rules/status.ts';
import {readSessionChoice, sessionChoiceText} from '../../src/state/item.ts';
import {type Given, working} from '../helpers/given.ts';
import {mergeBuilt} from '../helpers/happened.ts';
import {publish, verify} from '../helpers/merging.ts';
import {subtask} from '../helpers/plan.ts';
import {snapshotTaken, workspacePrepared} from '../helpers/quiet-outcome.ts';

const trio = ['AGT-001', 'AGT-002', 'AGT-003'];

const reviewOf = (session: Given, id: string): string => {
	const item = session.state().items.find(one => one.kind === 'review' && one.agent === id);
	return item?.id ?? expect.fail(`no review of ${id}`);
};

const merge = (session: Given, ...agents: readonly string[]): string | undefined =>
	session.ask({kind: 'merge', agents});

/** Brings what is being merged to its end, as that commit. */
const bringIn = (
	session: Given,
	commit: string,
	tip: string,
	...agents: readonly string[]
): void => {
	session.tell(mergeBuilt({commit, tree: `tree of ${commit}`, tip, agents}));
	verify(session, true, commit);
	session.decide(session.item('approval').id, 'approve');
	publish(session, commit, tip);
};

/** Three agents at work, of whom these have finished. */
const finished = (...agents: readonly string[]): Given => {
	const session = working(trio);
	for (const id of agents) {
		session.finishes(id);
	}

	return session;
};

describe('the work of one agent', () => {
	test('is merged from its review while the others go on', () => {
		const session = finished('AGT-001');
		session.decide(reviewOf(session, 'AGT-001'), 'merge-now');
		expect(session.keys()).toContain('build:base:AGT-001@1:0');
		expect(sessionStatus(session.state())).toBe('MERGING');
		bringIn(session, 'first', 'base', 'AGT-001');
		expect(trio.map(session.stateOf)).toEqual(['MERGED', 'RUNNING', 'RUNNING']);
		expect(sessionStatus(session.state())).toBe('ACTIVE');
		expect(session.state().session).toMatchObject({tip: 'first', start: 'first'});
	});

	test('is at a step that status names, until it waits for the person', () => {
		const session = finished('AGT-001');
		const lastLines = () => {
			const status = statusOf(session.state(), () => ({worktree: '', branch: ''}));
			return statusLines(status, mergeStep(session.state())).slice(-2);
		};

		session.decide(reviewOf(session, 'AGT-001'), 'merge-now');
		const waiting = 'Nothing waits for you.';
		expect(lastLines()).toEqual(['The accepted work is being compared and combined …', waiting]);
		session.tell(mergeBuilt({commit: 'first', tree: 'tree', tip: 'base', agents: ['AGT-001']}));
		const checking = 'The merged result is being checked; you are asked when that is done.';
		expect(lastLines()).toEqual([checking, waiting]);
		verify(session, true, 'first');
		expect(lastLines()[1]).toBe('1 waiting for you: delegate-tui inbox');
		expect(mergeStep(session.state())).toBeUndefined();
		session.decide(session.item('approval').id, 'approve');
		expect(lastLines()).toEqual(['The approved result is being merged …', waiting]);
		publish(session, 'first', 'base');
		expect(mergeStep(session.state())).toBeUndefined();
	});

	test('waits for the others where nobody asks, and is merged together with theirs', () => {
		const session = finished(...trio);
		for (const id of trio) {
			expect(session.keys().filter(key => key.startsWith('build:'))).toEqual([]);
			session.decide(reviewOf(session, id), 'merge');
		}

		expect(session.keys()).toEqual(['build:base:AGT-001@1:AGT-002@1:AGT-003@1:0']);
	});

	test('is merged on demand once it is accepted, and what was left is merged at the end', () => {
		const session = finished('AGT-001');
		expect(merge(session, 'AGT-001')).toBe('The work of AGT-001 is not accepted yet.');
		session.decide(reviewOf(session, 'AGT-001'), 'merge');
		expect(session.keys().filter(key => key.startsWith('build:'))).toEqual([]);
		expect(merge(session, 'AGT-001')).toBeUndefined();
		bringIn(session, 'first', 'base', 'AGT-001');
		expect(merge(session, 'AGT-001')).toBe('The work of AGT-001 is merged already.');
		for (const id of ['AGT-002', 'AGT-003']) {
			session.finishes(id);
			session.decide(reviewOf(session, id), 'merge');
		}

		expect(session.keys()).toEqual(['build:first:AGT-002@1:AGT-003@1:0']);
		bringIn(session, 'rest', 'first', 'AGT-002', 'AGT-003');
		expect(session.state().publications.map(({built}) => built.agents)).toEqual([
			['AGT-001'],
			['AGT-002', 'AGT-003'],
		]);
		expect(session.state().session?.ended?.status).toBe('COMPLETE');
	});

	test('takes along what was accepted before, where that is chosen', () => {
		const session = finished('AGT-001', 'AGT-002');
		session.decide(reviewOf(session, 'AGT-001'), 'merge');
		session.decide(reviewOf(session, 'AGT-002'), 'merge-all');
		expect(session.keys()).toContain('build:base:AGT-001@1:AGT-002@1:0');
	});

	test('is not offered to be merged at once where nobody is left to wait for', () => {
		const session = finished(...trio);
		session.decide(reviewOf(session, 'AGT-001'), 'merge');
		session.decide(reviewOf(session, 'AGT-002'), 'abort');
		expect(session.refusal(reviewOf(session, 'AGT-003'), 'merge-now')).toContain('not a choice');
	});
});

describe('merging at once is refused in words', () => {
	test('while another work is being merged', () => {
		const session = finished('AGT-001', 'AGT-002');
		session.decide(reviewOf(session, 'AGT-001'), 'merge-now');
		const why = 'The work of AGT-001 is being merged; one merge at a time.';
		expect(session.refusal(reviewOf(session, 'AGT-002'), 'merge-now')).toBe(why);
		session.decide(reviewOf(session, 'AGT-002'), 'merge');
		expect(merge(session, 'AGT-002')).toBe(why);
	});

	test('for nobody, for a stranger and for one that is out', () => {
		const session = finished('AGT-001');
		expect(merge(session)).toBe('No accepted work waits to be merged.');
		expect(merge(session, 'AGT-009')).toBe('There is no agent AGT-009 in this session.');
		session.decide(reviewOf(session, 'AGT-001'), 'abort');
		expect(merge(session, 'AGT-001')).toBe(
			'AGT-001 is out of the session, so its work is not merged.',
		);
	});

	test('for work that is built on work which is not merged', () => {
		const stacked = subtask('AGT-002', {after: ['AGT-001'], resume: 'completed'});
		const session = working([subtask('AGT-001'), stacked, subtask('AGT-003')]);
		session.finishes('AGT-001');
		session.tell(workspacePrepared('AGT-002', 'base', ['AGT-001']));
		session.work();
		session.finishes('AGT-002');
		const why =
			'The work of AGT-002 is built on that of AGT-001, which is not merged yet; merge AGT-001 first, or both together.';
		expect(session.refusal(reviewOf(session, 'AGT-002'), 'merge-now')).toBe(why);
		session.decide(reviewOf(session, 'AGT-001'), 'merge');
		expect(session.refusal(reviewOf(session, 'AGT-002'), 'merge-now')).toBe(why);
		session.decide(reviewOf(session, 'AGT-002'), 'merge-all');
		expect(session.keys()).toContain('build:base:AGT-001@1:AGT-002@1:0');
	});
});

describe('after an early merge', () => {
	const merged = (): Given => {
		const session = working(trio);
		for (const id of trio) {
			session.tell(snapshotTaken(session.state(), id, 'change:1'));
		}

		session.finishes('AGT-001');
		session.decide(reviewOf(session, 'AGT-001'), 'merge-now');
		bringIn(session, 'first', 'base', 'AGT-001');
		return session;
	};

	test('those that go on are compared with each other and with the new target', () => {
		const names = pairsToCompare(merged().state()).map(({a, b}) => `${a} ${b}`);
		expect(names).toEqual(['AGT-002 AGT-003', 'AGT-002 target', 'AGT-003 target']);
	});

	test('its undo opens its review again, and the others go on', () => {
		const session = merged();
		session.tell({kind: 'merge.undone', commit: 'first', from: 'first', to: 'revert'});
		expect(trio.map(session.stateOf)).toEqual(['COMPLETE', 'RUNNING', 'RUNNING']);
		expect(session.kinds()).toEqual(['review']);
		expect(session.state().session).toMatchObject({tip: 'revert', start: 'revert'});
		expect(session.keys().filter(key => key.startsWith('build:'))).toEqual([]);
		session.decide(reviewOf(session, 'AGT-001'), 'merge-now');
		expect(session.keys()).toContain(`build:revert:AGT-001@2:0`);
	});
});

test('a rejected early result goes back to its review, and nobody else waits for it', () => {
	const session = finished('AGT-001');
	session.decide(reviewOf(session, 'AGT-001'), 'merge-now');
	session.tell(mergeBuilt({agents: ['AGT-001']}));
	verify(session, true);
	session.decide(session.item('approval').id, 'reject');
	expect(session.kinds()).toEqual(['review']);
	session.decide(reviewOf(session, 'AGT-001'), 'merge');
	expect(session.keys().filter(key => key.startsWith('build:'))).toEqual([]);
});

test('the journal keeps whose work a person wants merged now', () => {
	const choice = {verb: 'merge', agents: trio} as const;
	expect(readSessionChoice(sessionChoiceText(choice))).toEqual(choice);
});
