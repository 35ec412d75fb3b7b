import {execa} from 'execa';
import {compare} from '../../../src/conflicts/compare.ts';
import type {Finding} from '../../../src/conflicts/finding.ts';
import {languageOf} from '../../../src/conflicts/source/languages.ts';
import type {MergeSettings} from '../../../src/git/merge/merge-tree.ts';
import {readRef, type Store} from '../../../src/git/store/store.ts';
import type {Merge} from './merges-of.ts';
import type {Tally} from './tally.ts';

/** Repeats the merge of two commits, by our rules and by bare git, and returns the result, with a line if it is worth a look. */
export const replayMerge = async (
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

/** Returns the source files that differ in more than whitespace. */
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
