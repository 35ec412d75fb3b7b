import {join} from 'node:path';
import {execa} from 'execa';
import {type Compared, compare} from '../../../src/conflicts/compare.ts';
import {openForReading, withStoreOf} from '../../../src/git/repository/readable-repository.ts';
import {commitTree, readRef, type Store} from '../../../src/git/store/store.ts';
import {isThere} from '../../../src/lib/files/reading.ts';
import {printColumns} from '../columns.ts';
import {type PatchPair, readPatchPairs} from './patch-pairs.ts';

const columns = ['git conflict', 'blocked', 'noted T2', 'noted', 'nothing'] as const;

const untried = ['no clone', 'base not in it', 'patch does not apply'] as const;

/** Our result for a pair, including pairs that can't be tried. */
type Said = (typeof columns)[number] | (typeof untried)[number];

/** Prints our verdicts on the pairs of a public set of patches beside its own; repositories are read from clones with their names. */
export const benchPairs = async (folder: string, clones: string): Promise<void> => {
	const counts = new Map<string, Map<Said, number>>();
	for (const pair of await readPatchPairs(folder)) {
		const {said, why} = await judge(pair, join(clones, pair.repository));
		const row = counts.get(pair.verdict) ?? new Map<Said, number>();
		counts.set(pair.verdict, row.set(said, (row.get(said) ?? 0) + 1));
		if (why !== undefined) {
			console.log(`${pair.name}: ${pair.verdict}; ${said}: ${why}`);
		}
	}

	const shown = [...columns, ...untried];
	printColumns(
		['their verdict', 'pairs', ...shown],
		[...counts].map(([verdict, row]) => [
			verdict,
			String([...row.values()].reduce((all, one) => all + one, 0)),
			...shown.map(said => String(row.get(said) ?? 0)),
		]),
	);
};

const judge = async (
	{base, a, b, verdict}: PatchPair,
	clone: string,
): Promise<{said: Said; why?: string}> => {
	if (!(await isThere(clone))) {
		return {said: 'no clone'};
	}

	const repository = await openForReading(clone);
	return withStoreOf(repository, async store => {
		if ((await readRef(store, `${base}^{commit}`)) === undefined) {
			return {said: 'base not in it'};
		}

		const sides = [await patched(store, base, a), await patched(store, base, b)];
		const [one, other] = sides;
		if (one === undefined || other === undefined) {
			return {said: 'patch does not apply'};
		}

		const {signal} = new AbortController();
		const compared = await compare(store, {a: one, b: other}, {signal});
		return verdictOf(compared, verdict);
	});
};

const verdictOf = ({merge, findings}: Compared, theirs: string): {said: Said; why?: string} => {
	const texts = (some: Compared['findings']) =>
		some.map(({rule, path, summary}) => `${rule} ${path} ${summary}`).join(' ');
	if (!merge.clean) {
		return theirs === 'git merges it'
			? {said: 'git conflict', why: texts(findings.filter(({rule}) => rule === 'F1'))}
			: {said: 'git conflict'};
	}

	const blocking = findings.filter(finding => finding.blocking);
	if (blocking.length > 0) {
		return {said: 'blocked', why: texts(blocking)};
	}

	const said = findings.some(({rule}) => rule === 'T2')
		? 'noted T2'
		: findings.length > 0
			? 'noted'
			: 'nothing';
	return theirs === 'git conflict' ? {said, why: 'git merges it here'} : {said};
};

const patched = async (store: Store, base: string, patch: string): Promise<string | undefined> => {
	const env = {GIT_DIR: store.gitDir, GIT_INDEX_FILE: join(store.gitDir, 'patched-index')};
	await execa('git', ['read-tree', base], {env});
	const applied = await execa('git', ['apply', '--cached', '--whitespace=nowarn', '-'], {
		env,
		input: patch.endsWith('\n') ? patch : `${patch}\n`,
		reject: false,
	});
	if (applied.exitCode !== 0) {
		return undefined;
	}

	const {stdout: tree} = await execa('git', ['write-tree'], {env});
	return commitTree(store, {tree, parents: [base], message: 'patch', at: '2000-01-01T00:00:00Z'});
};
