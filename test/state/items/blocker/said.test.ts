import {expect, test} from 'vitest';
import {commandIn} from '../../../../src/state/items/blocker.ts';

test.each([
	['run `touch installed.txt` first', 'touch installed.txt'],
	['npm ci has run', 'npm ci'],
	['need npm install', 'npm install'],
	['Please run npm install --save-dev vitest in the worktree', 'npm install --save-dev vitest'],
	['./scripts/seed.sh --all', './scripts/seed.sh --all'],
	['the opening hours of the tea house', undefined],
	['a node that is up', undefined],
	[undefined, undefined],
])('of %j the command is %j', (words, command) => {
	expect(commandIn(words)).toBe(command);
});
