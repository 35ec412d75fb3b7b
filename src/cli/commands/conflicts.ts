import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Command} from 'commander';
import envPaths from 'env-paths';
import {
	lastLine,
	type RunTests,
	type TestRun,
	testTogether,
} from '../../conflicts/checks/breaks-together.ts';
import {failureLocations, firstChanges} from '../../conflicts/checks/failure-locations.ts';
import type {Finding} from '../../conflicts/finding.ts';
import {endParsing} from '../../conflicts/linking/linking.ts';
import {ownCheck} from '../../conflicts/oracle/command/own-check.ts';
import {type OracleRun, openOracles, oraclePlugins} from '../../conflicts/oracle/open-oracles.ts';
import {
	budgetOf,
	type CheckerBudget,
	defaultBudget,
	type OraclePlugin,
	wholeRepository,
} from '../../conflicts/oracle/oracle.ts';
import {
	blocks,
	type ConflictReport,
	type NamedCommit,
	type PairReport,
	report,
	verdictOf,
} from '../../conflicts/report.ts';
import {unreadByReason} from '../../events/finding.ts';
import {driversOf} from '../../git/merge/merge-tree.ts';
import {
	openForReading,
	type ReadableRepository,
	withStoreOf,
} from '../../git/repository/readable-repository.ts';
import {idOf, resolveCommit} from '../../git/repository/repository.ts';
import {commitTree, type Store} from '../../git/store/store.ts';
import {changes} from '../../git/tree/changes.ts';
import {entriesOf} from '../../git/tree/listing.ts';
import {asFailure, exitCodes, Failure} from '../../lib/failure.ts';
import {temporaryFolder} from '../../lib/files/folders.ts';
import {shrinkHeap} from '../../lib/memory.ts';
import {counted, shortOid} from '../../lib/text/words.ts';
import {defined} from '../../lib/values.ts';
import {checkerName, evidenceWords, unreadText} from '../../state/merge/attribution-text.ts';
import type {Config} from '../config/config.ts';
import {openRunner, openShutIn, type Runner, sandboxHere} from '../open-runner.ts';
import {printAs, untilInterrupted} from '../output.ts';
import {readConfig} from '../require-config.ts';

type Options = {
	readonly verify?: string;
	readonly check?: string;
	readonly runCode?: boolean;
	readonly types?: string;
	readonly json?: true;
};

export const addConflicts = (program: Command): void => {
	program
		.command('conflicts [refs...]')
		.description('show what collides when two to eight commits are merged; nothing is changed')
		.option('--verify <command>', 'run it on each merge that git can make')
		.option(
			'--check <command>',
			'a type check or build that prints path:line: message; errors that only a merge has are reported',
		)
		.option(
			'--run-code',
			'let the config’s check, and type checkers such as cargo, run code of the commits',
		)
		.option(
			'--types <files>',
			`how many files TypeScript may read, ${defaultBudget.files} by default; "all" checks the whole repository`,
		)
		.option('--json', 'as JSON')
		.action(async (refs: readonly string[], {json, ...options}: Options) => {
			requireSeveral(refs);
			requireWords(options);
			const repository = await openForReading(process.cwd());
			const inputs = await Promise.all(refs.map(name => resolve(repository, name)));
			using interrupted = untilInterrupted('The comparison was interrupted.');
			const {signal} = interrupted;
			const found = await readable(() => compareAll(repository, inputs, {...options, signal}));
			printAs({json}, found, conflictsText(found));
			process.exitCode = blocks(found) ? exitCodes.refused : 0;
		});
};

const compareAll = (
	repository: ReadableRepository,
	inputs: readonly NamedCommit[],
	{verify, check, runCode = false, types, signal}: Options & {readonly signal: AbortSignal},
): Promise<ConflictReport> =>
	withStoreOf(repository, async store => {
		const {checkout, settings} = repository;
		const {config} = await readConfig(checkout ?? repository.commonDir);
		const budget = budgetBy(types, config);
		await using folder = await temporaryFolder(join(tmpdir(), 'delegate-tui-check-'));
		const comparison = {
			...{store, runsCode: runCode, kept: await importLinesFile(repository)},
			...defined({checkout}),
			budget: () => budget,
			shutIn: openShutIn({repository, store, config}, folder.path),
		};
		const own = projectCheck({
			...defined({typed: check}),
			configured: config.check,
			runsCode: runCode,
			openRunner: () => openRunner({repository, store, config}, folder.path),
		});
		await using oracles = openOracles(comparison, {
			plugins: [...oraclePlugins, own],
			now: () => performance.now(),
		});
		const compared = await report(store, inputs, {settings, signal, oracles, onRead: freeMemory});
		const overlap = [...new Set(compared.pairs.flatMap(pair => pair.overlap))];
		const found = {
			...compared,
			...(compared.oracles.length > 0 || verify !== undefined
				? {sandbox: await sandboxHere(config)}
				: {}),
			drivers: checkout === undefined ? [] : await driversOf(checkout, overlap),
		};
		return verify === undefined
			? found
			: verifyPairs({repository, store, config, report: found, verify, signal});
	});

/** Frees the memory of parsing, which TypeScript needs meanwhile. */
const freeMemory = async (): Promise<void> => {
	await endParsing();
	shrinkHeap();
};

/** Returns the file that caches a repository's import lines between comparisons. */
const importLinesFile = async ({commonDir}: ReadableRepository): Promise<string> =>
	join(envPaths('delegate-tui', {suffix: ''}).cache, 'import-lines', idOf(commonDir), 'lines');

const requireSeveral = ({length}: readonly string[]): void => {
	if (length < 2 || length > 8) {
		throw new Failure('usage', `Two to eight commits can be compared, not ${length}.`, {
			hint: 'delegate-tui conflicts main feature',
		});
	}
};

const requireWords = ({verify, check}: Options): void => {
	if (verify?.trim() === '' || check?.trim() === '') {
		throw new Failure('usage', 'An empty command checks nothing.', {
			hint: 'delegate-tui conflicts main feature --verify "npm test"',
		});
	}
};

/**
Returns the budget of type checkers, from an option or the config.

@throws `Failure` of kind `usage` for a value that is neither a number nor `all`.
*/
const budgetBy = (types: string | undefined, config: Config): Partial<CheckerBudget> => {
	const own = budgetOf(config.types);
	const widest = wholeRepository(own);
	if (types === 'all') {
		return widest;
	}

	if (types !== undefined && !/^[1-9]\d{0,8}$/.test(types)) {
		throw new Failure('usage', `--types takes a number of files, or all, not "${types}".`, {
			hint: 'delegate-tui conflicts main feature --types 20000',
		});
	}

	const {bytes, memory} = widest;
	return {
		...own,
		...(types === undefined ? {} : {...budgetOf({files: Number(types)}), bytes, memory}),
	};
};

const resolve = async (repository: ReadableRepository, name: string): Promise<NamedCommit> => {
	const commit = await readable(() => resolveCommit(repository, name));
	if (commit === undefined) {
		throw new Failure('missing', `There is no commit ${name} in this repository.`, {
			hint: 'Name a branch, a tag or the id of a commit: git branch --all',
		});
	}

	return {name, commit};
};

/** Reports errors of git about missing or unreadable objects as refusals. */
const readable = async <Result>(read: () => Promise<Result>): Promise<Result> => {
	try {
		return await read();
	} catch (error) {
		const {kind, message, hint = 'git fsck shows what else is wrong.'} = asFailure(error);
		throw kind === 'internal'
			? new Failure('missing', `This repository can’t be read whole: ${message}`, {
					hint,
					cause: error,
				})
			: error;
	}
};

/** Returns a report for a person: each pair with its verdict, then its findings with the lines of both sides. */
export const conflictsText = ({
	inputs,
	base,
	pairs,
	oracles,
	unread,
	sandbox,
	drivers = [],
	target,
}: ConflictReport): string =>
	[
		[
			...(base === null ? [] : [`Base ${shortOid(base)}`]),
			...inputs.map(
				({name, commit, files}) => `${name} ${shortOid(commit)}, ${counted(files, 'file')}`,
			),
		].join(' · '),
		...pairs.filter(hasMore).map(pairText),
		...(pairs.every(hasMore)
			? []
			: [
					pairs
						.filter(pair => !hasMore(pair))
						.map(pairText)
						.join('\n'),
				]),
		...(pairs.some(({clean}) => clean) ? [namesText(oracles, unread)] : []),
		...(sandbox?.level === 'none'
			? [`Files were not protected from the programs that ran on the commits: ${sandbox.why}.`]
			: []),
		...(drivers.length === 0
			? []
			: [
					[
						'Your merge drivers that were not run, so git may merge these files differently',
						...drivers.map(({path, name}) => `  ${path}  ${name}`),
					].join('\n'),
				]),
		...(target.red.length === 0
			? []
			: [`Red without any merge\n${redTexts(target.red).join('\n')}`]),
	].join('\n\n');

/** Returns which checkers compared names and types, and which files only git compared. */
const namesText = (oracles: readonly OracleRun[], unread: ConflictReport['unread']): string =>
	[checkersText(oracles), unreadText(unreadByReason(unread)) ?? []].flat().join('\n');

/** Returns which checkers checked the types, since an unchecked merge is less certain. */
const checkersText = (runs: readonly OracleRun[]): string =>
	runs.length === 0
		? 'Types were not checked: no installed checker reads what both sides changed.'
		: runs.map(runText).join('\n');

const runText = (run: OracleRun): string => {
	const {ms, failed, isOverBudget, lacksPackages} = run;
	if (failed !== undefined) {
		const more = isOverBudget ? ' "--types all" gives it half of the memory and half an hour.' : '';
		return `Types not checked by ${checkerName(run)}: ${failed}${more}`;
	}

	const told = `Types checked by ${checkerName(run)} in ${(ms / 1000).toFixed(1)} s`;
	return lacksPackages === true ? `${told}, without the packages that the code depends on` : told;
};

const redTexts = (red: ConflictReport['target']['red']): readonly string[] => [
	...red.slice(0, mostRed).map(redText),
	...(red.length > mostRed ? [`  … and ${red.length - mostRed} more`] : []),
];

/** Maximum number of existing errors; the JSON has all. */
const mostRed = 20;

const redText = ({file, line, text}: ConflictReport['target']['red'][number]): string =>
	file === undefined ? `  ${text}` : `  ${file}:${line ?? 1}  ${text}`;

/** Returns whether a pair needs more than one line; eight commits are 28 pairs. */
const hasMore = ({clean, conflicts}: PairReport): boolean => !clean || conflicts.length > 0;

/** Returns a pair with its findings; equal texts of several paths are listed once. */
const pairText = (pair: PairReport): string =>
	[
		`${pair.a} + ${pair.b}: ${verdictOf(pair)}${pair.areTypesUnchecked ? '; types not checked' : ''}${pair.verify === undefined ? '' : verifyTexts[pair.verify]}${pair.used ?? ''}`,
		...new Set(pair.conflicts.map(finding => findingText(finding, {a: pair.a, b: pair.b}))),
	].join('\n');

const verifyTexts: Readonly<Record<NonNullable<PairReport['verify']>, string>> = {
	passes: '; verify passes',
	fails: '; verify fails',
	'fails alone': '; verify fails, and without the merge, too',
};

/** Returns a finding with the lines of both sides. */
const findingText = (finding: Finding, names: Readonly<Record<'a' | 'b', string>>): string => {
	const {type, rule, blocking, confidence, summary, evidence, confirmed} = finding;
	const weight = blocking ? 'blocks' : `note, ${confidence} confidence`;
	const width = Math.max(names.a.length, names.b.length);
	return [
		`  ${type} ${rule} (${weight}): ${summary}`,
		...(confirmed === undefined ? [] : [`    ${confirmed.by}: ${confirmed.text}`]),
		...evidence.map(
			one => `    ${names[one.side].padEnd(width)}  ${evidenceWords(one).join('  ')}`,
		),
	].join('\n');
};

type Parts = {
	readonly repository: ReadableRepository;
	readonly store: Store;
	readonly config: Config;
	readonly report: ConflictReport;
	readonly verify: string;
	/** Aborted when the report is no longer needed, which ends running commands. */
	readonly signal: AbortSignal;
};

/** Adds a command's result for each merge that git can make; each tree has its own checkout, and is checked once. */
const verifyPairs = async (parts: Parts): Promise<ConflictReport> => {
	const {report} = parts;
	await using folder = await temporaryFolder(join(tmpdir(), 'delegate-tui-verify-'));
	const used = new Map<string, string>();
	const run = remembering(await openRunner(parts, folder.path), parts, used);
	const red = new Map<string, string>();
	const pairs: PairReport[] = [];
	for (const pair of report.pairs) {
		pairs.push(await verifyPair(parts, pair, run, {red, used}));
	}

	const lines = await Promise.all(
		[...red].map(async ([name, commit]) => redLine(parts, {name, commit, ...(await run(commit))})),
	);
	return {...report, pairs, target: {red: [...report.target.red, ...lines]}};
};

/** Returns a failure without any merge, with the line that it names. */
const redLine = async (
	{store, verify}: Parts,
	{name, commit, output}: TestRun & {readonly name: string; readonly commit: string},
): Promise<ConflictReport['target']['red'][number]> => {
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
	{red, used}: {readonly red: Map<string, string>; readonly used: ReadonlyMap<string, string>},
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
		firstChanges(store, {side, base, commit: commitOf(pair[side])}, named);
	const verdict = await testTogether({base, a, b, merged, paths, changed}, run);
	switch (verdict.kind) {
		case 'green':
			return {...pair, verify: 'passes', ...defined({used: used.get(merged) || undefined})};
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

/** Caches the check of a commit, unless it is requested again. */
const remembering = (
	run: Runner,
	{verify, signal}: Pick<Parts, 'verify' | 'signal'>,
	used: Map<string, string>,
): RunTests => {
	const known = new Map<string, TestRun>();
	return async (commit, options) => {
		const before = options?.again ? undefined : known.get(commit);
		if (before !== undefined) {
			return before;
		}

		const {used: others, ...outcome} = await run([verify], commit, signal);
		used.set(commit, others);
		known.set(commit, outcome);
		return outcome;
	};
};

export type ProjectCheckParts = {
	/** Command that a person typed, and thereby allowed to run. */
	readonly typed?: string;
	/** Commands of the config, which were written without knowledge of these commits. */
	readonly configured: readonly string[];
	readonly runsCode: boolean;
	/** Called when a runner is first needed. */
	readonly openRunner: () => Promise<Runner>;
};

/** Returns the project's own check as a checker of commits; if it may not run their code, one that reports so. */
const projectCheck = ({
	typed,
	configured,
	runsCode,
	openRunner,
}: ProjectCheckParts): OraclePlugin => {
	let runner: Promise<Runner> | undefined;
	const commands = typed === undefined ? configured : [typed];
	return ownCheck({
		commands: () => commands,
		run: async (commit, signal) => {
			if (typed === undefined && !runsCode) {
				throw new Failure('refused', 'It would run code of the commits; --run-code allows that.');
			}

			runner ??= openRunner();
			return (await runner)(commands, commit, signal);
		},
	});
};
