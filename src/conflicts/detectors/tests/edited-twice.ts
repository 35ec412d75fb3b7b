import {posix} from 'node:path';
import {type Detector, type Evidence, type FindingOf, keyOf} from '../../finding.ts';
import {type Hunk, hunksOf, indentation, readTexts} from '../../hunks.ts';
import {changedLine, type PlacedText} from '../file/evidence.ts';
import {changedByBoth} from '../file/overlaps.ts';

/** T1, a note: both sides edited the same test, or the same golden file, and git merges it. */
export const editedTwice: Detector<'TEST_CONFLICT'> = async comparison => {
	const files = changedByBoth(comparison).filter(
		({path, a, b}) =>
			a.oid !== b.oid && (isTestFile(path) || isGolden(path) || path.endsWith('.rs')),
	);
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

/** The first changed line of a side in a test file, with the tests that it edited and added. */
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

/** Returns the test of a hunk; closing lines belong to the lines above them. */
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

/** A test with its name in the file. */
export type TestTitle = {
	readonly title: string;
	/** Line, counted from 1. */
	readonly line: number;
	/** True if the name is a text, so that two tests can share it without an error. */
	readonly isText: boolean;
};

/** Returns the tests of a text, in order, by the usual forms of their first lines, without parsing. */
const titlesIn = (lines: readonly string[]): readonly TestTitle[] =>
	lines.flatMap((text, index) => {
		const title = titleOf(lines, index);
		return title === undefined
			? []
			: [{title, line: index + 1, isText: byText.some(form => form.test(text))}];
	});

/** Returns the test of a line: the nearest one above that is less indented, or one that begins in the line. */
const testAt = (lines: readonly string[], line: number): string | undefined => {
	const own = lines[line - 1] ?? '';
	const ownTitle = titleOf(lines, line - 1);
	if (ownTitle !== undefined) {
		return ownTitle;
	}

	let limit = indentation(own);
	for (let index = line - 2; index >= 0; index--) {
		const text = lines[index] ?? '';
		if (!/\w/.test(text) || indentation(text) >= limit) {
			continue;
		}

		limit = indentation(text);
		const title = titleOf(lines, index);
		if (title !== undefined || limit === 0) {
			return title;
		}
	}

	return undefined;
};

/** Tests named by a text in JavaScript, TypeScript and Ruby. */
const byText: readonly RegExp[] = [
	/^\s*(?:test|it)(?:\.\w+)*\s*\(\s*(['"`])(?<title>.+?)\1/,
	/^\s*(?:test|it|specify)\s+(['"])(?<title>.+?)\1/,
];

/** Tests named by a function in Python, Go, Ruby, PHP, C and C++. */
const byName: readonly RegExp[] = [
	/^\s*(?:async )?def (?<title>test\w*)/,
	/^func (?<title>(?:Test|Benchmark|Fuzz)\w+)\(/,
	/^\s*(?:public )?function (?<title>test\w*)/,
	/^\s*TEST(?:_F|_P)?\((?<title>\w+,\s*\w+)\)/,
];

/** Mark above a test in Rust, Java, C# and PHP. */
const mark =
	/^\s*(?:#\[(?:\w+::)?test\b|@Test\b|@ParameterizedTest\b|\[(?:Fact|Theory|Test|TestMethod)\b|#\[Test\])/;
const marked = /^[^()]*?(?<title>\w+)\s*\(/;

const titleOf = (lines: readonly string[], index: number): string | undefined => {
	const text = lines[index] ?? '';
	const form = [...byText, ...byName].find(each => each.test(text));
	if (form !== undefined) {
		return form.exec(text)?.groups?.title;
	}

	return mark.test(lines[index - 1] ?? '') ? marked.exec(text)?.groups?.title : undefined;
};

/** Returns whether a file contains tests, by its name or its folder's. */
export const isTestFile = (path: string): boolean =>
	!isGolden(path) &&
	(/(?:^|\/)(?:tests?|specs?|__tests__)\//.test(path) ||
		/(?:^|[._-])(?:test|spec)s?\.\w+$|(?:^|\/)test_\w+\.py$|Tests?\.(?:java|kt|cs|php)$/.test(
			path,
		));

/** Returns whether a file is expected output of a test: a snapshot, a golden file, an expectation. */
export const isGolden = (path: string): boolean =>
	/(?:^|\/)(?:__snapshots__|golden|goldens|testdata)\//.test(path) ||
	/\.(?:snap|golden|approved)(?:\.\w+)?$|(?:^|[._-])expected\.\w+$/.test(path);

/** Returns the test of a snapshot, if its name shows it. */
export const testOfSnapshot = (path: string): string | undefined => {
	const test = /^(?<folder>.*?)__snapshots__\/(?<name>.+)\.snap$/.exec(path)?.groups;
	return test && `${test.folder}${test.name}`;
};

/** Returns the common part of the names of a golden file, its test and the tested source. */
export const stemOf = (path: string): string =>
	posix
		.basename(path)
		.replace(/(?:\.(?:snap|golden|approved))?(?:\.\w+)?$/, '')
		.replace(/[._-](?:tests?|specs?|expected|snap|golden|approved)(?:\.\w+)?$/, '')
		.replace(/^test_/, '')
		.toLowerCase();
