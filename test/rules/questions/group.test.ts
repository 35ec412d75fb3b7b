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
