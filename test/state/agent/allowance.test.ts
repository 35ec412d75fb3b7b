import {describe, expect, it} from 'vitest';
import {
	proposedPattern,
	whyBadPattern,
	whyNoAllowance,
	wordsBeyond,
} from '../../../src/state/agent/allowance.ts';

describe('the pattern that is proposed', () => {
	it.each([
		['node --test test/sum.test.js', 'node --test *'],
		['npm run build -- --watch', 'npm run build *'],
		['npm test', 'npm test *'],
		['git commit -m "All of it"', 'git commit *'],
		['/usr/bin/make', '/usr/bin/make'],
		['rm -rf dist', 'rm -rf dist'],
		['python3 tool.py', 'python3 tool.py'],
		["bash -c 'npm test'", "bash -c 'npm test'"],
		['env CI=1 npm test', 'env CI=1 npm test'],
		["find src -name '*.tmp'", "find src -name '*.tmp'"],
		['uv run ./x.py', 'uv run ./x.py'],
		['npx --yes tool x', 'npx --yes tool x'],
	])('for "%s" is "%s"', (command, pattern) => {
		expect(proposedPattern(command)).toBe(pattern);
		expect(wordsBeyond(pattern, command)).toBeDefined();
	});
});

describe('a pattern', () => {
	it.each([
		['node --test *', 'node --test a.js b.js', ['a.js', 'b.js']],
		['node --test *', 'node --test', []],
		['node --test *', 'node a.js --test', undefined],
		['node --test *', 'node --tests', undefined],
		['node --test *', 'node --test a.js; rm -rf .', undefined],
		['node --test *', 'node --test $(cat list)', undefined],
		['node --test *', 'node --test a.js > out', undefined],
		['node --test *', 'node --test\nrm a', undefined],
		['npm run *', 'npm run claude', undefined],
		['make all', 'make all', []],
		['make all', 'make all install', undefined],
	])('"%s" covers "%s" up to %j', (pattern, command, beyond) => {
		expect(wordsBeyond(pattern, command)).toEqual(beyond);
	});

	it.each([
		['*', 'A pattern is'],
		['', 'A pattern is'],
		['npm test && rm *', 'A pattern is'],
		['node *', '"node *" would allow everything'],
		['bash -c *', 'bash runs any command'],
		['/usr/bin/sudo npm *', '/usr/bin/sudo runs any command'],
		['npx codex *', 'No agent may start another one'],
	])('"%s" is refused: %s', (pattern, why) => {
		expect(whyBadPattern(pattern)).toContain(why);
	});
});

it('is not offered for what only a shell understands', () => {
	expect(whyNoAllowance('npm test | tail')).toContain('Only a plain command');
	expect(whyNoAllowance('npm test')).toBeUndefined();
});
