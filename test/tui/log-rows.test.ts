import {expect, test} from 'vitest';
import type {EventLine} from '../../src/client/model.ts';
import {frameOf} from '../../src/tui/frame.ts';
import {openScreen, whenFirst} from './a-screen.ts';

test('of a long log only the rows in sight are made, wherever the person has scrolled to', async () => {
	const known = await whenFirst('questions-and-checkpoints', 'question');
	const asked = new Set<number>();
	const event = known.log[0]?.event ?? expect.unreachable('It has a log.');
	const log = Array.from(
		{length: 2000},
		(_, index): EventLine => ({
			event: {...event, seq: index + 1},
			waiting: [],
			get text() {
				asked.add(index);
				return `happening ${index}`;
			},
		}),
	);
	const screen = openScreen({...known, log});
	screen.press('l');
	asked.clear();
	expect(
		frameOf(screen.context())
			.flat()
			.map(({text}) => text),
	).toContain('happening 1999');
	expect(asked.size).toBeLessThan(30);

	screen.press('g');
	asked.clear();
	expect(
		frameOf(screen.context())
			.flat()
			.map(({text}) => text),
	).toContain('happening 0');
	expect(Math.max(...asked)).toBeLessThan(30);
});
