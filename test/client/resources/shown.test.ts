import {expect, test} from 'vitest';
import {readShown, writeShown} from '../../../src/client/resources/shown.ts';

const resources = {
	'work:AGT-001@abc': {phase: 'ready', lines: ['+one'], total: 1},
	'c-1@abc': {
		phase: 'ready',
		lines: ['one, cut'],
		...{total: 1, cut: 1, remark: 'As it was kept.'},
		preview: {words: ['Nothing else is left to decide before the check.']},
	},
} as const;

test('what was shown is read as it was written', () => {
	const text = writeShown(resources);
	expect(readShown(`${text}nonsense\n`)).toEqual(resources);
});
