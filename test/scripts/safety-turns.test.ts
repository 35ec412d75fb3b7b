import {expect, test} from 'vitest';
import {isFileInTurn, isTestInTurn} from '../../scripts/safety/turns.ts';

const turnsOf = (file: string, position: number): readonly number[] =>
	Array.from({length: 24}, (_, index) => 941 + index).filter(
		turn => isFileInTurn(file, turn) && isTestInTurn(file, position, turn),
	);

test.each(['test/stories/undo.safety.ts', 'test/safety/zoo.safety.ts'])(
	'each test of %s is tried once by twelve commits in a row',
	file => {
		for (const position of [0, 1, 2, 3, 44]) {
			const [first = 0, next = 0, ...more] = turnsOf(file, position);
			expect([first < 953, next - first, more]).toEqual([true, 12, []]);
		}
	},
);

test('the random walks, the journal and the lock are tried for each commit', () => {
	for (const name of ['simulation', 'journal', 'lock']) {
		expect(turnsOf(`test/safety/${name}.safety.ts`, 1)).toHaveLength(24);
	}
});
