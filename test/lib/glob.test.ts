import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {compileGlob} from '../../src/lib/glob.ts';
import {whyBadGlob} from '../../src/state/agent/scope.ts';

const isMatch = (glob: string, path: string, folders: 'under' | 'itself and under' = 'under') => {
	const matcher = compileGlob(glob, folders);
	if (matcher === undefined) {
		throw new Error(`${glob} ${whyBadGlob(glob)}`);
	}

	return matcher(path.split('/'));
};

describe('a glob matches', () => {
	test.each([
		['src/limit.ts', 'src/limit.ts'],
		['src', 'src'],
		['src', 'src/a/b.ts'],
		['src/', 'src/a/b.ts'],
		['src/**', 'src/a/b.ts'],
		['**', 'a/b'],
		['**', '.env'],
		['src/*', 'src/.env'],
		['src/*', 'src/\na\nb'],
		['src/**', 'src/a\u2028b/c'],
		['**/*.ts', 'a.ts'],
		['**/*.ts', '.a/b/c.ts'],
		['packages/*/src', 'packages/a/src/deep/b.ts'],
		['src/**/test/**/*.ts', 'src/a/test/b/c/d.ts'],
		['src/**/test/**/*.ts', 'src/test/d.ts'],
		['src/v?.ts', 'src/v1.ts'],
		['src/{api,web}/*.{ts,tsx}', 'src/web/a.tsx'],
		['{src,test/unit}/**', 'test/unit/a'],
		['a{b,{c,d}}', 'ad'],
		['{,x}a', 'a'],
		['app/[id]/page.tsx', 'app/[id]/page.tsx'],
		['app/[id]/*', 'app/[id]/page.tsx'],
		['v[12]*', 'v2.ts'],
		['v[!12]*', 'v3.ts'],
		['app/(group)/*', 'app/(group)/page.tsx'],
		['app/(group)*/a', 'app/(group)-2/a'],
		['a+(b)/*', 'a+(b)/c'],
		['@scope/*', '@scope/x'],
		['"a"*', '"a"b'],
		['$x/^*', '$x/^y'],
		['a|b*', 'a|bc'],
		['é/*', 'é/ü'],
	])('%s: %s', (glob, path) => {
		expect(isMatch(glob, path)).toBe(true);
	});
});

describe('a glob does not match', () => {
	test.each([
		['src', 'source'],
		['src', 'test/src'],
		['src/**', 'src'],
		['src/', 'src'],
		['src/*', 'src/a/b'],
		['*.ts', 'a/b.ts'],
		['**/*.ts', 'a.tsx'],
		['src/v?.ts', 'src/v10.ts'],
		['src/?', 'src/a/b'],
		['a.ts', 'axts'],
		['Src/*', 'src/a'],
		['app/(group)/*', 'app/group/page.tsx'],
		['app/(group)*/a', 'app/group-2/a'],
		['a+(b)/*', 'ab/c'],
		['v[!12]*', 'v1.ts'],
		['a[^b]c', 'a/c'],
		['packages/*/src', 'packages/src'],
	])('%s: %s', (glob, path) => {
		expect(isMatch(glob, path)).toBe(false);
	});
});

test('what is forbidden below a folder forbids the folder itself', () => {
	for (const glob of ['src/legacy/**', 'src/legacy/', 'src/legacy']) {
		expect(isMatch(glob, 'src/legacy', 'itself and under')).toBe(true);
		expect(isMatch(glob, 'src/legacy/a', 'itself and under')).toBe(true);
		expect(isMatch(glob, 'src', 'itself and under')).toBe(false);
	}
});

describe('a glob is refused', () => {
	test.each([
		['', 'is empty'],
		['/', 'is absolute'],
		['/a', 'is absolute'],
		['..', '`..`'],
		['a/../b', '`..`'],
		['{a,..}/b', '`..`'],
		['.', '`.` step'],
		['./a', '`.` step'],
		['a//b', 'an empty step'],
		['a//', 'an empty step'],
		['a/{,b}/c', 'an empty step'],
		['a\\*', 'a backslash'],
		['a\nb', 'a control character'],
		['!a', 'starts with `!`'],
		['**.ts', 'joins `**`'],
		['a/***', 'joins `**`'],
		['a*b*c*d*', 'more than 3 `*`'],
		['{a', 'unbalanced braces'],
		['a}', 'unbalanced braces'],
		['{a,{b,c}', 'unbalanced braces'],
		['{a}', 'do not list alternatives'],
		['{1..3}', 'do not list alternatives'],
		['[a', 'unbalanced brackets'],
		['a]', 'unbalanced brackets'],
		['[a/b]', 'unbalanced brackets'],
		['[[:alpha:]]', 'unbalanced brackets'],
		['[b-a]', 'no range of characters'],
		['{a,b}'.repeat(7), 'more than 64 patterns'],
		['{a,b}'.repeat(51), 'more than 64 patterns'],
		['a'.repeat(257), 'longer than 256'],
	])('%s', (glob, why) => {
		expect(whyBadGlob(glob)).toContain(why);
		expect(compileGlob(glob, 'under')).toBeUndefined();
	});

	test.each(['a'.repeat(256), '{a,b}'.repeat(6), 'a/', '..a/b..', '...', ' a b '])(
		'but not %s',
		glob => {
			expect(whyBadGlob(glob)).toBeUndefined();
		},
	);
});

/** The same language as slow, plain recursion. */
const matchesSlowly = (pattern: readonly string[], steps: readonly string[]): boolean => {
	const [first, ...rest] = pattern;
	if (first === undefined) {
		return steps.length === 0;
	}

	if (first === '**') {
		return (
			steps.some((_, index) => matchesSlowly(rest, steps.slice(index))) || matchesSlowly(rest, [])
		);
	}

	const [name, ...others] = steps;
	return name !== undefined && nameMatches([...first], [...name]) && matchesSlowly(rest, others);
};

const nameMatches = (pattern: readonly string[], name: readonly string[]): boolean => {
	const [first, ...rest] = pattern;
	if (first === '*') {
		return nameMatches(rest, name) || (name.length > 0 && nameMatches(pattern, name.slice(1)));
	}

	return first === undefined
		? name.length === 0
		: name.length > 0 && (first === '?' || first === name[0]) && nameMatches(rest, name.slice(1));
};

const step = fc.constantFrom('a', 'b', '*', '?', 'a*', '*b', '?a', 'a*b*', '**', '.a', 'ab');
const name = fc.stringMatching(/^[ab.]{1,4}$/).filter(text => text !== '.' && text !== '..');

test('a glob matches what plain recursion says', () => {
	fc.assert(
		fc.property(
			fc.array(step, {minLength: 1, maxLength: 6}),
			fc.array(name, {minLength: 1, maxLength: 7}),
			(pattern, steps) => {
				// The end of a glob says more than that, so this one ends in a plain wildcard.
				const whole = [...pattern, 'a*'];
				const path = [...steps, 'ab'];
				expect(isMatch(whole.join('/'), path.join('/'))).toBe(matchesSlowly(whole, path));
			},
		),
		{numRuns: 3000},
	);
});

test('reading a glob never throws, and one that is read compiles', () => {
	const signs = fc.array(fc.constantFrom(...'ab*?[]{}(),/.!+@|\\-^$"'), {maxLength: 20});
	fc.assert(
		fc.property(
			fc.oneof(
				fc.string({unit: 'binary'}),
				signs.map(list => list.join('')),
			),
			glob => {
				expect(compileGlob(glob, 'under') === undefined).toBe(whyBadGlob(glob) !== undefined);
			},
		),
		{numRuns: 1000},
	);
});

test('hostile globs and paths take time in bounds', () => {
	const globs = [
		`${'**/a/'.repeat(50)}b`,
		'**/*a*a*b/'.repeat(20),
		'{a,a,a,a}{a,a,a,a}{a,a,a,a}/**/b',
		`**/${'?'.repeat(200)}`,
	];
	const paths = [`${'a/'.repeat(2000)}c`, `${`${'a'.repeat(250)}/`.repeat(16)}c`];
	for (const glob of globs) {
		for (const path of paths) {
			expect(isMatch(glob, path)).toBe(false);
		}
	}
}, 5000);
