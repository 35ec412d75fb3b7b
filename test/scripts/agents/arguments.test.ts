import {expect, test} from 'vitest';
import {readArguments} from '../../../scripts/agents/arguments.ts';

const all = ['claude', 'codex', 'gemini', 'opencode'];

test.each([
	[[], {wanted: all, keep: false, readme: false}],
	[['gemini', 'codex', '--keep'], {wanted: ['codex', 'gemini'], keep: true, readme: false}],
	[['--readme'], {wanted: all, keep: false, readme: true}],
])('understands %j', (words, wanted) => {
	expect(readArguments(words)).toEqual(wanted);
});

test.each([[['cloud']], [['--quick']], [['claude', '--readme']]])(
	'does not understand %j',
	words => {
		expect(readArguments(words)).toBeUndefined();
	},
);
