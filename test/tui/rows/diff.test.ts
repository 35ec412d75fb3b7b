import {describe, expect, test} from 'vitest';
import {
	diffOf as changeOf,
	type DiffFile,
	otherOf,
	readDiff,
	wordsOfLine,
} from '../../../src/tui/rows/diff.ts';

const diffOf = (lines: readonly string[]): string =>
	['diff --git a/f b/f', 'index 1..2 100644', '--- a/f', '+++ b/f', ...lines, ''].join('\n');

/** The lines of a file, the changed words of each in brackets. */
const told = (file: DiffFile | undefined): readonly string[] =>
	(file?.lines ?? []).map(line => {
		const sign = {location: '@', same: ' ', added: '+', removed: '-', remark: '\\'}[line.kind];
		return (
			sign +
			wordsOfLine(line)
				.map(({text, changed}) => (changed ? `[${text}]` : text))
				.join('')
		);
	});

describe('what changed in a line', () => {
	test('is told by its words, on both sides', () => {
		const diff = readDiff(diffOf(['@@ -1 +1 @@', '-const most = 10;', '+const most = 100;']));
		expect(told(diff[0])).toEqual(['@line 1', '-const most = [10];', '+const most = [100];']);
	});

	test('is found where other lines were added before it', () => {
		const lines = [
			'@@ -1 +1,3 @@',
			'-return total;',
			'+// Members pay less.',
			'+// Much less.',
			'+return total * 0.9;',
		];
		expect(told(readDiff(diffOf(lines))[0])).toEqual([
			'@line 1',
			'-return total;',
			'+// Members pay less.',
			'+// Much less.',
			'+return total[ * 0.9];',
		]);
	});

	test('is not made up between lines that have little in common', () => {
		const lines = ['@@ -1 +1 @@', '-alpha beta gamma', '+one two three four'];
		expect(told(readDiff(diffOf(lines))[0])).toEqual([
			'@line 1',
			'-alpha beta gamma',
			'+one two three four',
		]);
	});

	test('is not looked for in lines that nobody wrote by hand', () => {
		const long = 'word '.repeat(100);
		const lines = ['@@ -1 +1 @@', `-${long}a`, `+${long}b`];
		expect(told(readDiff(diffOf(lines))[0])).toEqual(['@line 1', `-${long}a`, `+${long}b`]);
	});
});

test('of lines that are all rewritten, few are compared with others', () => {
	let read = 0;
	const lines = (sign: 'added' | 'removed') =>
		Array.from({length: 10_000}, (_, at) => ({
			kind: sign,
			get text() {
				read++;
				return [at, at * 7, at * 31].map(number => `${sign.slice(0, 2)}${number}`).join(' ');
			},
		}));
	const change = {removed: lines('removed'), added: lines('added')};
	expect(
		change.removed.map(line => otherOf(Object.assign(line, {change}))).every(other => !other),
	).toBe(true);
	expect(read).toBeLessThan(200_000);
});

describe('a file', () => {
	test('keeps lines that look like the head of a diff', () => {
		const lines = ['@@ -1,2 +1,2 @@', ' a', '--- x', '+++ y', '\\ No newline at end of file'];
		const [file] = readDiff(diffOf(lines));
		expect({added: file?.added, removed: file?.removed}).toEqual({added: 1, removed: 1});
		expect(told(file).at(-1)).toBe('\\ No newline at end of file');
	});

	test.each([
		['new file', 'new file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n'],
		[
			'deleted',
			'deleted file mode 100644\nindex 1..0\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
		],
		['mode 100644 → 100755', 'old mode 100644\nnew mode 100755\n'],
		['not text', 'index 1..2 100644\nBinary files a/f and b/f differ\n'],
	])('that is %s says so', (remark, rest) => {
		expect(readDiff(`diff --git a/f b/f\n${rest}`)).toMatchObject([{path: 'f', remark}]);
	});

	test('that was renamed tells from where', () => {
		const diff = 'diff --git a/old b/new\nsimilarity index 100%\nrename from old\nrename to new\n';
		expect(readDiff(diff)).toMatchObject([{path: 'new', remark: 'renamed from old'}]);
	});

	test('is named as it is, although git quotes its name', () => {
		const diff =
			'diff --git "a/\\303\\274.js" "b/\\303\\274.js"\nindex 1..2 100644\n--- "a/\\303\\274.js"\n+++ "b/\\303\\274.js"\n@@ -1 +1 @@\n-q\n+r\n';
		expect(readDiff(` 1 file changed\n\n${diff}`)).toMatchObject([
			{path: 'ü.js', added: 1, removed: 1},
		]);
	});
});

test('a diff of nothing changes no file', () => {
	expect(readDiff('')).toEqual([]);
	expect(readDiff('\n')).toEqual([]);
});

describe('a change that is told by its text before and after', () => {
	const shown = (before: string, after: string) => {
		const file = changeOf('src/a.js', before, after);
		return {...file, lines: told(file)};
	};

	test('is what differs, with what stands around it', () => {
		expect(shown('a\nb\nc\nd\n', 'a\nb\nC\nd\n')).toMatchObject({
			remark: undefined,
			added: 1,
			removed: 1,
			lines: ['@line 1', ' a', ' b', '-c', '+C', ' d'],
		});
	});

	test('is a new file without a text before, and a deleted one without one after', () => {
		expect(shown('', 'a\n')).toMatchObject({remark: 'new file', added: 1, removed: 0});
		expect(shown('a\n', '')).toMatchObject({remark: 'deleted', added: 0, removed: 1});
	});

	test('is one text in place of the other, where hardly anything is the same', () => {
		const numbered = (word: string) =>
			Array.from({length: 200}, (_, index) => `${word} ${index}\n`).join('');
		const {lines, added, removed} = shown(numbered('old'), numbered('new'));
		expect([added, removed]).toEqual([200, 200]);
		expect(lines).toHaveLength(401);
		expect([lines[1], lines[201]]).toEqual(['-old 0', '+new 0']);
	});
});
