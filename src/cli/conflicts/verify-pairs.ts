import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {
	lastLine,
	type RunTests,
	type TestRun,
	testTogether,
} from '../../conflicts/checks/breaks-together.ts';
import {changedLines} from '../../conflicts/checks/changed-lines.ts';
import {failureLocations} from '../../conflicts/checks/failure-locations.ts';
import type {PairReport, Report} from '../../conflicts/report.ts';
import type {ReadableRepository} from '../../git/repository/readable-repository.ts';
import {commitTree, type Store} from '../../git/store/store.ts';
import {changes} from '../../git/tree/changes.ts';
import {entriesOf} from '../../git/tree/entry.ts';
import {temporaryFolder} from '../../lib/files/temporary-folder.ts';
import {openRunner, type Runner} from './open-runner.ts';

type Parts = {
	readonly repository: ReadableRepository;
	readonly store: Store;
	readonly report: Report;
	readonly verify: string;
	/** Aborts when nobody wants the answer any more; what runs is ended then. */
	readonly signal: AbortSignal;
};

/** Adds what a command says of each merge that git can make; each tree is checked out apart, and checked once. */
export const verifyPairs = async (parts: Parts): Promise<Report> => {
	const {report} = parts;
	await using folder = await temporaryFolder(join(tmpdir(), 'delegate-tui-verify-'));
	const run = remembering(await openRunner(parts, folder.path), parts);
	const red = new Map<string, string>();
	const pairs: PairReport[] = [];
	for (const pair of report.pairs) {
		pairs.push(await verifyPair(parts, pair, run, red));
	}

	const lines = await Promise.all(
		[...red].map(async ([name, commit]) => redLine(parts, {name, commit, ...(await run(commit))})),
	);
	return {...report, pairs, target: {red: [...report.target.red, ...lines]}};
};

/** What is red without any merge, with the line that it names. */
const redLine = async (
	{store, verify}: Parts,
	{name, commit, output}: TestRun & {readonly name: string; readonly commit: string},
): Promise<Report['target']['red'][number]> => {
	const entries = await entriesOf(store, commit);
	const [location] = failureLocations(output, entries.keys());
	return {
		...(location && {file: location.path, line: location.line}),
		text: `\`${verify}\` fails on ${name} itself: ${location?.text ?? lastLine(output)}`,
	};
};

const verifyPair = async (
	{store, report}: Parts,
	pair: PairReport,
	run: RunTests,
	red: Map<string, string>,
): Promise<PairReport> => {
	if (pair.merged === null) {
		return pair;
	}

	const commitOf = (name: string) => report.inputs.find(input => input.name === name)?.commit ?? '';
	const side = async (name: string) => {
		const commit = commitOf(name);
		const changed = await changes(store, pair.base, commit);
		return {commit, paths: changed.map(({path}) => path)};
	};
	const [a, b] = [await side(pair.a), await side(pair.b)];
	const merged = await commitTree(store, {
		tree: pair.merged,
		parents: [a.commit, b.commit],
		message: `Merge of ${pair.a} and ${pair.b}`,
		at: '2000-01-01T00:00:00Z',
	});
	const paths = [...(await entriesOf(store, pair.merged)).keys()];
	const {base} = pair;
	const changed = (side: 'a' | 'b', named: readonly string[]) =>
		changedLines(store, {side, base, commit: commitOf(pair[side])}, named);
	const verdict = await testTogether({base, a, b, merged, paths, changed}, run);
	switch (verdict.kind) {
		case 'green':
			return {...pair, verify: 'passes'};
		case 'found':
			return {...pair, conflicts: [verdict.finding, ...pair.conflicts], verify: 'fails'};
		case 'red alone':
			for (const who of verdict.who) {
				const isBase = who === 'base';
				red.set(isBase ? 'the base' : pair[who], isBase ? pair.base : commitOf(pair[who]));
			}

			return {...pair, verify: 'fails alone'};
	}
};

/** A commit is checked once, unless it is asked for again. */
const remembering = (run: Runner, {verify, signal}: Pick<Parts, 'verify' | 'signal'>): RunTests => {
	const known = new Map<string, TestRun>();
	return async (commit, options) => {
		const before = options?.again ? undefined : known.get(commit);
		const outcome = before ?? (await run([verify], commit, signal));
		known.set(commit, outcome);
		return outcome;
	};
};
