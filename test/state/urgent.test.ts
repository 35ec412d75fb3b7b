import {expect, test} from 'vitest';
import {itemText} from '../../src/client/texts/item-text.ts';
import {inbox} from '../../src/rules/inbox.ts';
import {statusOf} from '../../src/rules/status.ts';
import {saying} from '../helpers/given.ts';

const ask = (question: string, isUrgent: boolean): string =>
	`[CLARIFICATION_NEEDED]\n${isUrgent ? 'urgent: true\n' : ''}questions: [{question: ${question}}]\n[/CLARIFICATION_NEEDED]\n`;

test('what is urgent comes before what waits already, behind what was urgent before it', () => {
	const session = saying(ask('Whenever?', false), ['AGT-001', 'AGT-002', 'AGT-003']);
	session.says('AGT-002', ask('At once?', true));
	session.says('AGT-003', ask('At once as well?', true));
	session.says('AGT-001', ask('Some day?', false));
	expect(inbox(session.state()).map(({title}) => title)).toEqual([
		'At once?',
		'At once as well?',
		'Whenever?',
		'Some day?',
	]);
	expect(statusOf(session.state(), () => ({worktree: '', branch: ''}))).toMatchObject({
		inbox: 4,
		urgent: 2,
	});
	const [first] = inbox(session.state());
	expect(first && itemText(first, 'store')).toMatch(/^q-2 {2}AGT-002 {2}question, urgent\n/);
	session.decide('q-2', 'snooze');
	expect(inbox(session.state()).map(({id}) => id)).toEqual(['q-3', 'q-1', 'q-4', 'q-2']);
});

test('who waits comes before the work of who has finished, also what was put off', () => {
	const session = saying(ask('First?', false), ['AGT-001', 'AGT-002', 'AGT-003']);
	session.finishes('AGT-002');
	session.says('AGT-003', ask('Later?', false));
	const kinds = () => inbox(session.state()).map(({id}) => id);
	expect(kinds()).toEqual(['q-1', 'q-2', 'r-1']);
	session.decide('q-1', 'snooze');
	expect(kinds()).toEqual(['q-2', 'r-1', 'q-1']);
});
