import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {performance} from 'node:perf_hooks';
import {execa} from 'execa';
import {compare} from '../../src/conflicts/compare.ts';
import {openForReading, withStoreOf} from '../../src/git/repository/readable-repository.ts';
import {readRef, type Store} from '../../src/git/store/store.ts';
import {printColumns} from './columns.ts';

/** What came of the merges of one clone. */
type Outcome = {
	readonly merges: number;
	readonly gitConflicts: number;
	/** Merges in which our verdict, or a conflicted path, is not git's. */
	readonly disagree: readonly string[];
	/** Merges that git makes and that nobody altered, with the blocking findings in them. */
	readonly clean: number;
	readonly blocked: readonly string[];
	/** Merges that git makes and a person altered. */
	readonly altered: number;
	readonly flagged: readonly string[];
	readonly gitMs: number;
	readonly ourMs: number;
};

/** Replays the merge commits of all clones below a folder and prints how far we agree with git, what we block, and the time of both. */
export const replayMerges = async (folder: string, most: number): Promise<void> => {
	const rows: (readonly string[])[] = [];
	for (const clone of await clonesBelow(folder)) {
		const outcome = await replay(clone, most);
		const {merges, gitConflicts, disagree, clean, blocked, altered, flagged} = outcome;
		rows.push([
			clone.slice(folder.length).replace(/^\//, ''),
			String(merges),
			String(gitConflicts),
			String(disagree.length),
			`${blocked.length} of ${clean}`,
			`${flagged.length} of ${altered}`,
			(outcome.gitMs / merges).toFixed(1),
			(outcome.ourMs / merges).toFixed(1),
		]);
		for (const line of [...disagree, ...blocked, ...flagged]) {
			console.log(line);
		}
	}

	printColumns(
		[
			'clone',
			'merges',
			'git conflicts',
			'disagree',
			'clean but blocked',
			'altered and flagged',
			'git ms',
			'our ms',
		],
		rows,
	);
};

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

const replay = async (clone: string, most: number): Promise<Outcome> => {
	const repository = await openForReading(clone);
	return withStoreOf(repository, async store => {
		const result = {merges: 0, gitConflicts: 0, clean: 0, altered: 0, gitMs: 0, ourMs: 0};
		const [disagree, blocked, flagged]: [string[], string[], string[]] = [[], [], []];
		for (const [merge, a, b] of await divergedMerges(clone, most)) {
			result.merges += 1;
			const git = await timed(() => bareMerge(store, a, b));
			const ours = await timed(() =>
				compare(
					store,
					{a, b},
					{settings: repository.settings, signal: new AbortController().signal},
				),
			);
			result.gitMs += git.ms;
			result.ourMs += ours.ms;
			const {merge: verdict, findings} = ours.value;
			const paths = findings.filter(({rule}) => rule === 'F1').map(({path}) => path);
			if (git.value.clean !== verdict.clean || git.value.paths !== paths.toSorted().join('\0')) {
				disagree.push(`${clone} ${merge}: not what git says`);
			}

			if (!verdict.clean) {
				result.gitConflicts += 1;
				continue;
			}

			const reasons = findings.filter(({blocking}) => blocking).map(({summary}) => summary);
			const isAltered = (await readRef(store, `${merge}^{tree}`)) !== verdict.tree;
			result[isAltered ? 'altered' : 'clean'] += 1;
			if (reasons.length > 0) {
				(isAltered ? flagged : blocked).push(
					`${clone} ${merge}: ${isAltered ? 'altered' : 'clean'}, ${reasons.join(' ')}`,
				);
			}
		}

		return {...result, disagree, blocked, flagged};
	});
};

/** Merges of two parents of which neither has the other one in it, the newest first. */
const divergedMerges = async (
	clone: string,
	most: number,
): Promise<readonly (readonly [string, string, string])[]> => {
	const {stdout} = await execa(
		'git',
		['rev-list', '--all', '--min-parents=2', '--max-parents=2', '--parents'],
		{cwd: clone},
	);
	const diverged: [string, string, string][] = [];
	for (const line of stdout.split('\n')) {
		const [merge = '', a = '', b = ''] = line.split(' ');
		if (diverged.length === most) {
			break;
		}

		const base = await execa('git', ['merge-base', a, b], {cwd: clone, reject: false});
		if (base.exitCode === 0 && base.stdout !== a && base.stdout !== b) {
			diverged.push([merge, a, b]);
		}
	}

	return diverged;
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

const timed = async <Value>(work: () => Promise<Value>): Promise<{value: Value; ms: number}> => {
	const started = performance.now();
	const value = await work();
	return {value, ms: performance.now() - started};
};
