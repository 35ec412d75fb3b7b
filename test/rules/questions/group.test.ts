import {expect, it} from 'vitest';
import {openInGroup} from '../../../src/state/items/question/answer.ts';
import {asking, working} from '../../helpers/given.ts';

it('questions that were asked at once stay in their order, whichever was put off', () => {
	const session = working(['AGT-001']);
	const eleven = Array.from({length: 11}, (_, index) => `Which part ${index + 1}?`);
	session.says('AGT-001', asking(`questions: [${eleven.join(', ')}]`));
	session.decide('q-2', 'snooze');
	const state = session.state();
	expect(state.items.at(-1)?.id).toBe('q-2');
	expect(
		openInGroup(state, session.item('question')).map(({question}) => question.question),
	).toEqual(eleven);
});

it('takes no word for an answer that stopped the clock of a question once', () => {
	const session = working(['AGT-001']);
	session.says('AGT-001', asking('questions: [Which name?]'));
	expect(session.refusal('q-1', 'pause-clock')).toBeDefined();
	session.tell({kind: 'user.decided', item: 'q-1', choice: 'resume-clock', by: 'user'});
	expect(session.state().items.map(({id}) => id)).toEqual(['q-1']);
	expect(session.refusal('q-1', 'clock')).toBeUndefined();
});
