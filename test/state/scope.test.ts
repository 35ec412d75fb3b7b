import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	allows,
	globallyForbidden,
	judge,
	whollyForbidden,
	whyBadPath,
} from '../../src/state/agent/scope.ts';

const scope = {
	allowed: ['src/**', 'docs', '.claude/**', '.git/**', 'lib/é.ts'],
	forbidden: ['src/legacy/**', 'src/**/*.secret', 'src/É'],
};

const outside = (path: string) => {
	const verdict = judge(scope, path);
	return typeof verdict === 'string' ? verdict : verdict.outside;
};

test('what is forbidden whole is known by its name, unless that is a glob or of what agents keep for themselves', () => {
	const forbidden = [
		...['src/legacy/**', 'lib/', 'a.txt', 'src/{one,two}/**', 'src/**/*.secret', 'app/[id]', '**'],
		...['.delegate/**', '/absolute', '../other'],
	];
	expect(whollyForbidden({allowed: ['**'], forbidden})).toEqual([
		...['docs/01_progress.md', 'docs/00_MASTER_INDEX.md', 'docs/logs', '.claude'],
		...['SKIPPED_ITEMS.md', 'src/legacy', 'lib', 'a.txt', 'src/one', 'src/two'],
	]);
});

describe('a path is', () => {
	test.each([
		['src/a.ts', 'allowed'],
		['src/.env', 'allowed'],
		['docs', 'allowed'],
		['docs/a/b.md', 'allowed'],
		['lib/é.ts', 'allowed'],
		['src/.gitignore', 'allowed'],
		['src/git/a', 'allowed'],
		['src/docs/logs/a', 'allowed'],
		['src', 'not allowed'],
		['Src/a.ts', 'not allowed'],
		['lib/e\u0301.ts', 'not allowed'],
		['README.md', 'not allowed'],
		['src/legacy/a.ts', 'forbidden'],
		['src/legacy', 'forbidden'],
		['src/Legacy/a.ts', 'forbidden'],
		['src/a.SECRET', 'forbidden'],
		['src/e\u0301/a', 'forbidden'],
		['src/le\u200dgacy/a.ts', 'forbidden'],
		['.git', 'global'],
		['.git/config', 'global'],
		['src/.git/config', 'global'],
		['src/sub/.GIT', 'global'],
		['src/.g\u200cit/config', 'global'],
		['.claude/settings.json', 'global'],
		['.claude', 'global'],
		['.Claude/settings.json', 'global'],
		['docs/01_progress.md', 'global'],
		['docs/01_PROGRESS.md', 'global'],
		['doc\u017f/01_progress.md', 'global'],
		['docs/00_MASTER_INDEX.md', 'global'],
		['docs/logs/delegation_registry.md', 'global'],
		['docs/logs', 'global'],
		['SKIPPED_ITEMS.md', 'global'],
		['.delegate/findings.jsonl', 'private'],
		['.delegate', 'private'],
		['.Delegate/x', 'private'],
		['.delegate/.git/config', 'global'],
		['.delegated/x', 'not allowed'],
		['src/.delegate/x', 'allowed'],
	])('%s: %s', (path, verdict) => {
		expect(outside(path)).toBe(verdict);
		expect(allows(scope, path)).toBe(verdict === 'allowed');
	});
});

test.each([
	'',
	'/',
	'/src/a.ts',
	'src/',
	'src//a.ts',
	'./src/a.ts',
	'src/./a.ts',
	'src/../.git/config',
	'.delegate/../src/a.ts',
	'..',
	`src/${'a'.repeat(256)}`,
	`src/${'a/'.repeat(2100)}b`,
])('%j is no path below the root, so it is not allowed', path => {
	expect(judge({allowed: ['**'], forbidden: []}, path)).toEqual({outside: 'not allowed'});
});

test('a scope without globs allows nothing', () => {
	expect(judge({allowed: [], forbidden: []}, 'a')).toEqual({outside: 'not allowed'});
});

test('a glob that can’t be read allows nothing, or forbids everything', () => {
	expect(judge({allowed: ['/**', 'a{', ''], forbidden: []}, 'a')).toEqual({outside: 'not allowed'});
	expect(judge({allowed: ['**'], forbidden: ['a{']}, 'b')).toEqual({outside: 'forbidden'});
});

test('a widened scope is judged again', () => {
	const narrow = {allowed: ['src/api'], forbidden: []};
	expect(judge(narrow, 'src/web/a')).toEqual({outside: 'not allowed'});
	expect(judge({...narrow, allowed: [...narrow.allowed, 'src/web']}, 'src/web/a')).toBe('allowed');
	expect(judge(narrow, 'src/web/a')).toEqual({outside: 'not allowed'});
});

const anyText = fc.oneof(
	fc.string(),
	fc.string({unit: 'binary'}),
	fc.array(fc.integer({min: 0, max: 0xffff})).map(units => String.fromCharCode(...units)),
	fc
		.array(fc.constantFrom('a', '*', '**', '?', '{', '}', ',', '[', ']', '/', '.', '..', '\ud800'))
		.map(parts => parts.join('')),
);
const anyScope = fc.record({
	allowed: fc.array(anyText, {maxLength: 4}),
	forbidden: fc.array(anyText, {maxLength: 4}),
});

test('judging never throws, whatever the path and the globs are', () => {
	fc.assert(
		fc.property(anyScope, anyText, (globs, path) => {
			const verdict = judge(globs, path);
			expect(['string', 'object']).toContain(typeof verdict);
			expect(allows(globs, path)).toBe(verdict === 'allowed');
		}),
		{numRuns: 3000},
	);
});

const name = fc.stringMatching(/^[a-cA-C.é\ud800 ]{1,5}$/).filter(text => !/^\.{1,2}$/.test(text));
const names = fc.array(name, {minLength: 1, maxLength: 5});

test('forbidden always wins, in any case and whatever is allowed', () => {
	fc.assert(
		fc.property(names, names, anyScope, fc.boolean(), (folder, rest, globs, isUpper) => {
			const forbidden = [...globs.forbidden, folder.join('/')];
			const path = [...folder, ...rest].join('/');
			const written = isUpper ? path.toUpperCase() : path;
			expect(judge({allowed: ['**', ...globs.allowed], forbidden}, written)).toEqual({
				outside: 'forbidden',
			});
		}),
	);
});

test('what is global stays so, whatever is allowed', () => {
	const globals = globallyForbidden.map(glob => glob.replace('**', 'x/y'));
	const paths = fc.oneof(
		fc.constantFrom(...globals),
		fc.tuple(names, names).map(([above, below]) => [...above, '.git', ...below].join('/')),
	);
	fc.assert(
		fc.property(paths, anyScope, (path, globs) => {
			const allowed = ['**', path, ...globs.allowed];
			expect(judge({...globs, allowed}, path)).toEqual({outside: 'global'});
		}),
	);
});

test('everything else below the root is allowed to who may write everywhere', () => {
	fc.assert(
		fc.property(names, steps => {
			expect(judge({allowed: ['**'], forbidden: []}, steps.join('/'))).toBe('allowed');
		}),
	);
});

test.each([
	['', 'is empty'],
	['/etc/passwd', 'is absolute'],
	['../x', '`..`'],
	['a/./b', '`.` step'],
	['a//b', 'an empty step'],
	['a\0', 'a NUL character'],
	['a'.repeat(5000), 'longer than 4096'],
])('the path %j is refused', (path, why) => {
	expect(whyBadPath(path)).toContain(why);
});

test.each(['a', 'a/b', 'docs/', 'a\\b', 'a*', '{a', '..a'])('the path %j is fine', path => {
	expect(whyBadPath(path)).toBeUndefined();
});
