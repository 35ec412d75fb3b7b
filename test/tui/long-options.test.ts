import {describe, expect, test} from 'vitest';
import {bodyOf} from '../../src/tui/screens/body.ts';
import {expectToFit} from './a-frame.ts';
import {openAt, small, type TestScreen, whenFirst} from './a-screen.ts';

const asking = async (...options: readonly string[]): Promise<TestScreen> => {
	const {state} = await whenFirst('questions-and-checkpoints', 'question');
	const items = state.items.map(item =>
		item.kind === 'question' ? {...item, question: {...item.question, options}} : item,
	);
	return openAt('question', {state: {...state, items}});
};

const joined = (text: string): string => text.replaceAll(/[↳│\s]/g, '');

const sentence =
	'On each line, half away from zero, as Sweden does for cash payments, and as the old code did before it';

describe('an option of a question', () => {
	test('goes on in the next row, and the others stay beside what they mean', async () => {
		const screen = await asking(sentence, 'On each rate', 'On the whole invoice');
		const frame = screen.frame();
		expect(joined(frame)).toContain(joined(`1 ${sentence} 2 On each rate`));
		expect(frame).toMatch(/^ 1 {2}On each .* and as\n {2}↳ the old code did before it$/m);
		expect(frame).toContain(' 2  On each rate');
		expect(frame).toContain(' 3  On the whole invoice');
		expect(frame).toMatch(/ z {2}snooze {2,}Look at it later/);
		expectToFit(frame, small);
	});

	test('that is too long for its rows ends in an ellipsis, and is told whole above', async () => {
		const screen = await asking(`${'word '.repeat(200)}and its end`, 'the other');
		const frame = screen.frame();
		expect(frame).toMatch(/↳ .*…/);
		expect(frame).toContain(' 2  the other');
		const rows = bodyOf(screen.context()).rows.slice();
		const told = rows.map(cells => cells.map(({text}) => text).join('')).join('\n');
		expect(joined(told)).toContain(joined(`${'word '.repeat(200)}and its end`));
	});
});
