import {expect, test} from 'vitest';
import {clockAt} from '../../src/events/deadline.ts';
import {inbox} from '../../src/rules/inbox.ts';
import {recordsOf} from '../../src/rules/question-record.ts';
import {apply} from '../../src/state/apply/apply.ts';
import {ask, saying} from '../helpers/given.ts';
import {subtask} from '../helpers/plan.ts';

const nightMs = 8 * 3_600_000;

/** A session in which a question waits for a quick answer. */
const asking = () => {
	const agent = {protocol: 'text', command: ['agent'], reply: 'stdin'} as const;
	return saying(ask, [subtask('AGT-001', {agent})]);
};

/** What a person is shown of that question's end, in the inbox and in its file. */
const shown = (session: ReturnType<typeof asking>) => [
	inbox(session.state()).map(item => ('deadline' in item ? item.deadline : undefined)),
	recordsOf(session.events()).map(({deadline}) => deadline),
];

test('what waits stays as it is when the clock went on without the session, and is shown by the clock', () => {
	const session = asking();
	const {deadline, opened} = session.item('question');
	const {timers} = session.owed();
	expect(shown(session)).toEqual([[deadline], [deadline]]);

	session.sleep(nightMs);
	session.tell({kind: 'snapshot.restored', agent: 'AGT-001', number: 1});
	expect(session.item('question')).toMatchObject({deadline, opened});
	expect(session.owed().timers).toEqual(timers);
	expect(shown(session)).toEqual([
		[clockAt(deadline, {aheadMs: nightMs})],
		[clockAt(deadline, {aheadMs: nightMs})],
	]);
});

test('an answer after a night that the machine slept through is a quick one', () => {
	const session = asking();
	session.sleep(nightMs);
	session.decide('q-1', 'this one');
	expect(recordsOf(session.events())).toMatchObject([{closed: {path: 'quick'}}]);
});

test.each([
	['a jump out of all time', {kind: 'machine.clock', byMs: 1e16}],
	['a jump of no length', {kind: 'machine.clock', byMs: Number.NaN}],
	['a clock further ahead than there is time', {aheadMs: Number.MAX_VALUE}],
	['a time that nobody can read', {at: 'x', aheadMs: nightMs}],
] as const)('%s leaves the time as it was', (_, told) => {
	const {seq, at, aheadMs, awake} = asking().state();
	const event = {kind: 'session.ended', status: 'ABORTED', why: '', seq: seq + 1, at} as const;
	expect(apply(asking().state(), {...event, ...told})).toMatchObject({at, aheadMs, awake});
});
