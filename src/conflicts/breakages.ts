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
import type {OracleRun} from './oracle/open-oracles.ts';
import {changersOf, type LineSeen, ownersOfLines} from './owners.ts';

type Sides = {readonly a: readonly string[]; readonly b: readonly string[]};

/** A finding in a result, with the agents whose changes cause it. */
export type BrokenTogether = Sides & {readonly finding: Finding};

/** An error of the result, with the agents who changed its file; nobody where none did. */
export type ResultError = {
	readonly path: string;
	readonly text: string;
	readonly owners: readonly string[];
};

/** The findings of all merges that make a result. */
export type Breakages = {
	readonly found: readonly BrokenTogether[];
	/** How many of them had changes on both sides. */
	readonly merges: number;
	/** Changed files that only git compared, and why. */
	readonly unread: readonly UnreadFile[];
	/** The type checkers that had a say. */
	readonly oracles: readonly OracleRun[];
	/** What they find wrong with the result and not with the target that all of it comes to, besides what is found above: an agent's own mistakes. */
	readonly errors: readonly ResultError[];
};

/**
Returns what breaks in a result besides what git can't merge of it.

Looked at are the merges that really make the result, one work onto all that came before it, and not each pair by itself: so what only three break together is found as well. Then the result itself: beside each work on top of others, which no merge shows; beside the two works of each settled conflict, as they were; and beside all of each work of which only a part is in it.

@throws the signal's reason once it is aborted.
*/
export const breakagesOf = async (
	store: Store,
	combination: Pick<Combination, 'tree' | 'base' | 'steps' | 'settled'>,
	{
		asksOfOverlaps = false,
		...options
	}: Omit<CompareOptions, 'onVerdict'> & {
		/** Whether each file that two works changed is told, also where nothing breaks. */
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
			oracles.set(run.name, {...run, ms: run.ms + (oracles.get(run.name)?.ms ?? 0)});
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
	/** The same between the same is told once, however often it is met. */
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

/** Returns what checkers find wrong with the result as a whole, beyond what is wrong with the target: no merge of two shows what one agent alone got wrong. */
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

/** Returns the authors of the lines on each side; for a manual resolution the agents whose works it was made of. */
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

	// What came before is the work of either, whichever side of the conflict that was.
	return a.every(name => madeOf.b.includes(name)) ? {a: madeOf.b, b: madeOf.a} : madeOf;
};

const asSeen = ({path, text, removed}: Finding['evidence'][number]): LineSeen =>
	defined({path, text, isRemoved: removed ?? false});

/** Returns what work on top of others does by itself, on the base that all share; where it can't do without theirs, its files are whole. */
const onItsOwn = async (store: Store, work: Input, base: string): Promise<string> => {
	if (work.base === base) {
		return work.commit;
	}

	const merge = await mergeWork(store, base, work);
	return merge.clean ? merge.tree : keepingSide(store, merge, 'theirs');
};

const asMerged = (tree: string) => ({merge: {clean: true, tree} as const, merged: tree});

type Result = {readonly tree: string; readonly base: string; readonly signal: AbortSignal};

/** Returns what a work misses in the result that it had itself: it was decided against, not picked, or is another one's that is out. */
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

/** Returns the agents whose works a decision concerned besides this one; its own where only a part of it was picked. */
const othersOf = ({owners}: Input, settled: Combination['settled']): readonly string[] => {
	const others = settled.flatMap(({a, b}) =>
		[a, b].some(input => input.owners.some(name => owners.includes(name)))
			? [...a.owners, ...b.owners].filter(name => !owners.includes(name))
			: [],
	);
	return others.length === 0 ? owners : [...new Set(others)];
};
