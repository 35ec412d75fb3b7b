import {execa} from 'execa';
import {openForReading, withStoreOf} from '../../../src/git/repository/readable-repository.ts';
import {forEachConcurrent} from '../../../test/helpers/for-each-concurrent.ts';

/** A merge of two commits, neither of which contains the other. */
export type Merge = {
	readonly commit: string;
	readonly a: string;
	readonly b: string;
	/** The repair by a person, from one commit to another, if there was one. */
	readonly mended?: {readonly from: string; readonly to: string};
};

/**
Origin of a merge: people made it on the way to the default branch; they did, but it differs from git's merge; a repair directly after it says that it broke something; or GitHub made it to test a pull request, without a review.
*/
export type Origin = 'real' | 'altered' | 'mined' | 'test';

/** Returns the merges of a clone with one origin, newest first, up to a maximum. */
export const mergesOf = async (
	clone: string,
	origin: Origin,
	most: number,
): Promise<readonly Merge[]> => {
	const history = await merges(clone, ['HEAD']);
	const mined = await repairedMerges(clone);
	const isReal = new Set(history.map(({commit}) => commit));
	switch (origin) {
		case 'real':
			return diverged(
				clone,
				history.filter(({commit}) => !mined.has(commit)),
				most,
			);
		case 'altered':
			return altered(clone, await withOwnLines(clone, history.slice(0, most * longer)));
		case 'mined':
			return diverged(
				clone,
				history.flatMap(merge => {
					const to = mined.get(merge.commit);
					return to === undefined ? [] : [{...merge, mended: {from: merge.commit, to}}];
				}),
				most,
			);
		case 'test': {
			const tests = await testMerges(clone);
			return diverged(
				clone,
				tests.filter(({commit}) => !isReal.has(commit)),
				Math.ceil(most * shareOfTests),
			);
		}
	}
};

/** Factor of the history for altered merges, which are one in some hundred. */
const longer = 15;

/** Share of test merges, which are less informative. */
const shareOfTests = 1 / 4;

const merges = async (
	clone: string,
	words: readonly string[],
	input = '',
): Promise<readonly Merge[]> => {
	const args = ['rev-list', '--min-parents=2', '--max-parents=2', '--parents', ...words];
	const {stdout} = await execa('git', args, {cwd: clone, input});
	return linesOf(stdout).map(line => {
		const [commit = '', a = '', b = ''] = line.split(' ');
		return {commit, a, b};
	});
};

const testMerges = async (clone: string): Promise<readonly Merge[]> => {
	const refs = ['for-each-ref', '--format=%(objectname)', 'refs/pull/*/merge'];
	const {stdout} = await execa('git', refs, {cwd: clone});
	return stdout === '' ? [] : merges(clone, ['--no-walk', '--stdin'], stdout);
};

/** Returns the commits whose messages say that they repair a merge, by first parent. */
const repairedMerges = async (clone: string): Promise<ReadonlyMap<string, string>> => {
	const {stdout} = await execa(
		'git',
		[
			'log',
			'--extended-regexp',
			'--regexp-ignore-case',
			`--grep=${repair}`,
			'--format=%P %H',
			'HEAD',
		],
		{cwd: clone},
	);
	return new Map(
		linesOf(stdout).map(line => {
			const [parent = '', ...more] = line.split(' ');
			return [parent, more.at(-1) ?? parent];
		}),
	);
};

const repair =
	'merge skew|semantic (merge )?conflict|logical conflict|unbreak|main is red|build break';

const diverged = async (
	clone: string,
	candidates: readonly Merge[],
	most: number,
): Promise<readonly Merge[]> => {
	const found: Merge[] = [];
	for (let next = 0; next < candidates.length && found.length < most; next += atOnce) {
		const some = candidates.slice(next, next + atOnce);
		const isDiverged = await Promise.all(some.map(merge => hasDiverged(clone, merge)));
		found.push(...some.filter((_, place) => isDiverged[place]));
	}

	return found.slice(0, most);
};

const atOnce = 8;

/** Returns the merges with lines of neither side, which git can find without merging; an altered merge has some, or a whole file of one side. */
const withOwnLines = async (
	clone: string,
	history: readonly Merge[],
): Promise<readonly Merge[]> => {
	const args = ['diff-tree', '--stdin', '--cc', '-r', '--pretty=format:%n*%H'];
	const input = history.map(({commit}) => `${commit}\n`).join('');
	const found = new Set<string>();
	let last = '';
	for await (const line of execa('git', args, {cwd: clone, input, buffer: false}).iterable()) {
		last = line.startsWith('*') ? line.slice(1) : last;
		if (line.startsWith('@@@')) {
			found.add(last);
		}
	}

	return history.filter(({commit}) => found.has(commit));
};

/** Returns the merges that git makes, too, but with another result. */
const altered = async (clone: string, candidates: readonly Merge[]): Promise<readonly Merge[]> =>
	withStoreOf(await openForReading(clone), async ({gitDir}) => {
		const found: Merge[] = [];
		await forEachConcurrent(candidates, atOnce, async merge => {
			const {commit, a, b} = merge;
			const env = {GIT_DIR: gitDir};
			const made = await execa('git', ['merge-tree', '--write-tree', a, b], {env, reject: false});
			if (made.exitCode === 0) {
				const {stdout: tree} = await execa('git', ['rev-parse', `${commit}^{tree}`], {env});
				const mended = {from: made.stdout, to: tree};
				found.push(...(tree === made.stdout ? [] : [{...merge, mended}]));
			}
		});
		return found;
	});

const hasDiverged = async (clone: string, {a, b}: Merge): Promise<boolean> => {
	const base = await execa('git', ['merge-base', a, b], {cwd: clone, reject: false});
	return base.exitCode === 0 && base.stdout !== a && base.stdout !== b;
};

const linesOf = (text: string): readonly string[] => text.split('\n').filter(line => line !== '');
