import {expect, test} from 'vitest';
import {readCall} from '../../src/signals/call.ts';
import {ask, asking, type Given, report, working} from '../helpers/given.ts';
import {subtask} from '../helpers/plan.ts';
import {waitedMs} from '../helpers/waited.ts';

const calls = (given: Given, tool: string, fields: Readonly<Record<string, unknown>>): void => {
	const signal = readCall(tool, fields);
	expect(signal).toBeDefined();
	if (signal) {
		given.tell({kind: 'signal.said', agent: 'AGT-001', turn: 1, signal, offset: 0, by: 'tool'});
	}
};

const asked = {questions: [{question: 'Which port?'}]};

const ids = (given: Given) => given.state().items.map(({id}) => id);

test('what is called and then printed counts once', () => {
	const given = working(['AGT-001']);
	calls(given, 'ask', asked);
	given.says('AGT-001', ask.replaceAll('Which port?', '"Which   port?"'));
	expect(ids(given)).toEqual(['q-1']);
});

test('what is printed and then called counts once, and the call knows its items', () => {
	const given = working(['AGT-001']);
	given.says('AGT-001', ask);
	calls(given, 'ask', asked);
	expect(ids(given)).toEqual(['q-1']);
	expect(given.agent('AGT-001').heard.map(({items}) => items)).toEqual([['q-1']]);
});

test('what is printed after it was answered in its call is an echo all the same', () => {
	const given = working(['AGT-001']);
	calls(given, 'ask', asked);
	given.decide('q-1', '8080');
	given.work();
	given.says('AGT-001', ask);
	expect(ids(given)).toEqual([]);
	expect(given.agent('AGT-001').spokeAt).toBeUndefined();
});

test('a call that is made again counts once while it waits, and anew when it was answered', () => {
	const given = working(['AGT-001']);
	calls(given, 'ask', asked);
	calls(given, 'ask', asked);
	expect(ids(given)).toEqual(['q-1']);
	given.decide('q-1', '8080');
	calls(given, 'ask', asked);
	expect(ids(given)).toEqual(['q-2']);
});

test('what is printed twice counts twice, however often it was called', () => {
	const given = working(['AGT-001']);
	calls(given, 'ask', asked);
	given.says('AGT-001', ask + ask);
	expect(ids(given)).toEqual(['q-1', 'q-2']);
});

test('other words, and the same words in another turn, count', () => {
	const given = working(['AGT-001']);
	calls(given, 'ask', asked);
	given.says('AGT-001', ask.replace('port', 'host'));
	expect(ids(given)).toEqual(['q-1', 'q-2']);
	given.ends('AGT-001');
	given.decide('q-1', '80');
	given.decide('q-2', 'here');
	given.work();
	expect(given.agent('AGT-001').turn).toMatchObject({phase: 'live', number: 2});
	given.says('AGT-001', ask);
	expect(ids(given)).toEqual(['q-3']);
});

test('another agent’s same words count', () => {
	const given = working(['AGT-001', 'AGT-002']);
	calls(given, 'ask', asked);
	given.says('AGT-002', ask);
	expect(given.state().items).toMatchObject([{agent: 'AGT-001'}, {agent: 'AGT-002'}]);
});

test('completion by a tool completes the agent, printed besides or not', () => {
	const given = working(['AGT-001']);
	calls(given, 'complete', {status: 'success'});
	given.says('AGT-001', report('success'));
	given.ends('AGT-001');
	expect(given.stateOf('AGT-001')).toBe('COMPLETE');
});

test('a call that can’t be read is answered at once and not told again', () => {
	const given = working(['AGT-001']);
	calls(given, 'ask', {});
	expect(given.agent('AGT-001').malformed).toEqual([]);
	given.says('AGT-001', asking('blocked_at: here'));
	expect(given.agent('AGT-001').malformed).toHaveLength(1);
});

test('an agent listens in its call until the quick wait of its question is over', () => {
	const given = working(['AGT-001'], {settings: {quickMs: 20_000}});
	calls(given, 'ask', asked);
	expect(given.agent('AGT-001').listening).toMatchObject([{items: ['q-1']}]);
	const {awake} = given.state();
	expect(waitedMs(awake, given.timer('listening:')?.at)).toBe(20_000);

	const patient = working(['AGT-001'], {settings: {quickMs: 300_000}});
	calls(patient, 'ask', asked);
	const [call] = patient.agent('AGT-001').listening;
	expect(waitedMs(patient.state().awake, call?.until)).toBe(300_000);
});

test('nobody listens where questions escalate at once, nor after a printed question', () => {
	const hasty = working(['AGT-001'], {settings: {quickMs: 0}});
	calls(hasty, 'ask', asked);
	expect(hasty.agent('AGT-001').listening).toEqual([]);
	const printing = working(['AGT-001']);
	printing.says('AGT-001', ask);
	expect(printing.agent('AGT-001').listening).toEqual([]);
});

test('an answer within the wait is a reply to the live turn, and none later', () => {
	const given = working(['AGT-001']);
	calls(given, 'ask', asked);
	given.decide('q-1', '8080');
	expect(given.keys()).toContain('reply:AGT-001:q-1');
	given.work();
	const agent = given.agent('AGT-001');
	expect(agent.listening).toEqual([]);
	expect(agent.replies).toEqual([]);
	expect(agent.spokeAt).toBeUndefined();
	expect(given.stateOf('AGT-001')).toBe('RUNNING');
});

test('an answer after the wait is kept for the next prompt', () => {
	const given = working(['AGT-001']);
	calls(given, 'ask', asked);
	given.pass('listening:');
	expect(given.agent('AGT-001').spokeAt).toBe(given.state().at);
	given.decide('q-1', '8080');
	expect(given.keys().filter(key => key.startsWith('reply:'))).toEqual([]);
	given.ends('AGT-001');
	expect(given.agent('AGT-001').replies).toMatchObject([{item: 'q-1', text: '8080'}]);
	expect(given.keys()).toContain('start:AGT-001:2');
});

test('a call that asks several things is answered when none is left that holds', () => {
	const given = working(['AGT-001']);
	calls(given, 'ask', {questions: [{question: 'One?'}, {question: 'Two?'}]});
	given.decide('q-1', 'yes');
	expect(given.keys().filter(key => key.startsWith('reply:'))).toEqual([]);
	given.decide('q-2', 'no');
	expect(given.keys()).toContain('reply:AGT-001:q-1,q-2');
});

test('an agent that listens frees its place, and gets its answer only when there is one again', () => {
	const given = working(['AGT-001', 'AGT-002'], {settings: {parallel: 1}});
	expect(given.stateOf('AGT-002')).toBe('PENDING');
	calls(given, 'ask', asked);
	given.work();
	expect(given.stateOf('AGT-002')).toBe('RUNNING');
	given.decide('q-1', '8080');
	expect(given.keys().filter(key => key.startsWith('reply:'))).toEqual([]);
	given.finishes('AGT-002');
	expect(given.keys()).toContain('reply:AGT-001:q-1');
});

test('a text agent is not ended for silence while it listens', () => {
	const given = working(['AGT-001']);
	calls(given, 'ask', asked);
	const times = given
		.owed()
		.timers.filter(({event}) => ['listening', 'grace'].includes(event.deadline.of))
		.toSorted((one, other) => (one.at < other.at ? -1 : 1))
		.map(({event}) => event.deadline.of);
	expect(times).toEqual(['listening', 'grace']);
});

test('the end of its turn ends its listening', () => {
	const given = working([subtask('AGT-001')]);
	calls(given, 'ask', asked);
	given.ends('AGT-001');
	expect(given.agent('AGT-001').listening).toEqual([]);
	expect(given.owed().timers.map(({event}) => event.deadline)).toEqual([]);
});
