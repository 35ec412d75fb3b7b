import type {AcceptedBreakage, Breakage} from '../../events/kinds/merge-event.ts';
import type {PartRun, Resolution} from './merge.ts';

/** Agents whose work is put on the target together; none is the target alone. */
export type Part = readonly string[];

/** The smallest group of agents whose work fails together. */
export type RedSet = {
	readonly agents: Part;
	/** Whether each smaller group of them was seen to pass. */
	readonly isSure: boolean;
};

/** The agents whose work fails a check, as far as known. */
export type Verdict =
	| {readonly kind: 'open'}
	/** The same result passed when it was checked once more. */
	| {readonly kind: 'flaky'}
	/** The target fails without anybody's work; nobody is blamed for it. */
	| {readonly kind: 'target'}
	| {readonly kind: 'agents'; readonly sets: readonly RedSet[]}
	/** It could not be checked once more. */
	| {readonly kind: 'unclear'};

export type Attribution = {
	readonly verdict: Verdict;
	/** Parts whose turn it is, the one that tells most first. */
	readonly next: readonly Part[];
	/** How many parts may have to be checked yet; those of `next` are among them. */
	readonly open: number;
};

/**
Returns whose work fails the check of all of it together, and what is to be checked to know more.

All of it is checked once more, since a test may fail by chance. Then the target is asked alone, then each agent, then each two. What holds a group that fails already tells nothing new, so it is left out: three agents make eight checks at the most. Of more than three no pairs are tried, and of more than five nobody alone: that would take longer than a person looks for it.
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

/** Returns whether two parts are of the same agents. */
export const isSamePart = (one: Part, other: Part): boolean =>
	one.length === other.length && one.every(id => other.includes(id));

const isInside = (part: Part, other: Part): boolean =>
	part.length < other.length && part.every(id => other.includes(id));

const mostAlone = 5;
const mostInPairs = 3;

/** The groups between nobody and everybody that are worth a check, small ones first. */
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

/** Returns how the check of a part is called among the session's checks. */
export const partCheckName = (since: number, part: Part, everybody: Part): string =>
	`${since}-${part.length === 0 ? 'target' : part.length === everybody.length ? 'again' : part.join('+')}`;

/** Returns whether a person lets a breakage be: the same finding between the same two, whose work is what it was. */
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

/** Returns whether a person has decided on a file that both changed, in whatever conflict of the two. */
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

/** Returns all that a person lets be, whether it was found again or nobody could look. */
export const acceptedIn = (resolutions: readonly Resolution[]): readonly AcceptedBreakage[] =>
	resolutions.flatMap(resolution =>
		resolution.choice === 'accept'
			? [{...resolution.found, path: resolution.path, a: resolution.a, b: resolution.b}]
			: [],
	);

/** Returns who breaks whom; of whose work only a part was taken, that breaks by itself. */
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

/** Returns what the approval says of what a person let be, a sentence each. */
export const acceptedNotes = (accepted: readonly AcceptedBreakage[]): readonly string[] =>
	accepted.map(
		({summary, confirmed, ...sides}) =>
			`Accepted although ${whoBreaks(sides).replace(/^The/, 'the')}: ${summary}${confirmed === undefined ? '' : ` ${confirmed.by} says: ${confirmed.text}`}`,
	);
