import type {Breakage, Collision, FileCollision} from '../../events/kinds/merge-event.ts';
import {cancel} from '../agent/cancel.ts';
import type {ItemOf} from '../item.ts';
import {voidMerge} from '../merge/void-merge.ts';
import {type State, withAgent} from '../state.ts';
import {type BreakageItem, isBreakage, pathsOf, placesOf} from './breakage.ts';
import {type ItemKind, type Offer, plain, type Supplied} from './kind.ts';
import {resolved, sentBack, sentOnTop, withConflict} from './settle-conflict.ts';

/** A conflict that waits for a person's choice: git can't merge it, or what git merged breaks. */
export type ConflictItem = Collision & {
	/** How far a resolution by hand has come. */
	readonly manual: {phase: 'none'} | {phase: 'wanted'} | {phase: 'open'; folder: string};
	/** Why its resolution folder could not be made. */
	readonly trouble?: string;
};

/** What collides, in the shape of `conflicts --json`, and the folder in which it is being resolved. */
export type ConflictDetail = (FileConflictDetail | BreakageDetail) & {readonly folder?: string};

type FileConflictDetail = Pick<FileCollision, 'type' | 'path' | 'summary'> &
	Partial<Pick<FileCollision, 'a' | 'b' | 'evidence'>> & {
		readonly rule: 'F1';
		readonly blocking: true;
		readonly confidence: 'high';
	};

type BreakageDetail = Omit<Breakage, 'files' | 'key'>;

export type ConflictChoice =
	| {readonly verb: 'choose-one'; readonly winner: readonly string[]}
	| {readonly verb: 'manual'}
	| {readonly verb: 'done'}
	/** `later` works again, on top of the earlier ones. */
	| {readonly verb: 'sequential'; readonly earlier: readonly string[]; readonly later: string}
	/** Sends an agent back with the lines of both sides. */
	| {readonly verb: 'feedback'; readonly agent: string}
	| {readonly verb: 'abort'; readonly agent: string}
	/** Lets it be; the approval names it. */
	| {readonly verb: 'accept'};

export const conflict: ItemKind<'conflict'> = {
	...plain,
	offers: (_, item) => [
		...(['a', 'b'] as const).filter(side => canWin(item, side)).map(side => takeSide(item, side)),
		item.manual.phase === 'none'
			? {choice: {verb: 'manual'}, label: 'Resolve it by hand, in a folder'}
			: {
					choice: {verb: 'done'},
					label: 'Take what is in the resolution folder',
				},
		...(isBreakage(item) ? agentsOf(item).map(sendBack) : []),
		...(isApart(item) ? [...inOrder(item.a, item.b), ...inOrder(item.b, item.a)] : []),
		...agentsOf(item).map(
			agent =>
				({
					choice: {verb: 'abort', agent},
					label: `Leave ${agent} out of the merge`,
				}) as const,
		),
		...(isBreakage(item) ? [letBe] : []),
	],
	words: choice => {
		switch (choice.verb) {
			case 'choose-one':
				return `choose-one:${choice.winner.join('+')}`;
			case 'sequential':
				return `sequential:${[...choice.earlier, choice.later].join(',')}`;
			case 'feedback':
			case 'abort':
				return `${choice.verb}:${choice.agent}`;
			case 'manual':
			case 'done':
			case 'accept':
				return choice.verb;
		}
	},
	holdsUp: () => false,
	whyNot: (state, item, choice) => {
		if (state.merge.phase !== 'blocked') {
			return 'What goes into the merge is changing; the conflict will be looked at anew.';
		}

		const above =
			choice.verb === 'sequential'
				? choice.earlier.find(name => collidesWithTarget(state, item, name))
				: undefined;
		return above === undefined
			? undefined
			: `${above} collides with the target itself; resolve that first.`;
	},
	whyNotWith: (_, __, {verb}, supplied) =>
		verb === 'done' ? whyNotTakeFiles(supplied) : undefined,
	hint: ({id}, {verb}, {seen}) => {
		if (verb !== 'done') {
			return undefined;
		}

		const again = `then say it again: delegate-tui answer ${id} done`;
		return seen?.marked?.length
			? `edit ${seen.marked.join(', ')} until no marker is left, ${again}`
			: `put the files as they should be into its folder "files", ${again}`;
	},
	title: (_, item) => {
		const {a, b, path, trouble} = item;
		const [one, other] = [a.join('+'), b.join('+')];
		const title = isBreakage(item)
			? `${one} and ${other} break each other: ${item.summary.replace(/\.$/, '')}`
			: `${one} and ${other} collide in ${path}: ${deeds(item)}`;
		return trouble === undefined ? title : `${title} (its folder could not be made: ${trouble})`;
	},
	detail: (_, item) => ({
		...(isBreakage(item) ? breakageDetail(item) : collisionDetail(item)),
		...(item.manual.phase === 'open' ? {folder: item.manual.folder} : {}),
	}),
	staysOpen: ({verb}) => verb === 'manual',
	decided: (state, item, choice, {note, files}) => {
		switch (choice.verb) {
			case 'choose-one':
				return resolved(state, item, {
					choice: 'choose-one',
					winner: choice.winner,
					...(isBreakage(item) ? {gives: pathsOf(item, losingSide(item, choice.winner))} : {}),
				});
			case 'manual':
				return withConflict(state, {...item, manual: {phase: 'wanted'}});
			case 'done':
				return resolved(state, item, {
					choice: 'manual',
					files: files ?? [],
					...(isBreakage(item) ? {mends: placesOf(item)} : {}),
				});
			case 'sequential':
				return sentOnTop(state, item, choice, note);
			case 'feedback':
				return sentBack(state, item, choice.agent, note);
			case 'accept':
				return isBreakage(item) ? resolved(state, item, {choice: 'accept', key: item.key}) : state;
			case 'abort':
				return withAgent(voidMerge(state, [choice.agent]), choice.agent, agent =>
					cancel(agent, 'taken out of the merge by a person'),
				);
		}
	},
};

const agentsOf = ({a, b}: ItemOf<'conflict'>): readonly string[] =>
	[...new Set([...a, ...b])].filter(name => name !== 'target');

/** What a person made of two works may break one of them: then there are no two sides of which one could win, or come first. */
const isApart = ({a, b}: ItemOf<'conflict'>): boolean => !a.some(name => b.includes(name));

/** What broke with the target's own commits can't be had by taking those back: their files are in nobody's scope. */
const canWin = (item: ItemOf<'conflict'>, side: 'a' | 'b'): boolean =>
	isApart(item) && !(isBreakage(item) && item[side === 'a' ? 'b' : 'a'].includes('target'));

const takeSide = (item: ItemOf<'conflict'>, side: 'a' | 'b'): Offer<ConflictChoice> => {
	const winner = item[side];
	if (!isBreakage(item)) {
		const label = `Take the side of ${winner.join('+')}`;
		return {choice: {verb: 'choose-one', winner}, label};
	}

	const other = side === 'a' ? 'b' : 'a';
	const given = pathsOf(item, other).join(' and ');
	return {
		choice: {verb: 'choose-one', winner},
		label: `${item[other].join('+')} gives up what it did to ${given}`,
	};
};

const losingSide = ({a}: ItemOf<'conflict'>, winner: readonly string[]): 'a' | 'b' =>
	a === winner || a.join() === winner.join() ? 'b' : 'a';

const sendBack = (agent: string): Offer<ConflictChoice> => ({
	choice: {verb: 'feedback', agent},
	label: `Send ${agent} back with the lines of both sides`,
	note: 'optional',
});

const letBe: Offer<ConflictChoice> = {
	choice: {verb: 'accept'},
	label: 'Leave it as it is; the approval names it',
};

/** The last of an order is the one that works again; the target never does. */
const inOrder = (
	earlier: readonly string[],
	[later, ...more]: readonly string[],
): readonly Offer<ConflictChoice>[] =>
	later === undefined || later === 'target' || more.length > 0
		? []
		: [
				{
					choice: {verb: 'sequential', earlier, later},
					label: `${later} brings its changes in again, on top of ${earlier.join('+')}`,
					note: 'optional',
				},
			];

/** Whether another open conflict has the agent on one side and the target on the other one. */
const collidesWithTarget = (state: State, item: ItemOf<'conflict'>, agent: string): boolean =>
	state.items.some(
		other =>
			other.kind === 'conflict' &&
			other.id !== item.id &&
			((other.a.includes('target') && other.b.includes(agent)) ||
				(other.b.includes('target') && other.a.includes(agent))),
	);

/** What readers are shown of what git can't merge: it blocks by git's own word. */
const collisionDetail = ({
	type,
	path,
	a,
	b,
	summary,
	evidence,
}: FileCollision): FileConflictDetail => ({
	type,
	rule: 'F1',
	path,
	blocking: true,
	confidence: 'high',
	summary,
	...(evidence === undefined ? {} : {a, b, evidence}),
});

const breakageDetail = ({a, b, type, rule, path, ...finding}: BreakageItem): BreakageDetail => {
	const {blocking, confidence, summary, evidence, confirmed} = finding;
	return {
		...{type, rule, path, blocking, confidence, summary, a, b, evidence},
		...(confirmed === undefined ? {} : {confirmed}),
	};
};

const whyNotTakeFiles = ({seen}: Supplied): string | undefined => {
	if (seen?.marked?.length) {
		return `Conflict markers remain in ${seen.marked.join(', ')}.`;
	}

	return seen?.files?.length ? undefined : 'The resolution folder holds no file to take.';
};

/** What each side did to the path. Git's own sentence says less, and the path once more. */
const deeds = ({a, b, stages}: FileCollision): string => {
	if (stages.a !== null && stages.b !== null) {
		return stages.base === null ? 'both added it' : 'both changed it';
	}

	if (stages.base === null || (stages.a === null && stages.b === null)) {
		return 'one of them moved it';
	}

	const [gone, kept] = stages.a === null ? [a, b] : [b, a];
	return `${gone.join('+')} deleted it, ${kept.join('+')} changed it`;
};
