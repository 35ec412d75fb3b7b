import type {Entry} from '../../../git/tree/entry.ts';
import type {Comparison, Detector} from '../../detector.ts';
import {type Evidence, type FindingOf, keyOf} from '../../finding.ts';
import {type Hunk, hunksOf} from '../../lines/hunks.ts';
import {readTexts} from '../../lines/texts.ts';
import {changeAt, mergedOverlapOf} from '../../overlap.ts';
import {changedLine, type PlacedText} from '../file/evidence.ts';
import {isGolden, isTestFile} from './test-files.ts';
import {testAt, titlesIn} from './test-titles.ts';

/** T1, a note: the same test, or what it compares with, edited by both sides where git merges it. */
export const editedTwice: Detector<'TEST_CONFLICT'> = async comparison => {
	const files = changedByBoth(comparison);
	const texts = await readTexts(
		comparison.store,
		files.flatMap(({base, a, b}) => [base, a, b]),
	);
	return files.flatMap(({path, base, a, b}) => {
		const [before, one, other] = [texts(base), texts(a), texts(b)];
		if (before === undefined || one === undefined || other === undefined) {
			return [];
		}

		const from = {path, lines: before};
		const sideA = sideOf(from, {side: 'a', path, lines: one});
		const sideB = sideOf(from, {side: 'b', path, lines: other});
		return isGolden(path) ? goldenOf(path, sideA, sideB) : testsOf(path, sideA, sideB);
	});
};

type Changed = {readonly path: string; readonly base: Entry; readonly a: Entry; readonly b: Entry};

const changedByBoth = (comparison: Comparison): readonly Changed[] =>
	mergedOverlapOf(comparison)
		.filter(path => isTestFile(path) || isGolden(path) || path.endsWith('.rs'))
		.flatMap(path => {
			const [one, other] = [changeAt(comparison.a, path), changeAt(comparison.b, path)];
			return one?.status === 'M' && other?.status === 'M' && one.new.oid !== other.new.oid
				? [{path, base: one.old, a: one.new, b: other.new}]
				: [];
		});

/** What a side did to the tests of a file: the first line that it changed in each, and the tests it added. */
type TestSide = {
	readonly first: Evidence | undefined;
	readonly edited: ReadonlyMap<string, Evidence>;
	readonly added: ReadonlyMap<string, Evidence>;
};

type To = PlacedText & {readonly side: 'a' | 'b'};

const sideOf = (from: PlacedText, to: To): TestSide => {
	const known = new Set(titlesIn(from.lines).map(({title}) => title));
	const edited = new Map<string, Evidence>();
	const hunks = hunksOf(from.lines, to.lines);
	for (const hunk of hunks.toReversed()) {
		const title = testOf(hunk, from, to);
		if (title !== undefined && known.has(title)) {
			edited.set(title, changedLine(hunk, from, to));
		}
	}

	const added = titlesIn(to.lines)
		.filter(({title, isText}) => isText && !known.has(title))
		.map(({title, line}): [string, Evidence] => [
			title,
			{side: to.side, path: to.path, line, text: (to.lines[line - 1] ?? '').trim()},
		]);
	const [hunk] = hunks;
	return {first: hunk && changedLine(hunk, from, to), edited, added: new Map(added)};
};

/** Lines that only close something belong to what is above them. */
const testOf = (hunk: Hunk, from: PlacedText, to: To): string | undefined => {
	const [lines, start, count] =
		hunk.newCount === 0
			? [from.lines, hunk.oldLine, hunk.oldCount]
			: [to.lines, hunk.newLine, hunk.newCount];
	const offset = lines.slice(start - 1, start - 1 + count).findIndex(text => /\w/.test(text));
	return offset < 0 ? undefined : testAt(lines, start + offset);
};

const goldenOf = (path: string, a: TestSide, b: TestSide): readonly FindingOf<'TEST_CONFLICT'>[] =>
	a.first === undefined || b.first === undefined
		? []
		: [
				noteOf(path, [], `Both sides rewrote ${path}, which tests compare with.`, [
					a.first,
					b.first,
				]),
			];

const testsOf = (path: string, a: TestSide, b: TestSide): readonly FindingOf<'TEST_CONFLICT'>[] => {
	const both = (
		one: ReadonlyMap<string, Evidence>,
		other: ReadonlyMap<string, Evidence>,
		words: (title: string) => string,
	) =>
		[...one].flatMap(([title, evidence]) => {
			const opposite = other.get(title);
			return opposite === undefined
				? []
				: [noteOf(path, [title], words(title), [evidence, opposite])];
		});
	return [
		...both(a.edited, b.edited, title => `Both sides edited the test "${title}".`),
		...both(a.added, b.added, title => `Both sides added a test "${title}".`),
	];
};

const noteOf = (
	path: string,
	names: readonly string[],
	summary: string,
	evidence: readonly Evidence[],
): FindingOf<'TEST_CONFLICT'> => ({
	type: 'TEST_CONFLICT',
	rule: 'T1',
	path,
	key: keyOf('T1', path, ...names),
	blocking: false,
	confidence: 'medium',
	summary,
	evidence,
});
