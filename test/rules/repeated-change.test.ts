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

	test('where the same words take the place of the same words, however often', () => {
		const twice = patch(
			...['@@ -3,1 +3,1 @@', '-  f(oldName);', '+  f(newName);'],
			...['@@ -9,1 +9,1 @@', '-return oldName + oldName;', '+return newName + newName;'],
		);
		expect(changeIn(twice)).toBeDefined();
		expect(changeIn(twice)).toBe(changeIn(renaming('oldName()', 'newName()')));
	});

	test('where the same line goes', () => {
		const without = (place: number) => patch(`@@ -${place},2 +${place},1 @@`, ' {', '-  log(1);');
		expect(changeIn(without(3))).toBe(changeIn(without(40)));
	});
});

describe('two files do not change in the same way', () => {
	const plain = renaming('oldName()', 'newName()');

	test.each([
		['other words come', renaming('oldName()', 'otherName()')],
		['a sign comes with the words', renaming('oldName()', '!newName()')],
		['a number is another one', renaming('oldName(1)', 'newName(2)')],
		['a line comes besides', patch('@@ -7,1 +7,2 @@', '-oldName()', '+newName()', '+more()')],
	])('where %s', (_, other) => {
		expect(changeIn(other)).not.toBe(changeIn(plain));
	});

	test('where the same line comes behind different lines', () => {
		const behind = (line: string) => patch('@@ -7,1 +7,2 @@', ` ${line}`, '+return true;');
		expect(changeIn(behind('start();'))).not.toBe(changeIn(behind('stop();')));
	});
});

test.each([
	['it comes behind a line without words', patch('@@ -7,1 +7,2 @@', ' }', '+return true;')],
	['it is no text', renaming('one', 'tw\uFFFD')],
	[
		'it is not small',
		patch('@@ -1,0 +1,60 @@', ...Array.from({length: 60}, (_, n) => `+line ${n}`)),
	],
	['there are no lines', patch('Binary files a/x and b/x differ')],
])('a change is compared with none where %s', (_, text) => {
	expect(changeIn(text)).toBeUndefined();
});
