import {describe, expect, test} from 'vitest';
import {changeIn} from '../../src/rules/repeated-change.ts';

const patch = (...lines: readonly string[]): string =>
	['a/x b/x', 'index 1..2 100644', '--- a/x', '+++ b/x', ...lines, ''].join('\n');

const renaming = (before: string, after: string): string =>
	patch('@@ -7,2 +7,2 @@ there', ' const a = 1;', `-${before}`, `+${after}`);

describe('two files change in the same way', () => {
	test('where a line comes at the top of both', () => {
		const licence = (first: string) => patch('@@ -1,1 +1,2 @@', '+// MIT', ` ${first}`);
		expect(changeIn(licence('one();'))).toBeDefined();
		expect(changeIn(licence('one();'))).toBe(changeIn(licence('other(2);')));
	});

	test('where the same words take the place of the same words as often', () => {
		const twice = (...lines: readonly (readonly [before: string, after: string])[]) =>
			patch(...lines.flatMap(([before, after]) => ['@@ -3,1 +3,1 @@', `-${before}`, `+${after}`]));
		const apart = twice(['  f(oldName);', '  f(newName);'], ['g(oldName);', 'g(newName);']);
		expect(changeIn(apart)).toBeDefined();
		expect(changeIn(apart)).toBe(
			changeIn(renaming('return oldName + oldName;', 'return newName + newName;')),
		);
	});

	test('where the same line goes behind the same line', () => {
		const without = (place: number) =>
			patch(`@@ -${place},2 +${place},1 @@`, ' start();', '-  log(1);');
		expect(changeIn(without(3))).toBeDefined();
		expect(changeIn(without(3))).toBe(changeIn(without(40)));
	});
});

describe('two files do not change in the same way', () => {
	const plain = renaming('oldName()', 'newName()');

	test.each([
		['other words come', renaming('oldName()', 'otherName()')],
		['a sign comes with the words', renaming('oldName()', '!newName()')],
		['a number is another one', renaming('oldName(1)', 'newName(2)')],
		['the words are replaced more often', renaming('oldName(oldName)', 'newName(newName)')],
		['a line comes besides', patch('@@ -7,1 +7,2 @@', '-oldName()', '+newName()', '+more()')],
	])('where %s', (_, other) => {
		expect(changeIn(other)).not.toBe(changeIn(plain));
	});

	test.each([
		['comes', ['+return true;']],
		['goes', ['-return;']],
		['becomes another', ['-return;', '+return deny();']],
	])('where the same line %s behind different lines', (_, lines) => {
		const behind = (line: string) => patch('@@ -7,2 +7,2 @@', ` ${line}`, ...lines);
		expect(changeIn(behind('log(a);'))).toBeDefined();
		expect(changeIn(behind('log(a);'))).not.toBe(changeIn(behind('if (!user.isAdmin) {')));
	});

	test.each([
		['true', 'false'],
		['null', 'user'],
		['None', 'True'],
		['and', 'or'],
		['return', 'await'],
		['&&', '||'],
		['1', '2'],
	])('where %s becomes %s in different lines', (before, after) => {
		const within = (line: string) =>
			changeIn(renaming(line.replace('…', before), line.replace('…', after)));
		expect(within('a … b')).not.toBe(within('c … d'));
	});
});

test.each([
	['it comes behind a line without words', patch('@@ -7,1 +7,2 @@', ' }', '+return true;')],
	['it goes from behind a line without words', patch('@@ -7,2 +7,1 @@', ' }', '-return;')],
	['it is no text', renaming('one', 'tw\uFFFD')],
	[
		'it is not small',
		patch('@@ -1,0 +1,60 @@', ...Array.from({length: 60}, (_, n) => `+line ${n}`)),
	],
	['it replaces the same word in many places', renaming('a,'.repeat(13), 'b,'.repeat(13))],
	['there are no lines', patch('Binary files a/x and b/x differ')],
])('a change is compared with none where %s', (_, text) => {
	expect(changeIn(text)).toBeUndefined();
});
