import {execa} from 'execa';
import {openForReading, withStoreOf} from '../../../src/git/repository/readable-repository.ts';
import {forEachConcurrent} from '../../../test/helpers/for-each-concurrent.ts';

/** A merge of two commits of which neither has the other one in it. */
export type Merge = {
	readonly commit: string;
	readonly a: string;
	readonly b: string;
	/** What a person repaired: from what to what, where somebody did. */
	readonly mended?: {readonly from: string; readonly to: string};
};

/**
Where a merge comes from: people made it on the way to the default branch; so they did, but it is not what git makes of it; a repair right after it says that it broke something; or GitHub made it to try a pull request, and nobody looked at it.
*/
export type Origin = 'real' | 'altered' | 'mined' | 'test';

/** Returns the merges of a clone that come from one of them, the newest first, and at most some. */
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

/** One in some hundred is altered. */
const longer = 15;

/** They tell less. */
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

/** Returns the commits that say that they repair what a merge broke, by their first parents. */
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

/** Returns those that hold lines of neither side, which git can tell without merging; whoever altered a merge wrote some, or took the whole of a file. */
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

/** Returns those that git makes, too, but otherwise. */
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
