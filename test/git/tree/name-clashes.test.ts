import {expect, test} from 'vitest';
import {nameClashes} from '../../../src/git/tree/name-clashes.ts';

test('files whose names differ by case or by how an accent is written clash', () => {
	const paths = ['src/Foo.ts', 'src/foo.ts', 'caf\u00e9', 'cafe\u0301', 'lib/a', 'lib/b'];
	expect(nameClashes(paths, ['src/foo.ts', 'cafe\u0301', 'lib/b'])).toEqual([
		['src/Foo.ts', 'src/foo.ts'],
		['cafe\u0301', 'caf\u00e9'],
	]);
});

test('two that are both new clash once', () => {
	const paths = ['A', 'a', 'b'];
	expect(nameClashes(paths, paths)).toEqual([['A', 'a']]);
});

test('a file clashes with a folder, whichever of them is new', () => {
	const paths = ['Docs', 'docs/a.md', 'src/x'];
	expect(nameClashes(paths, ['Docs'])).toEqual([['Docs', 'docs/a.md']]);
	expect(nameClashes(paths, ['docs/a.md'])).toEqual([['Docs', 'docs/a.md']]);
});

test('folders come together, and what the person has is theirs', () => {
	expect(nameClashes(['Docs/a', 'docs/b'], ['docs/b'])).toEqual([]);
	expect(nameClashes(['Old', 'old', 'new'], ['new'])).toEqual([]);
});
