import {expect, test} from 'vitest';
import {questionRecordText} from '../../../src/client/texts/question-record-text.ts';
import {auditLine, recordsOf} from '../../../src/rules/question-record.ts';
import {asking, type Given, working} from '../../helpers/given.ts';

const asked = (fields = 'questions: [{question: Which auth?, options: [oauth, jwt]}]'): Given => {
	const session = working(['AGT-001'], {settings: {quickMs: 300_000}});
	session.says('AGT-001', asking(fields));
	return session;
};

const closedIn = (session: Given) => recordsOf(session.events()).map(({closed}) => closed);

test('an answer while the agent waits is quick, with the time it took', () => {
	const session = asked();
	session.wait(60_000);
	session.decide('q-1', 'jwt', 'as before');
	expect(closedIn(session)).toMatchObject([
		{
			how: 'answered',
			answer: 'jwt',
			note: 'as before',
			by: 'user',
			responseMs: 61_000,
			path: 'quick',
		},
	]);
});

test('an answer after the wait, in the same turn, is late', () => {
	const session = asked();
	session.wait(125_000);
	session.decide('q-1', 'jwt');
	expect(closedIn(session)).toMatchObject([{path: 'late'}]);
});

test('an answer for an agent that let go is one to what it escalated', () => {
	const session = asked();
	session.ends('AGT-001');
	session.wait(2 * 3_600_000);
	session.decide('q-1', 'oauth');
	expect(closedIn(session)).toMatchObject([{path: 'escalated', answer: 'oauth'}]);
});

test('an answer that its agent went on without is late', () => {
	const session = asked('questions: [Port?, Host?]\nall_required: false');
	session.ends('AGT-001');
	session.decide('q-1', '8080');
	session.work();
	session.ends('AGT-001');
	session.decide('q-2', 'localhost');
	expect(closedIn(session)).toMatchObject([{path: 'escalated'}, {path: 'late'}]);
});

test('an answer on the web page comes from the browser, whatever terminal serves it', () => {
	const session = asked();
	const asker = {way: 'delegate-tui web', pid: 7, tty: '/dev/pts/1', parents: []};
	session.tell({kind: 'user.decided', item: 'q-1', choice: 'jwt', by: 'web', asker});
	expect(closedIn(session)).toMatchObject([{by: 'web', from: 'the browser'}]);
	expect(recordsOf(session.events()).flatMap(questionRecordText).join('\n')).toContain(
		'→ jwt  by: web, from the browser, after ',
	);
});

test.each([
	[
		'/opt/x/bin/../node_modules/.bin/node /opt/x/bin/delegate-tui.cjs answer q-1 jwt',
		'delegate-tui answer q-1 jwt',
	],
	['node /usr/bin/delegate-tui answer', 'delegate-tui answer'],
	['python3 answer.py delegate-tui', 'python3 answer.py delegate-tui'],
])('an answer without a terminal by "%s" comes from "%s"', (way, from) => {
	const session = asked();
	const asker = {way, pid: 7, tty: null, parents: []};
	session.tell({kind: 'user.decided', item: 'q-1', choice: 'jwt', by: 'user', asker});
	expect(closedIn(session)).toMatchObject([{by: 'user', from}]);
});

test('what is put off is still open, and what nobody needs any more has no answer', () => {
	const session = asked();
	session.refusal('q-1', 'snooze');
	expect(closedIn(session)).toEqual([undefined]);
	session.tell({kind: 'user.decided', item: 'session', choice: 'stop', by: 'user'});
	expect(closedIn(session)).toMatchObject([{how: 'gone'}]);
});

test('a line of the audit log is one answer, whatever was asked and said', () => {
	const session = asked('questions: [{question: "a | b\\\\c?", type: text}]');
	session.decide('q-1', 'first\nsecond | third');
	const [record] = recordsOf(session.events());
	const line = record?.closed?.how === 'answered' ? auditLine(record, record.closed) : '';
	expect(line).toMatch(
		/^2026-01-01T[\d:]+Z \| .+_AGT-001_q-1 \| a \\\| b\\\\c\? \| first\\nsecond \\\| third \| 1s \| quick$/,
	);
});
