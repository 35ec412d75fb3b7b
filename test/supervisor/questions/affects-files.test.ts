import {expect, test} from 'vitest';
import {affectsFiles} from '../../../src/supervisor/questions/keep-questions.ts';
import {working} from '../../helpers/given.ts';

test('files of questions follow what is asked, and the clock, whatever event tells that it jumped', () => {
	const session = working(['AGT-001']);
	const tokens = {kind: 'tokens.counted', agent: 'AGT-001', turn: 1, tokens: 1} as const;
	session.tell(tokens, {kind: 'turn.ended', agent: 'AGT-001', turn: 1, end: {by: 'stopped'}});
	session.sleep(28_800_000);
	session.tell(tokens);
	expect(session.events().slice(-3).map(affectsFiles)).toEqual([false, true, true]);
});
