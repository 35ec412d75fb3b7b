import {posix} from 'node:path';
import {type Change, entriesOfChange} from '../../../git/tree/changes.ts';
import {entriesAt} from '../../../git/tree/entry.ts';
import {
	type Comparison,
	type Detector,
	type Evidence,
	type FindingOf,
	keyOf,
	type Side,
} from '../../finding.ts';
import {readTexts, type Texts} from '../../hunks.ts';
import {languageOf} from '../../source/languages.ts';
import {firstChange} from '../file/evidence.ts';
import {isGolden, isTestFile, stemOf, testOfSnapshot} from './edited-twice.ts';

/** T3, a note: one side wrote expected output of a test, the other one changed the tested source. */
export const goldens: Detector<'TEST_CONFLICT'> = async comparison => {
	const found = await Promise.all([
		meetings(comparison, {writer: 'a', maker: 'b'}),
		meetings(comparison, {writer: 'b', maker: 'a'}),
	]);
	const met = found.flat().slice(0, most);
	const texts = await readTexts(
		comparison.store,
		met.flatMap(({golden, source}) => [golden, source].flatMap(entriesOfChange)),
	);
	return met.map(meeting => findingOf(meeting, texts));
};

const most = 5;

type Roles = {readonly writer: 'a' | 'b'; readonly maker: 'a' | 'b'};

type Meeting = Roles & {readonly golden: Change; readonly source: Change};

const meetings = async (comparison: Comparison, roles: Roles): Promise<readonly Meeting[]> => {
	const {writer, maker} = roles;
	const goldenChanges = onlyIn(comparison[writer], comparison[maker]).filter(
		({path, status}) => isGolden(path) && status !== 'D',
	);
	const sources = onlyIn(comparison[maker], comparison[writer]).filter(
		({path, status}) => status === 'M' && !isTestFile(path) && languageOf(path) !== undefined,
	);
	if (goldenChanges.length === 0 || sources.length === 0) {
		return [];
	}

	const imported = await importedBy(comparison, goldenChanges);
	return goldenChanges.flatMap(golden =>
		sources
			.filter(source => isAbout(golden.path, source.path) || imported(golden.path, source.path))
			.slice(0, 1)
			.map(source => ({...roles, golden, source})),
	);
};

const onlyIn = (side: Side, other: Side): readonly Change[] => {
	const paths = new Set(other.changes.map(({path}) => path));
	return side.changes.filter(({path}) => !paths.has(path));
};

const shortestStem = 3;

const isAbout = (golden: string, source: string): boolean =>
	stemOf(golden).length >= shortestStem && stemOf(golden) === stemOf(source);

/** Returns whether the test of a snapshot imports a source; an import ends with the file's name. */
const importedBy = async (
	{store, merged}: Comparison,
	changes: readonly Change[],
): Promise<(golden: string, source: string) => boolean> => {
	const tests = changes.flatMap(({path}) => testOfSnapshot(path) ?? []);
	const entries = await entriesAt(store, merged, tests);
	const texts = await readTexts(store, entries.values());
	return (golden, source) => {
		const lines = texts(entries.get(testOfSnapshot(golden) ?? '')) ?? [];
		const stem = posix.basename(source).replace(/\.\w+$/, '');
		const name = new RegExp(`[/.'"]${stem.replaceAll(/\W/g, '\\$&')}(?:\\.\\w+)?['"]`);
		return lines.some(line => /\b(?:from|import|require)\b/.test(line) && name.test(line));
	};
};

const findingOf = (
	{writer, maker, golden, source}: Meeting,
	texts: Texts,
): FindingOf<'TEST_CONFLICT'> => ({
	type: 'TEST_CONFLICT',
	rule: 'T3',
	path: golden.path,
	key: keyOf('T3', golden.path, source.path),
	blocking: false,
	confidence: 'low',
	summary: `One side wrote ${golden.path}, which tests compare with; the other one changed ${source.path}.`,
	evidence: [firstLine(golden, writer, texts), firstLine(source, maker, texts)].toSorted(
		(one, other) => (one.side < other.side ? -1 : 1),
	),
});

const firstLine = (change: Change, side: 'a' | 'b', texts: Texts): Evidence => {
	const where = {side, path: change.path};
	return firstChange(where, entriesOfChange(change), texts) ?? where;
};
