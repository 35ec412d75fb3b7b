import type {AcceptedBreakage, Breakage} from '../../events/kinds/merge-event.ts';
import type {PartRun, Resolution} from './merge.ts';

/** Agents whose work is built together on the target; an empty list is the target alone. */
export type Part = readonly string[];

/** A smallest group of agents whose work fails together. */
export type RedSet = {
	readonly agents: Part;
	/** True if each smaller group of them passed its check. */
	readonly isSure: boolean;
};

/** The agents whose work fails a check, as far as known. */
export type Verdict =
	| {readonly kind: 'open'}
	/** The same result passed a second check. */
	| {readonly kind: 'flaky'}
	/** The target fails by itself, so no agent is blamed. */
	| {readonly kind: 'target'}
	| {readonly kind: 'agents'; readonly sets: readonly RedSet[]}
	/** The second check could not run. */
	| {readonly kind: 'unclear'};

export type Attribution = {
	readonly verdict: Verdict;
	/** Parts to check next, the most informative first. */
	readonly next: readonly Part[];
	/** Number of parts that may still have to be checked, including those of `next`. */
	readonly open: number;
};

/**
Returns the agents whose work fails the check of all of it together, and the parts to check next.

All of it is checked a second time, since a test may fail by chance. Then the target is checked alone, then each agent, then each pair. A part that contains a failing group is left out: three agents need at most eight checks. With more than three agents no pairs are checked, and with more than five no single agents: that would take longer than a person needs to find the cause.
*/
export const attributionOf = (agents: Part, runs: readonly PartRun[]): Attribution => {
	const outcomeOf = (part: Part): PartRun['outcome'] | undefined =>
		runs.find(run => isSamePart(run.agents, part))?.outcome;
	const [again, target] = [outcomeOf(agents), outcomeOf([])];
	if (again === 'green' || again === 'unclear') {
		return decided({kind: again === 'green' ? 'flaky' : 'unclear'});
	}

	if (target === 'red') {
		return again === 'red'
			? decided({kind: 'target'})
			: {verdict: {kind: 'open'}, next: [agents], open: 1};
	}

	const groups = groupsOf(agents);
	const isRed = (part: Part) => outcomeOf(part) === 'red';
	const within = (part: Part) => groups.filter(other => isInside(other, part));
	const missing = groups.filter(part => outcomeOf(part) === undefined && !within(part).some(isRed));
	const ready = missing.filter(part => within(part).every(one => outcomeOf(one) !== undefined));
	const first = [...(again ? [] : [agents]), ...(target ? [] : [[]])];
	const asSet = (part: Part): RedSet => ({
		agents: part,
		isSure: [[], ...properParts(part)].every(smaller => outcomeOf(smaller) === 'green'),
	});
	const red = groups.filter(part => isRed(part) && !within(part).some(isRed));
	const smallest = red.length === 0 && missing.length === 0 ? [agents] : red;
	return {
		verdict:
			first.length > 0 || smallest.length === 0
				? {kind: 'open'}
				: {kind: 'agents', sets: smallest.map(asSet)},
		next: [...first, ...ready],
		open: first.length + missing.length,
	};
};

const decided = (verdict: Verdict): Attribution => ({verdict, next: [], open: 0});

export const isSamePart = (one: Part, other: Part): boolean =>
	one.length === other.length && one.every(id => other.includes(id));

const isInside = (part: Part, other: Part): boolean =>
	part.length < other.length && part.every(id => other.includes(id));

const mostAlone = 5;
const mostInPairs = 3;

/** Returns the groups between none and all that are worth a check, small ones first. */
const groupsOf = (agents: Part): readonly Part[] => {
	const alone = agents.length > 1 && agents.length <= mostAlone ? agents.map(id => [id]) : [];
	return agents.length === mostInPairs ? [...alone, ...pairsOf(agents)] : alone;
};

const pairsOf = (agents: Part): readonly Part[] =>
	agents.flatMap((one, position) => agents.slice(position + 1).map(other => [one, other]));

/** Returns all proper, non-empty subsets of a group. */
const properParts = (part: Part): readonly Part[] => {
	const all = Array.from({length: 2 ** part.length}, (_, bits) =>
		part.filter((__, position) => (bits >> position) & 1),
	);
	return all.filter(({length}) => length > 0 && length < part.length);
};

export const partCheckName = (since: number, part: Part, everybody: Part): string =>
	`${since}-${part.length === 0 ? 'target' : part.length === everybody.length ? 'again' : part.join('+')}`;

/** Returns whether a person accepted a breakage: the same finding between the same two sides, with unchanged work. */
export const isAccepted = (
	resolutions: readonly Resolution[],
	{key, a, b}: Pick<Breakage, 'key' | 'a' | 'b'>,
): boolean =>
	resolutions.some(
		resolution =>
			resolution.choice === 'accept' &&
			resolution.key === key &&
			resolution.a.join() === a.join() &&
			resolution.b.join() === b.join(),
	);

/** Returns whether a person has resolved a file that both changed, in any conflict of the two. */
export const isOverlapDecided = (
	resolutions: readonly Resolution[],
	{rule, path, a, b}: Pick<Breakage, 'rule' | 'path' | 'a' | 'b'>,
): boolean =>
	rule === 'F2' &&
	resolutions.some(one => {
		const names = [...one.a, ...one.b];
		const paths = [one.path, ...(one.choice === 'manual' ? (one.mends ?? []) : [])];
		return (
			one.choice !== 'accept' &&
			paths.includes(path) &&
			[a, b].every(side => side.some(name => names.includes(name)))
		);
	});

/** Returns the breakages that a person accepted, even if they were not found again or not looked for. */
export const acceptedIn = (resolutions: readonly Resolution[]): readonly AcceptedBreakage[] =>
	resolutions.flatMap(resolution =>
		resolution.choice === 'accept'
			? [{...resolution.found, path: resolution.path, a: resolution.a, b: resolution.b}]
			: [],
	);

/** Returns the text of a breakage's sides; a partly taken work may break by itself. */
export const whoBreaks = ({
	a,
	b,
	rule,
}: Pick<Breakage, 'a' | 'b'> & {readonly rule?: Breakage['rule']}): string =>
	rule === 'F2'
		? `${a.join('+')} and ${b.join('+')} changed one file`
		: a.join() === b.join()
			? `The part taken from ${a.join('+')} breaks`
			: `${a.join('+')} and ${b.join('+')} break each other`;

/** Returns sentences about the accepted breakages, for the approval. */
export const acceptedNotes = (accepted: readonly AcceptedBreakage[]): readonly string[] =>
	accepted.map(
		({summary, confirmed, ...sides}) =>
			`Accepted although ${whoBreaks(sides).replace(/^The/, 'the')}: ${summary}${confirmed === undefined ? '' : ` ${confirmed.by} says: ${confirmed.text}`}`,
	);
