import type {UnreadFile} from '../events/finding.ts';
import type {Store} from '../git/store/store.ts';
import {changes} from '../git/tree/changes.ts';
import {defined} from '../lib/values.ts';
import type {Combination, MergeStep} from './combine.ts';
import {type CompareOptions, compare, find, type Pair} from './compare.ts';
import {overlaps} from './detectors/file/overlaps.ts';
import {keepingSide} from './either-side.ts';
import type {Finding} from './finding.ts';
import {type Input, mergeWork, target} from './input.ts';
import {type OracleRun, together} from './oracle/open-oracles.ts';
import {changersOf, type LineSeen, ownersOfLines} from './owners.ts';

type Sides = {readonly a: readonly string[]; readonly b: readonly string[]};

/** A finding in a result, with the agents whose changes cause it. */
export type BrokenTogether = Sides & {readonly finding: Finding};

/** An error of the result, with the agents that changed its file, if any. */
export type ResultError = {
	readonly path: string;
	readonly text: string;
	readonly owners: readonly string[];
};

/** Findings of all merges that make a result. */
export type Breakages = {
	readonly found: readonly BrokenTogether[];
	/** Number of merges with changes on both sides. */
	readonly merges: number;
	/** Changed files that only git compared, and why. */
	readonly unread: readonly UnreadFile[];
	/** Runs of the type checkers. */
	readonly oracles: readonly OracleRun[];
	/** Errors of the whole result that the target lacks, apart from the findings above: an agent's own mistakes. */
	readonly errors: readonly ResultError[];
};

/**
Returns the breakages in a result that git could merge.

It looks at the merges that really make the result, each work onto all that came before it, and not at pairs: so it also finds breakages of three works. Then it compares the result itself: with stacked work, which no merge shows; with both works of each settled conflict, as they were; and with the whole of each work that was only taken in part.

@throws The signal's reason once it is aborted.
*/
export const breakagesOf = async (
	store: Store,
	combination: Pick<Combination, 'tree' | 'base' | 'steps' | 'settled'>,
	{
		asksOfOverlaps = false,
		...options
	}: Omit<CompareOptions, 'onVerdict'> & {
		/** True if each file that two works changed is reported, even without a breakage. */
		readonly asksOfOverlaps?: boolean;
	},
): Promise<Breakages> => {
	const {tree, base, steps, settled} = combination;
	const found = new Map<string, BrokenTogether>();
	const unread = new Map<string, UnreadFile>();
	const oracles = new Map<string, OracleRun>();
	let merges = 0;
	const asking: CompareOptions = {
		...options,
		onVerdict: ({run}) => {
			oracles.set(run.name, together(oracles.get(run.name), run));
		},
	};
	const look = async (pair: Pair): Promise<readonly Finding[]> => {
		const compared = await compare(store, pair, asking);
		for (const file of compared.unread) {
			unread.set(file.path, file);
		}

		const {a, b} = compared.changed;
		merges += a > 0 && b > 0 ? 1 : 0;
		return compared.findings.filter(({blocking, rule}) => blocking && rule !== 'F1');
	};
	/** Records a finding between two sides once, even if several merges have it. */
	const tell = (finding: Finding, {a, b}: Sides): void => {
		const key = [finding.key, ...new Set([...a, ...b].toSorted())].join('\n');
		found.set(key, found.get(key) ?? {a, b, finding});
	};

	const apart = new Map<Input, string>();
	for (const work of [
		...steps.flatMap(({before, work}) => [...before, work]),
		...bothOf(settled),
	]) {
		apart.set(work, apart.get(work) ?? (await onItsOwn(store, work, base)));
	}

	const besides = (...own: readonly Input[]): readonly string[] => [
		...new Set(
			[...apart]
				.filter(([{owners}]) => !own.some(work => owners.some(name => work.owners.includes(name))))
				.map(([, commit]) => commit),
		),
	];
	for (const step of steps) {
		const {onto, work} = step;
		const met = [...(await look({a: onto, b: work.commit, base: work.base}))];
		if (work.base !== base) {
			const b = apart.get(work) ?? work.commit;
			const below = step.before.filter(({owners}) => !owners.includes(target));
			met.push(
				...(await look({a: work.base, b, base, made: tree, beside: besides(work, ...below)})),
			);
		}

		for (const finding of met) {
			tell(finding, await sidesIn(store, step, finding));
		}
	}

	for (const {before, work} of asksOfOverlaps ? steps : []) {
		for (const other of before.filter(({owners}) => !owners.includes(target))) {
			const [a, b] = await Promise.all(
				[other, work].map(async input => {
					const commit = apart.get(input) ?? input.commit;
					return {commit, changes: await changes(store, base, commit)};
				}),
			);
			const met = a && b ? await overlaps({store, base, a, b, ...asMerged(tree), ...options}) : [];
			for (const finding of met) {
				tell(finding, {a: other.owners, b: work.owners});
			}
		}
	}

	for (const {a, b} of settled) {
		const [one, other] = [apart.get(a) ?? a.commit, apart.get(b) ?? b.commit];
		const met = await look({a: one, b: other, base, made: tree, beside: besides(a, b)});
		for (const finding of met) {
			tell(finding, {a: a.owners, b: b.owners});
		}
	}

	const known = new Set([...found.values()].map(({finding}) => finding.key));
	const told = new Set([...found.values()].map(({finding}) => sayingOf(finding)));
	const errors = (await wrongAlone(store, combination, asking)).filter(
		({path, text}) => !told.has(`${path} ${text}`),
	);
	for (const {work} of steps) {
		for (const finding of await leftOutOf(store, work, {tree, base, signal: options.signal})) {
			if (!known.has(finding.key)) {
				tell(finding, {a: othersOf(work, settled), b: work.owners});
			}
		}
	}

	return {
		found: [...found.values()],
		merges,
		unread: [...unread.values()],
		oracles: [...oracles.values()],
		errors,
	};
};

const sayingOf = ({path, confirmed}: Finding): string => `${path} ${confirmed?.text}`;

/** Returns the errors of the whole result that the target lacks: no merge of two sides shows one agent's own mistake. */
const wrongAlone = async (
	store: Store,
	{tree, steps: [first, ...others]}: Pick<Combination, 'tree' | 'steps'>,
	{oracles, signal, ...asking}: CompareOptions,
): Promise<readonly ResultError[]> => {
	if (first === undefined || oracles === undefined || asking.quick) {
		return [];
	}

	const {onto: base} = first;
	const all = {commit: base, changes: await changes(store, base, tree)};
	const comparison = {...{store, base, a: all, b: all, signal}, ...asMerged(tree)};
	const found = await oracles.confirm(comparison, [], asking);
	const works = [first, ...others].map(({work}) => work);
	return Promise.all(
		found.map(async ({path, confirmed}) => ({
			path,
			text: confirmed?.text ?? '',
			owners: await changersOf(store, path, works),
		})),
	);
};

const bothOf = (settled: Combination['settled']): readonly Input[] =>
	settled.flatMap(({a, b}) => [a, b]);

/** Returns the authors of the lines on each side; for a manual resolution the agents of the works that it combines. */
const sidesIn = async (
	store: Store,
	{before, work}: MergeStep,
	{evidence}: Finding,
): Promise<Sides> => {
	const lines = evidence.filter(({side}) => side === 'a').map(asSeen);
	const a = await ownersOfLines(store, lines, {before, beside: work.owners});
	const {madeOf, owners} = work;
	if (madeOf === undefined || !a.every(name => owners.includes(name))) {
		return {a, b: owners};
	}

	// Earlier lines may come from either work, on whichever side of the conflict it was.
	return a.every(name => madeOf.b.includes(name)) ? {a: madeOf.b, b: madeOf.a} : madeOf;
};

const asSeen = ({path, text, removed}: Finding['evidence'][number]): LineSeen =>
	defined({path, text, isRemoved: removed ?? false});

/** Returns the changes of stacked work alone, on the common base; files that depend on the work below are taken whole. */
const onItsOwn = async (store: Store, work: Input, base: string): Promise<string> => {
	if (work.base === base) {
		return work.commit;
	}

	const merge = await mergeWork(store, base, work);
	return merge.clean ? merge.tree : keepingSide(store, merge, 'theirs');
};

const asMerged = (tree: string) => ({merge: {clean: true, tree} as const, merged: tree});

type Result = {readonly tree: string; readonly base: string; readonly signal: AbortSignal};

/** Returns the parts of a work that the result lacks: they lost a conflict, were not picked, or belong to another work that is out. */
const leftOutOf = async (
	store: Store,
	work: Input,
	{tree, base, signal}: Result,
): Promise<readonly Finding[]> => {
	if (work.whole === undefined && work.base === base) {
		return [];
	}

	const whole = work.whole ?? work.commit;
	const had = new Set((await changes(store, base, whole)).map(({path}) => path));
	const taken = (await changes(store, whole, tree)).filter(({path}) => had.has(path));
	const found = await find({
		...{store, base, signal},
		a: {commit: base, changes: taken},
		b: {commit: whole, changes: await changes(store, work.base, whole)},
		...asMerged(tree),
	});
	return found
		.filter(({blocking, type}) => blocking && type !== 'FILE_CONFLICT')
		.map(finding => ({...finding, summary: `${finding.summary} The result leaves that out.`}));
};

/** Returns the other agents in decisions about this work, or its own if only a part of it was picked. */
const othersOf = ({owners}: Input, settled: Combination['settled']): readonly string[] => {
	const others = settled.flatMap(({a, b}) =>
		[a, b].some(input => input.owners.some(name => owners.includes(name)))
			? [...a.owners, ...b.owners].filter(name => !owners.includes(name))
			: [],
	);
	return others.length === 0 ? owners : [...new Set(others)];
};
