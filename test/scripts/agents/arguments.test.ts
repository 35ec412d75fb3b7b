import {expect, test} from 'vitest';
import {readArguments} from '../../../scripts/agents/arguments.ts';

const all = ['claude', 'codex', 'gemini', 'opencode', 'qwen', 'copilot'];

test.each([
	[[], {wanted: all, keep: false, docs: false, faults: false, only: ''}],
	[
		['gemini', 'codex', '--keep'],
		{wanted: ['codex', 'gemini'], keep: true, docs: false, faults: false, only: ''},
	],
	[['--docs'], {wanted: all, keep: false, docs: true, faults: false, only: ''}],
	[['claude', '--faults'], {wanted: ['claude'], keep: false, docs: false, faults: true, only: ''}],
	[
		['--faults', '--only', 'no login'],
		{wanted: all, keep: false, docs: false, faults: true, only: 'no login'},
	],
])('understands %j', (words, wanted) => {
	expect(readArguments(words)).toEqual(wanted);
});

test.each([[['cloud']], [['--quick']], [['claude', '--docs']], [['--docs', '--only', 'x']]])(
	'does not understand %j',
	words => {
		expect(readArguments(words)).toBeUndefined();
	},
);
