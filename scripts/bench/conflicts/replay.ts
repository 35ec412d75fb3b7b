import {appendFile, readdir, readFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {execa} from 'execa';
import {compare} from '../../../src/conflicts/compare.ts';
import type {Finding} from '../../../src/conflicts/finding.ts';
import {languageOf} from '../../../src/conflicts/source/language-of.ts';
import type {MergeSettings} from '../../../src/git/merge/merge-tree.ts';
import {openForReading, withStoreOf} from '../../../src/git/repository/readable-repository.ts';
import {readRef, type Store} from '../../../src/git/store/store.ts';
import {forEachConcurrent} from '../../../src/lib/for-each-concurrent.ts';
import {printColumns} from '../columns.ts';
import {type Merge, mergesOf, type Origin} from './merges-of.ts';

/** What came of some merges, counted. */
type Tally = {
	readonly merges: number;
	readonly gitConflicts: number;
	/** Our verdict, or a conflicted path, is not git's. */
	readonly disagree: number;
	/** Git makes them and nobody altered them. */
	readonly clean: number;
	readonly blocked: number;
	/** Git makes them and a person altered them. */
	readonly altered: number;
	readonly flagged: number;
	/** A person changed code in it, in a language that is read. */
	readonly mended: number;
	/** Of those: something was found, and in a file that the person changed. */
	readonly found: number;
	readonly foundThere: number;
};

type Row = {
	readonly clone: string;
	readonly origin: Origin;
	readonly tally: Tally;
	/** What is worth looking at. */
	readonly lines: readonly string[];
};

const allOrigins: readonly Origin[] = ['real', 'altered', 'mined', 'test'];

/** Those that a person mended, in the merge itself or right after it. */
export const mendedOrigins: readonly Origin[] = ['altered', 'mined'];

/**
Replays the merge commits of all clones below a folder and prints how far we agree with git and what we block.

@param kept A file to which what comes out is added at once; what it holds already is not done again, since all of it takes an hour.
*/
export const replayMerges = async (
	folder: string,
	most: number,
	kept?: string,
	origins: readonly Origin[] = allOrigins,
): Promise<void> => {
	const rows: Row[] = [...(await readRows(kept))];
	const clones = await clonesBelow(folder);
	const isKept = (clone: string, origin: Origin) =>
		rows.some(row => row.clone === clone && row.origin === origin);
	for (const origin of origins) {
		for (const path of clones.filter(one => !isKept(basename(one), origin))) {
			const done = await replay(path, await mergesOf(path, origin, most));
			const row = {clone: basename(path), origin, ...done};
			rows.push(row);
			await (kept === undefined ? undefined : appendFile(kept, `${JSON.stringify(row)}\n`));
		}
	}

	for (const origin of origins) {
		const some = rows.filter(row => row.origin === origin && row.tally.merges > 0);
		if (some.length > 0) {
			console.log(`\n${titles[origin]}`);
			const print = mendedOrigins.includes(origin) ? printMended : printTable;
			print(some.toSorted((one, other) => (one.clone < other.clone ? -1 : 1)));
		}
	}

	for (const {clone, origin, lines} of rows) {
		for (const line of lines) {
			console.log(`${clone}, ${origin}: ${line}`);
		}
	}
};

/** Returns the rows that are kept; an old file may not hold all that is counted now. */
const readRows = async (kept: string | undefined): Promise<readonly Row[]> => {
	const text = kept === undefined ? '' : await readFile(kept, 'utf8').catch(() => '');
	return text
		.split('\n')
		.filter(line => line !== '')
		.map(line => JSON.parse(line))
		.map(row => ({...row, tally: {...nothing, ...row.tally}}));
};

const titles: Readonly<Record<Origin, string>> = {
	real: 'Merges on the way to the default branch',
	altered: 'Merges that git makes, too, and people altered, among fifteen times as many',
	mined: 'Merges that were repaired right after, as the repair says',
	test: 'Test merges of pull requests, which nobody reviewed',
};

const withAll = (rows: readonly Row[]): readonly Pick<Row, 'clone' | 'tally'>[] => [
	...rows,
	{clone: 'all', tally: rows.map(({tally}) => tally).reduce(sum, nothing)},
];

const printMended = (rows: readonly Row[]): void =>
	printColumns(
		['clone', 'merges', 'git conflicts', 'disagree', 'code was mended', 'found', 'found there'],
		withAll(rows).map(({clone, tally}) => [
			clone,
			String(tally.merges),
			String(tally.gitConflicts),
			String(tally.disagree),
			String(tally.mended),
			String(tally.found),
			String(tally.foundThere),
		]),
	);

const printTable = (rows: readonly Row[]): void => {
	printColumns(
		['clone', 'merges', 'git conflicts', 'disagree', 'clean but blocked', 'altered and flagged'],
		withAll(rows).map(({clone, tally}) => [
			clone,
			String(tally.merges),
			String(tally.gitConflicts),
			String(tally.disagree),
			`${tally.blocked} of ${tally.clean}`,
			`${tally.flagged} of ${tally.altered}`,
		]),
	);
};

const nothing: Tally = {
	merges: 0,
	gitConflicts: 0,
	disagree: 0,
	clean: 0,
	blocked: 0,
	altered: 0,
	flagged: 0,
	mended: 0,
	found: 0,
	foundThere: 0,
};

const sum = (one: Tally, other: Tally): Tally => ({
	merges: one.merges + other.merges,
	gitConflicts: one.gitConflicts + other.gitConflicts,
	disagree: one.disagree + other.disagree,
	clean: one.clean + other.clean,
	blocked: one.blocked + other.blocked,
	altered: one.altered + other.altered,
	flagged: one.flagged + other.flagged,
	mended: one.mended + other.mended,
	found: one.found + other.found,
	foundThere: one.foundThere + other.foundThere,
});

/** Folders that are git repositories, bare or not, at most two levels below. */
const clonesBelow = async (folder: string, depth = 2): Promise<readonly string[]> => {
	const entries = await readdir(folder, {withFileTypes: true}).catch(() => []);
	const names = new Set(entries.map(({name}) => name));
	if (names.has('.git') || (names.has('objects') && names.has('HEAD'))) {
		return [folder];
	}

	const below = depth === 0 ? [] : entries.filter(entry => entry.isDirectory());
	const found = await Promise.all(
		below.map(({name}) => clonesBelow(join(folder, name), depth - 1)),
	);
	return found.flat();
};

const replay = async (
	clone: string,
	merges: readonly Merge[],
): Promise<Pick<Row, 'tally' | 'lines'>> => {
	const repository = await openForReading(clone);
	return withStoreOf(repository, async store => {
		let tally = nothing;
		const lines: string[] = [];
		await forEachConcurrent(merges, atOnce, async merge => {
			const {line, ...one} = await replayOne(store, merge, repository.settings);
			tally = sum(tally, {...nothing, ...one, merges: 1});
			lines.push(...(line === undefined ? [] : [`${merge.commit} ${line}`]));
		});
		return {tally, lines};
	});
};

/** Most of the time goes into waiting for git. */
const atOnce = 6;

const replayOne = async (
	store: Store,
	{commit, a, b, mended}: Merge,
	settings: MergeSettings,
): Promise<Partial<Tally> & {readonly line?: string}> => {
	const {signal} = new AbortController();
	const git = await bareMerge(store, a, b);
	const {merge: verdict, findings} = await compare(store, {a, b}, {settings, signal});
	const paths = findings.filter(({rule}) => rule === 'F1').map(({path}) => path);
	if (git.clean !== verdict.clean || git.paths !== paths.toSorted().join('\0')) {
		return {disagree: 1, line: 'not what git says'};
	}

	if (!verdict.clean) {
		return {gitConflicts: 1};
	}

	const isAltered = (await readRef(store, `${commit}^{tree}`)) !== verdict.tree;
	const blocking = findings.filter(finding => finding.blocking);
	const code = mended === undefined ? [] : await codeBetween(store, mended);
	const counted = {
		...(isAltered ? {altered: 1} : {clean: 1}),
		...(code.length === 0 ? {} : foundIn(code, blocking)),
	};
	if (blocking.length === 0) {
		return code.length === 0
			? counted
			: {...counted, line: `nothing found; mended ${code.join(' ')}`};
	}

	const said = blocking.map(({rule, summary}) => `${rule} ${summary}`).join(' ');
	return {
		...counted,
		...(isAltered ? {flagged: 1} : {blocked: 1}),
		line: `${isAltered ? 'altered' : 'clean'}, ${said}`,
	};
};

/** Returns the files of code that differ in more than blanks. */
const codeBetween = async (
	{gitDir}: Store,
	{from, to}: {readonly from: string; readonly to: string},
): Promise<readonly string[]> => {
	const args = ['diff', '--numstat', '-w', '-z', '--no-renames', from, to];
	const {stdout} = await execa('git', args, {env: {GIT_DIR: gitDir}});
	return stdout
		.split('\0')
		.map(line => line.split('\t'))
		.flatMap(([added, removed, path]) =>
			path !== undefined && `${added}${removed}` !== '00' && languageOf(path) !== undefined
				? [path]
				: [],
		);
};

const foundIn = (code: readonly string[], blocking: readonly Finding[]): Partial<Tally> => {
	const paths = blocking.flatMap(({path, evidence}) => [path, ...evidence.map(one => one.path)]);
	return {
		mended: 1,
		found: blocking.length === 0 ? 0 : 1,
		foundThere: paths.some(path => code.includes(path)) ? 1 : 0,
	};
};

const bareMerge = async (
	{gitDir}: Store,
	a: string,
	b: string,
): Promise<{clean: boolean; paths: string}> => {
	const {exitCode, stdout} = await execa(
		'git',
		['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', a, b],
		{cwd: gitDir, reject: false, env: {GIT_DIR: gitDir}},
	);
	const [, ...paths] = stdout.split('\0').filter(path => path !== '');
	return {clean: exitCode === 0, paths: paths.toSorted().join('\0')};
};
