import type {CheckerRun} from '../../events/kinds/merge-event.ts';
import {asFailure} from '../../lib/failure.ts';
import type {Comparison, Side} from '../detector.ts';
import type {Finding} from '../finding.ts';
import {applyVerdict} from './apply-verdict.ts';
import {consult} from './consult.ts';
import {readMergedLines} from './merged-lines.ts';
import type {Diagnosis, Oracle, OracleContext, OraclePlugin} from './oracle.ts';
import {withCache} from './with-cache.ts';

/** How a checker fared. */
export type OracleRun = CheckerRun & {
	/** Packages that the code depends on are missing where it checks: it finds less, and can't tell what is wrong without any merge. */
	readonly lacksPackages?: true;
};

/** What is found once a checker has spoken, and how it went. */
export type Confirmed = {readonly findings: readonly Finding[]; readonly run: OracleRun};

export type ConfirmOptions = {
	/** Asks none that runs code of the trees. */
	readonly quick?: boolean;
	/** Called for each checker in turn, before the next one is asked. */
	readonly onVerdict?: (confirmed: Confirmed) => Promise<void> | void;
};

/** The checkers that are installed here. */
export type Oracles = {
	/** Lets each checker that serves files of both sides confirm, clear or add to what was found in a merge. */
	confirm(
		comparison: Comparison,
		findings: readonly Finding[],
		options?: ConfirmOptions,
	): Promise<readonly Finding[]>;
	/** Those that were asked so far, each with all the time that it took. */
	runs(): readonly OracleRun[];
	/** What was wrong with the bases already. */
	red(): readonly Diagnosis[];
	[Symbol.asyncDispose](): Promise<void>;
};

export type OraclesOptions = {
	readonly plugins: readonly OraclePlugin[];
	/** Returns the milliseconds of a steady clock. */
	readonly now: () => number;
	/** How long one may work on a merge before it is given up, unless it says otherwise. */
	readonly patienceMs: number;
};

/**
Opens checkers that start when they are first needed, and go on from one merge to the next.

One that hangs, ends or prints nonsense changes no finding, and is not asked again unless that may be the tree's own doing; one that can't be started is as good as none.
*/
export const openOracles = (
	context: OracleContext,
	{plugins, now, patienceMs}: OraclesOptions,
): Oracles => {
	const started = new Map<OraclePlugin, Promise<Oracle | undefined>>();
	const runs = new Map<OraclePlugin, OracleRun>();
	const last = new Map<OraclePlugin, Promise<unknown>>();
	const givenUp = new Set<OraclePlugin>();
	const wrongBefore = new Map<string, Diagnosis>();
	let isClosed = false;

	const start = (plugin: OraclePlugin): Promise<Oracle | undefined> => {
		const oracle = started.get(plugin) ?? plugin.start(context).then(one => one && withCache(one));
		started.set(plugin, oracle);
		return oracle;
	};

	/** A checker holds one tree at a time: whoever asks beside another one waits for its turn, and its patience begins with it. */
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
		return Promise.race([turn, abortOf(signal)]);
	};

	const ask = async (
		plugin: OraclePlugin,
		comparison: Comparison,
		findings: readonly Finding[],
	): Promise<Confirmed | undefined> => {
		const {base, a, b, beside = [], merged} = comparison;
		const last = runs.get(plugin);
		if (last !== undefined && givenUp.has(plugin)) {
			return {findings, run: {...last, ms: 0}};
		}

		const oracle = await start(plugin).catch(() => {});
		if (oracle === undefined) {
			return;
		}

		const {name, serves} = plugin;
		const {version} = oracle;
		const begun = now();
		const confirmed = (
			known: readonly Finding[],
			how: Pick<OracleRun, 'failed' | 'lacksPackages'>,
		): Confirmed => {
			const ms = Math.round(now() - begun);
			const run = {name, version, ms, ...how};
			runs.set(plugin, {...run, ms: (last?.ms ?? 0) + ms});
			return {findings: known, run};
		};
		const ownPatienceMs = plugin.patienceMs ?? patienceMs;
		const patience = AbortSignal.timeout(ownPatienceMs);
		const signal = AbortSignal.any([comparison.signal, patience]);
		try {
			const trees = {base, a: a.commit, b: b.commit, beside, merged};
			const {errors, covered, red, lacksPackages} = await consult(oracle, trees, signal);
			const lines = await readMergedLines(comparison, {merged, errors, serves});
			for (const error of red) {
				wrongBefore.set(JSON.stringify(error), error);
			}

			return confirmed(
				applyVerdict(findings, {by: `${name} ${version}`, errors, covered}, lines),
				lacksPackages ? {lacksPackages} : {},
			);
		} catch (error) {
			comparison.signal.throwIfAborted();
			if (patience.aborted || !plugin.runsTrees) {
				givenUp.add(plugin);
			}

			return confirmed(findings, {
				failed: patience.aborted
					? `It did not end within ${ownPatienceMs / 1000} s.`
					: asFailure(error).message,
			});
		}
	};

	return {
		confirm: async (comparison, findings, {quick = false, onVerdict} = {}) => {
			let known = findings;
			const asked = plugins.filter(one => !(quick && one.runsTrees) && isServed(comparison, one));
			for (const plugin of asked) {
				const before = known;
				const confirmed = await inTurn(plugin, comparison, async () =>
					isClosed ? undefined : ask(plugin, comparison, before),
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
			// Whoever still looks at a merge must not start one again that nobody ends.
			isClosed = true;
			const ends = [...started.values()].map(async oracle => (await oracle)?.close());
			await Promise.allSettled(ends);
		},
	};
};

/** Rejects when a signal does, so that nobody who has given up waits for somebody else's turn to end. */
const abortOf = (signal: AbortSignal): Promise<never> =>
	new Promise((_, reject) => {
		const abort = () => reject(signal.reason);
		if (signal.aborted) {
			abort();
		} else {
			signal.addEventListener('abort', abort, {once: true});
		}
	});

/** Two changes break each other's types only if both are to files that have some, or to what says how to read them. */
const isServed = ({a, b}: Comparison, {serves}: OraclePlugin): boolean => {
	const changes = ({changes}: Side) =>
		changes.some(({path}) => serves(path) || projectFile.test(path));
	return changes(a) && changes(b);
};

const projectFile =
	/(^|\/)(tsconfig.*\.json|package\.json|go\.mod|Cargo\.toml|pyproject\.toml|pyrightconfig\.json)$/;
