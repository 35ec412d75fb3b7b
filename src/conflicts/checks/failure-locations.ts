import {posix} from 'node:path';
import type {Evidence} from '../../events/finding.ts';
import type {FailureLocation} from '../../events/kinds/merge-event.ts';
import type {Store} from '../../git/store/store.ts';
import {type Change, changes, entriesOfChange} from '../../git/tree/changes.ts';
import {sanitize, withoutColors} from '../../lib/text/sanitize.ts';
import {firstChange, wholeEntry} from '../detectors/file/evidence.ts';
import {readTexts, type Texts} from '../hunks.ts';

/**
Returns the locations of test failures in an output, the likeliest first.

@param output Output with paths from the root of the tree or from a folder in it.
@param paths All paths of the tree; a location in another file is ignored.
*/
export const failureLocations = (
	output: string,
	paths: Iterable<string>,
): readonly FailureLocation[] => {
	const inTree = makeFinder(paths);
	const found = output.split('\n').flatMap((line, position): readonly Ranked[] => {
		const text = withoutColors(line).trim();
		return isNoise(text)
			? []
			: namesIn(text).flatMap(({path, line: number}) => {
					const known = inTree(path);
					return known === undefined
						? []
						: [{path: known, line: number, text, rank: rankOf(text, known), position}];
				});
	});
	const inOrder = found.toSorted(
		(one, other) => other.rank - one.rank || one.position - other.position,
	);
	const once = new Map(inOrder.toReversed().map(one => [`${one.path}:${one.line}`, one]));
	return [...once.values()]
		.toReversed()
		.slice(0, mostLocations)
		.map(({path, line, text}) => ({path, line, text: sanitize(text).slice(0, longestText)}));
};

type Ranked = FailureLocation & {readonly rank: number; readonly position: number};

/** Maximum number of locations: a failing run names many lines. */
const mostLocations = 5;
const longestText = 300;

/** Formats of locations in runners and compilers. */
const forms: readonly RegExp[] = [
	// node --test, vitest, jest, mocha, go, cargo, pytest, rspec, phpunit, javac, most compilers
	/(?<path>[\w@.+~()[\]\\/-]*[\w@+~)\]-]\.\w+):(?<line>\d+)/g,
	// python: File "tests/test_a.py", line 3
	/File "(?<path>[^"]+)", line (?<line>\d+)/g,
	// .NET: in /src/Shop.cs:line 3
	/(?<path>[\w@.+~\\/-]+\.\w+):line (?<line>\d+)/g,
	// tsc and msbuild: src/a.ts(3,5)
	/(?<path>[\w@.+~\\/-]+\.\w+)\((?<line>\d+)(?:,\d+)?\)/g,
];

const namesIn = (text: string): readonly {readonly path: string; readonly line: number}[] =>
	text.length > longestLine
		? []
		: forms.flatMap(form =>
				[...text.matchAll(form)].flatMap(({groups}) => {
					const path = (groups?.path ?? '').replaceAll('\\', '/');
					const line = Number(groups?.line);
					// `add(Cart.java:3)` has a method before the bracket; in `app/(shop)/page.ts` it is part of the path.
					const inside = path.slice(path.lastIndexOf('(') + 1);
					return inside === path
						? [{path, line}]
						: [
								{path, line},
								{path: inside, line},
							];
				}),
			);

/** Maximum length of a line; longer ones are minified code. */
const longestLine = 4000;

/** Matches the command itself, and lines about passed tests. */
const isNoise = (text: string): boolean => /^(?:\$ |✓|✔|ok \d|PASS\b|--- PASS)/.test(text);

/** Ranks a line that a runner marks as the failure before a test file in a stack trace, and that before others. */
const rankOf = (text: string, path: string): number =>
	(marked.test(text) ? 2 : 0) + (isTest(path) ? 1 : 0);

const marked =
	/^(?:test at |❯ |FAIL|not ok|# |rspec |E |thread '.*' panicked|--> )|panicked at|location: |Error\b|error\b|\.go:\d+: |^[\w./-]+:\d+: (?:in |\w*(?:Error|Failure))/;

const isTest = (path: string): boolean =>
	/(?:^|[/._-])(?:tests?|spec|__tests__)(?:[/._-]|$)|Test/i.test(path);

/** Returns a function that finds a file of a tree by a name in an output: its path, a path that ends with it, or one relative to a folder. */
export const makeFinder = (paths: Iterable<string>): ((name: string) => string | undefined) => {
	const all = new Set(paths);
	const byName = new Map<string, string[]>();
	for (const path of all) {
		const name = posix.basename(path);
		byName.set(name, [...(byName.get(name) ?? []), path]);
	}

	return name => {
		const path = posix.normalize(name.replace(/^file:\/\//, '')).replace(/^\//, '');
		if (all.has(path)) {
			return path;
		}

		const [one, ...others] = (byName.get(posix.basename(path)) ?? []).filter(
			known => known.endsWith(`/${path}`) || path.endsWith(`/${known}`),
		);
		return others.length === 0 ? one : undefined;
	};
};

/** The commit range of a side. */
export type SideOf = {readonly side: 'a' | 'b'; readonly base: string; readonly commit: string};

/** Returns the first changed line of a side in each of a few files, those that a failure names first. */
export const firstChanges = async (
	store: Store,
	{side, base, commit}: SideOf,
	named: readonly string[],
): Promise<readonly Evidence[]> => {
	const changed = (await changes(store, base, commit))
		.toSorted((one, other) => Number(named.includes(other.path)) - Number(named.includes(one.path)))
		.slice(0, mostFiles);
	const texts = await readTexts(store, changed.flatMap(entriesOfChange));
	return changed.map(change => evidenceOf(side, change, texts));
};

/** Maximum number of files shown as evidence. */
const mostFiles = 3;

const evidenceOf = (side: 'a' | 'b', change: Change, texts: Texts): Evidence => {
	const {path} = change;
	if (change.status === 'D') {
		return {...wholeEntry(side, {path, entry: change.old}, texts), removed: true};
	}

	return (
		firstChange({side, path}, entriesOfChange(change), texts) ??
		wholeEntry(side, {path, entry: change.new}, texts)
	);
};
