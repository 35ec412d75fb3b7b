import type {CheckerRun} from '../../events/kinds/merge-event.ts';
import type {Store} from '../../git/store/store.ts';
import {type Change, entriesOfChange} from '../../git/tree/changes.ts';
import {entriesAt} from '../../git/tree/entry.ts';
import {entriesOf} from '../../git/tree/listing.ts';
import {asFailure} from '../../lib/failure.ts';
import {defined, dropOldest, isSame} from '../../lib/values.ts';
import {type Comparison, type Finding, keyOf, type Side} from '../finding.ts';
import {hunksOf, readTexts, type Texts} from '../hunks.ts';
import {cargo, goVet, javac, pyright} from './command/checkers.ts';
import {commandOracle} from './command/command.ts';
import {
	type ChangedLine,
	type ChangedLines,
	type Checked,
	type CheckerBudget,
	type Diagnosis,
	defaultBudget,
	evidenceFor,
	type MergedLines,
	type Oracle,
	type OracleContext,
	type OraclePlugin,
	OverBudget,
	unlessAborted,
} from './oracle.ts';
import {isSyntaxError, typescriptOracle} from './typescript.ts';

/** All known checkers; installed ones are used. */
export const oraclePlugins: readonly OraclePlugin[] = [
	typescriptOracle,
	...[pyright, goVet, cargo, javac].map(commandOracle),
];

/** A checker's run. */
export type OracleRun = CheckerRun & {
	/** True if packages of the code are missing where it runs: it finds less, and can't tell which errors exist without any merge. */
	readonly lacksPackages?: true;
};

/** The findings after a checker's verdict, and its run. */
export type Confirmed = {readonly findings: readonly Finding[]; readonly run: OracleRun};

export type ConfirmOptions = {
	/** True if checkers that run code of the trees are left out. */
	readonly quick?: boolean;
	/** Budget of checkers that support one, if it is not the context's. */
	readonly budget?: Partial<CheckerBudget> | undefined;
	/** Called after each checker, before the next one is asked. */
	readonly onVerdict?: (confirmed: Confirmed) => Promise<void> | void;
};

/** Findings, perhaps not complete yet. */
export type Findings = readonly Finding[] | Promise<readonly Finding[]>;

/** Checkers that are installed here. */
export type Oracles = {
	/** Lets each checker that serves files of both sides confirm, clear or add findings of a merge; the first one starts while the findings are still being collected. */
	confirm(
		comparison: Comparison,
		findings: Findings,
		options?: ConfirmOptions,
	): Promise<readonly Finding[]>;
	/** Returns the checkers that were asked so far, each with its total time. */
	runs(): readonly OracleRun[];
	/** Returns the errors of the bases. */
	red(): readonly Diagnosis[];
	[Symbol.asyncDispose](): Promise<void>;
};

type OraclesOptions = {
	readonly plugins: readonly OraclePlugin[];
	/** Returns the milliseconds of a monotonic clock. */
	readonly now: () => number;
	/** Time limit of a checker for a merge, in milliseconds, unless it or its budget sets another. */
	readonly patienceMs?: number;
};

/**
Returns checkers that start when they are first needed, and keep running for the next merges.

A checker that hangs, crashes or prints nonsense changes no finding and is not asked again, unless the tree may be the cause; one without a version counts as not installed.
*/
export const openOracles = (
	context: OracleContext,
	{plugins, now, patienceMs = defaultBudget.seconds * 1000}: OraclesOptions,
): Oracles => {
	const started = new Map<OraclePlugin, Promise<Oracle | undefined>>();
	const runs = new Map<OraclePlugin, OracleRun>();
	const last = new Map<OraclePlugin, Promise<unknown>>();
	/** Checkers that were given up, with the budget at that time. */
	const givenUp = new Map<OraclePlugin, Partial<CheckerBudget> | undefined>();
	const wrongBefore = new Map<string, Diagnosis>();
	let isClosed = false;

	const start = (plugin: OraclePlugin, signal: AbortSignal): Promise<Oracle | undefined> => {
		const oracle =
			started.get(plugin) ?? plugin.start(context, signal).then(one => one && withCache(one));
		started.set(plugin, oracle);
		return oracle;
	};

	/** Queues a request, since a checker holds one tree at a time; its timeout starts with its turn. */
	const inTurn = <Result>(
		plugin: OraclePlugin,
		{signal}: Comparison,
		work: () => Promise<Result>,
	): Promise<Result> => {
		const turn = (last.get(plugin) ?? Promise.resolve()).then(() => {
			signal.throwIfAborted();
			return work();
		});
		last.set(
			plugin,
			turn.catch(() => {}),
		);
		return unlessAborted(turn, signal);
	};

	const ask = async (
		plugin: OraclePlugin,
		comparison: Comparison,
		findings: Findings,
		wanted: ConfirmOptions['budget'],
	): Promise<Confirmed | undefined> => {
		const {base, a, b, beside = [], merged} = comparison;
		const last = runs.get(plugin);
		const budget = plugin.heedsBudget ? (wanted ?? context.budget?.()) : undefined;
		if (last !== undefined && givenUp.has(plugin) && isSame(givenUp.get(plugin), budget)) {
			return {findings: await findings, run: {...last, ms: 0}};
		}

		const seconds = budget?.seconds;
		const ownPatienceMs =
			plugin.patienceMs ?? (seconds === undefined ? patienceMs : seconds * 1000);
		const {name, serves} = plugin;
		const ran = (
			how: Omit<OracleRun, 'name' | 'version'>,
			{version}: Pick<OracleRun, 'version'>,
		): OracleRun => {
			const run = {name, version, ...how};
			runs.set(plugin, together(last, run));
			return run;
		};
		const failure = (error: unknown, patience: AbortSignal, verb: 'start' | 'end') => ({
			failed: patience.aborted
				? `It did not ${verb} within ${ownPatienceMs / 1000} s.`
				: asFailure(error).message,
			...(error instanceof OverBudget || (patience.aborted && plugin.heedsBudget)
				? ({isOverBudget: true} as const)
				: {}),
		});
		const starting = AbortSignal.timeout(ownPatienceMs);
		let oracle: Oracle | undefined;
		try {
			oracle = await start(plugin, starting);
		} catch (error) {
			started.delete(plugin);
			comparison.signal.throwIfAborted();
			givenUp.set(plugin, budget);
			const run = ran({ms: 0, ...failure(error, starting, 'start')}, {version: ''});
			return {findings: await findings, run};
		}

		if (oracle === undefined) {
			return;
		}

		await oracle.free?.();
		comparison.signal.throwIfAborted();
		const begun = now();
		const ms = () => Math.round(now() - begun);
		const patience = AbortSignal.timeout(ownPatienceMs);
		const signal = AbortSignal.any([comparison.signal, patience]);
		try {
			const trees = {base, a: a.commit, b: b.commit, beside, merged};
			const {errors, covered, red, lacksPackages} = await consult(oracle, trees, signal, budget);
			const lines = await readMergedLines(comparison, merged, errors, serves);
			for (const error of red) {
				wrongBefore.set(JSON.stringify(error), error);
			}

			const run = ran({ms: ms(), ...(lacksPackages ? {lacksPackages} : {})}, oracle);
			const verdict = {by: `${name} ${oracle.version}`, errors, covered};
			return {findings: applyVerdict(await findings, verdict, lines), run};
		} catch (error) {
			comparison.signal.throwIfAborted();
			if (patience.aborted || !(plugin.runsTrees || error instanceof OverBudget)) {
				givenUp.set(plugin, budget);
			}

			const run = ran({ms: ms(), ...failure(error, patience, 'end')}, oracle);
			return {findings: await findings, run};
		}
	};

	return {
		confirm: async (comparison, findings, {quick = false, budget, onVerdict} = {}) => {
			let known = findings;
			// A rejection is handled where it is awaited.
			Promise.resolve(findings).catch(() => {});
			const asked = plugins.filter(one => !(quick && one.runsTrees) && isServed(comparison, one));
			const files = await filesIn(comparison, asked);
			for (const plugin of asked.filter(({serves}) => files.some(serves))) {
				const before = known;
				const confirmed = await inTurn(plugin, comparison, async () =>
					isClosed ? undefined : ask(plugin, comparison, before, budget),
				);
				if (confirmed !== undefined) {
					known = confirmed.findings;
					await onVerdict?.(confirmed);
				}
			}

			return known;
		},
		runs: () => [...runs.values()],
		red: () => [...wrongBefore.values()],
		[Symbol.asyncDispose]: async () => {
			// A running comparison must not restart a checker.
			isClosed = true;
			const ends = [...started.values()].map(async oracle => (await oracle)?.close());
			await Promise.allSettled(ends);
		},
	};
};

/** Adds a checker's run to its earlier ones: a merge that it could not check stays reported. */
export const together = (before: OracleRun | undefined, run: OracleRun): OracleRun => {
	const {ms = 0, failed, isOverBudget} = before ?? {};
	const earlier = run.failed === undefined ? defined({failed, isOverBudget}) : {};
	return {...run, ...earlier, ms: run.ms + ms};
};

/** Returns whether a checker can find breakages: both sides changed files that it serves, or project settings. */
const isServed = ({a, b}: Comparison, {serves}: OraclePlugin): boolean => {
	const changes = ({changes}: Side) =>
		changes.some(({path}) => serves(path) || projectFile.test(path));
	return changes(a) && changes(b);
};

/** Returns the changed files that both sides have, or every file of the merge if no checker serves any of those: a change of project settings needs no file of the language. */
const filesIn = async (
	{store, a, b, merged}: Comparison,
	asked: readonly OraclePlugin[],
): Promise<readonly string[]> => {
	const changed = [...a.changes, ...b.changes].map(({path}) => path);
	return asked.every(({serves}) => changed.some(serves))
		? changed
		: [...(await entriesOf(store, merged)).keys()];
};

const projectFile =
	/(^|\/)(tsconfig.*\.json|package\.json|go\.mod|Cargo\.toml|pyproject\.toml|pyrightconfig\.json)$/;

/** Caches the results of the last trees, since three agents need each tree several times; failures and timeouts are not cached. */
export const withCache = (oracle: Oracle): Oracle => {
	const known = new Map<string, Checked>();
	return {
		...oracle,
		check: async (tree, signal, around = [tree], budget = undefined) => {
			// With another budget another part of the tree is checked, or all of it.
			const part = JSON.stringify([tree, around, budget]);
			const checked =
				known.get(tree) ?? known.get(part) ?? (await oracle.check(tree, signal, around, budget));
			const key = checked.isPart ? part : tree;
			known.delete(key);
			known.set(key, checked);
			dropOldest(known, most);
			return checked;
		},
	};
};

/** Maximum number of cached results: three agents and a target are six pairs, with a base, two sides and a merge each. */
const most = 32;

/** A value for each tree of a merge without git conflicts. */
type OfTrees<Value> = {
	readonly base: Value;
	readonly a: Value;
	readonly b: Value;
	/** Values of further works in the merge. */
	readonly beside?: readonly Value[];
	readonly merged: Value;
};

type Consulted = Pick<Checked, 'errors' | 'covered'> & {
	/** Errors of the base, which count for no side. */
	readonly red: readonly Diagnosis[];
	/** True if packages were missing, so that `red` has only certain errors. */
	readonly lacksPackages: boolean;
};

/**
Returns the errors of a merged tree that none of its sources has; the covered files are those of the merged tree.

The sides are checked only if the merged tree has an error that the base lacks, which is rare. If both equal the base, only certain errors count: no side has the same error because of a missing package.
*/
export const consult = async (
	oracle: Oracle,
	trees: OfTrees<string>,
	signal: AbortSignal,
	budget?: Partial<CheckerBudget>,
): Promise<Consulted> => {
	const around = [trees.base, trees.a, trees.b, ...(trees.beside ?? []), trees.merged];
	const check = (tree: string) => oracle.check(tree, signal, around, budget);
	const {errors: base, own} = await check(trees.base);
	const before = {red: own ?? base, lacksPackages: own !== undefined};
	const errorsOf = async (tree: string) => (await check(tree)).errors;
	const {errors: merged, covered, own: certain} = await check(trees.merged);
	const isWhole = trees.a === trees.base && trees.b === trees.base;
	const beyond = onlyMerged({base, a: base, b: base, merged: (isWhole && certain) || merged});
	if (isWhole || beyond.length === 0) {
		return {errors: beyond, covered, ...before};
	}

	const [a, b] = [await errorsOf(trees.a), await errorsOf(trees.b)];
	const beside: (readonly Diagnosis[])[] = [];
	for (const tree of trees.beside ?? []) {
		beside.push(await errorsOf(tree));
	}

	return {errors: onlyMerged({base, a, b, beside, merged}), covered, ...before};
};

/**
Returns the errors that only the merged tree has.

An error is the same anywhere in its file, so errors are counted by file, code and text. The merge may have those of the base, and those that each side added by itself: two sides that each import the same missing package make two errors, neither of which is the merge's.
*/
export const onlyMerged = ({
	base,
	a,
	b,
	beside = [],
	merged,
}: OfTrees<readonly Diagnosis[]>): readonly Diagnosis[] => {
	const ofBase = grouped(base);
	const sides = [a, b, ...beside].map(grouped);
	const seen = new Map<string, number>();
	return merged.filter(diagnosis => {
		const key = lineKey(diagnosis);
		const number = (seen.get(key) ?? 0) + 1;
		seen.set(key, number);
		const times = (all: typeof ofBase) => all.get(key)?.length ?? 0;
		const before = times(ofBase);
		const added = sides.map(side => Math.max(0, times(side) - before));
		return number > before + added.reduce((sum, count) => sum + count, 0);
	});
};

const grouped = (diagnoses: readonly Diagnosis[]) => Map.groupBy(diagnoses, lineKey);

const lineKey = ({path, code, text}: Diagnosis): string => JSON.stringify([path, code, text]);

/** Reads the lines of errors, and the changed lines of each side in served files. */
const readMergedLines = async (
	{store, a, b}: Comparison,
	merged: string,
	errors: readonly Diagnosis[],
	serves: (path: string) => boolean,
): Promise<MergedLines> => {
	const changed = ({changes}: Side) =>
		changedLines(
			store,
			changes.filter(({path}) => serves(path)),
		);
	const at = await linesAt(store, merged, new Set(errors.map(({path}) => path)));
	return {at, a: await changed(a), b: await changed(b)};
};

const linesAt = async (store: Store, tree: string, paths: ReadonlySet<string>) => {
	const entries = await entriesAt(store, tree, paths);
	const texts = await readTexts(store, entries.values());
	return (path: string, line: number): string => texts(entries.get(path))?.[line - 1] ?? '';
};

const changedLines = async (store: Store, changes: readonly Change[]): Promise<ChangedLines> => {
	const few = changes.slice(0, mostFiles);
	const texts = await readTexts(store, few.flatMap(entriesOfChange));
	return few.flatMap(change => linesOf(change, texts));
};

/** Maximum number of files that are read to show one line of each side. */
const mostFiles = 300;

/** Returns the changed lines, added ones first, since they still exist. */
const linesOf = (change: Change, texts: Texts): readonly ChangedLine[] => {
	const {path} = change;
	const [old = [], now = []] = entriesOfChange(change).map(texts);
	const hunks = hunksOf(old, now);
	const part = (lines: readonly string[], from: number, count: number, removed: boolean) =>
		lines
			.slice(from - 1, from - 1 + count)
			.map((text, index) => ({path, line: from + index, text, removed}));
	return [
		...hunks.flatMap(({newLine, newCount}) => part(now, newLine, newCount, false)),
		...hunks.flatMap(({oldLine, oldCount}) => part(old, oldLine, oldCount, true)),
	];
};

type Verdict = {
	/** Name and version of the checker. */
	readonly by: string;
	/** Errors that only the merged tree has. */
	readonly errors: readonly Diagnosis[];
	readonly covered: ReadonlySet<string>;
};

/**
Lets a checker confirm, clear or add findings of the rules.

A confirmed finding blocks. A finding in a covered file without an error becomes a note: a rule can be wrong about a language, its checker can't.

@param merged Returns a trimmed line of the merged tree.
*/
export const applyVerdict = (
	findings: readonly Finding[],
	{by, errors, covered}: Verdict,
	lines: MergedLines,
): readonly Finding[] => {
	const unclaimed = new Set(errors);
	const judged = findings.map((finding): Finding => {
		if (finding.type !== 'IMPORT_CONFLICT' && finding.type !== 'API_CONFLICT') {
			return finding;
		}

		const confirming = errors.filter(error => isTheSame(finding, error, lines));
		for (const error of confirming) {
			unclaimed.delete(error);
		}

		const [first] = confirming;
		if (first !== undefined) {
			const confirmed = {by, text: wordsOf(first)};
			return {...finding, blocking: true, confidence: 'high', confirmed};
		}

		return finding.blocking && finding.evidence.every(({path}) => covered.has(path))
			? {...finding, blocking: false, confidence: 'low'}
			: finding;
	});
	return [...judged, ...[...unclaimed].map(error => findingOf(error, by, lines))];
};

/** Returns whether an error and a finding are the same: the finding shows the error's line, or the same names in that file. */
const isTheSame = (
	{path, key, evidence}: Finding,
	error: Diagnosis,
	{at}: MergedLines,
): boolean => {
	const text = at(error.path, error.line).trim();
	const named = [...error.text.matchAll(/'([^']+)'/g)].map(([, name]) => name);
	return (
		evidence.some(shown => shown.path === error.path && shown.text?.trim() === text) ||
		(path === error.path && key.split(' ').some(word => named.includes(word)))
	);
};

const wordsOf = ({code, text}: Diagnosis): string => (code === '' ? text : `${code}: ${text}`);

const findingOf = (error: Diagnosis, by: string, lines: MergedLines): Finding => {
	const {path, line, code, text} = error;
	const common = {
		path,
		blocking: true,
		confidence: 'high',
		summary: `Together they break ${path}: ${text}`,
		evidence: evidenceFor({path, line, text: `${text} ${lines.at(path, line)}`}, lines),
		confirmed: {by, text: wordsOf(error)},
	} as const;
	if (isSyntaxError(error)) {
		const key = keyOf('F3', path, code, text);
		return {...common, type: 'FILE_CONFLICT', kind: 'syntax', rule: 'F3', key};
	}

	const rule = missingFileCodes.has(code) ? 'I1' : missingNameCodes.has(code) ? 'I2' : undefined;
	return rule === undefined
		? {...common, type: 'API_CONFLICT', rule: 'A6', key: keyOf('A6', path, code, text)}
		: {...common, type: 'IMPORT_CONFLICT', rule, key: keyOf(rule, path, code, text)};
};

const missingFileCodes = new Set(['TS2307', 'reportMissingImports']);
const missingNameCodes = new Set(['TS2305', 'TS2613', 'TS2614', 'TS2724', 'TS1192']);
