import type {Collision} from '../../../events/kinds/merge-event.ts';
import {defined} from '../../../lib/defined.ts';
import {cancel} from '../../agent/cancel.ts';
import type {ItemOf} from '../../item.ts';
import type {Resolved} from '../../merge/merge.ts';
import {voidMerge} from '../../merge/void-merge.ts';
import {rivalsOf} from '../../rivals/rivals.ts';
import {type State, withAgent} from '../../state.ts';
import {type Given, type ItemKind, type Offer, plain, type Supplied} from '../kind.ts';
import {whyNotAdd} from '../offers.ts';
import {
	type ArbiterChoice,
	arbiterOf,
	arbiterOffers,
	hasProposal,
	readArbiter,
	whyNotArbiter,
	withArbiter,
} from './arbiter.ts';
import {type BreakageItem, isBreakage, pathsOf, placesOf} from './breakage.ts';
import {conflictDetail, conflictTitle} from './detail.ts';
import {
	type CheckChoice,
	checkWords,
	type OutcomeCheck,
	readCheckChoice,
	withOutcomeCheck,
} from './outcome-check.ts';
import {givenUp, meetingIn} from './paths.ts';
import {resolved, sentBack, sentOnTop, withConflict} from './resolved.ts';

/** A conflict that waits for a person's choice: git can't merge it, or what git merged breaks. */
export type ConflictItem = Collision & {
	/** How far a resolution by hand has come. */
	readonly manual: {phase: 'none'} | {phase: 'wanted'} | {phase: 'open'; folder: string};
	/** Why its resolution folder could not be made. */
	readonly trouble?: string;
	/** The choice whose result is or was checked, at a person's wish. */
	readonly checking?: OutcomeCheck;
};

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
	| {readonly verb: 'accept'}
	/** Takes what an arbiter proposes, as if the person had made it by hand. */
	| {readonly verb: 'take'; readonly agent: string}
	/** Has what a choice comes to checked, before it is taken. */
	| CheckChoice
	| ArbiterChoice;

export const conflict: ItemKind<'conflict'> = {
	...plain,
	offers: (state, item) => [
		...proposals(state, item),
		...(['a', 'b'] as const).filter(side => canWin(item, side)).map(side => takeSide(item, side)),
		item.manual.phase === 'none'
			? {choice: {verb: 'manual'}, label: 'Resolve it by hand, in a folder'}
			: {
					choice: {verb: 'done'},
					label: 'Take what is in the resolution folder',
				},
		...(isBreakage(item) ? agentsOf(item).map(sendBack) : []),
		...(isApart(item) && !isOfRivals(state, item)
			? [...inOrder(item.a, item.b), ...inOrder(item.b, item.a)]
			: []),
		...agentsOf(item).map(
			agent =>
				({
					choice: {verb: 'abort', agent},
					label: `Leave ${agent} out of the merge`,
				}) as const,
		),
		...(isBreakage(item) ? [letBe] : []),
		...arbiterOffers(state, item),
	],
	readOther: (_, text) => readArbiter(text) ?? readCheckChoice(text),
	words: choice => {
		switch (choice.verb) {
			case 'choose-one':
				return `choose-one:${choice.winner.join('+')}`;
			case 'sequential':
				return `sequential:${[...choice.earlier, choice.later].join(',')}`;
			case 'feedback':
			case 'abort':
			case 'take':
			case 'again':
			case 'drop':
				return `${choice.verb}:${choice.agent}`;
			case 'arbiter':
				return `arbiter:${choice.as}`;
			case 'check':
				return checkWords(choice);
			case 'manual':
			case 'done':
			case 'accept':
				return choice.verb;
		}
	},
	holdsUp: () => false,
	whyNot: (state, item, choice) => {
		if (choice.verb === 'drop') {
			return undefined;
		}

		if (state.merge.phase !== 'blocked') {
			return 'What goes into the merge is changing; the conflict will be looked at anew.';
		}

		if (choice.verb === 'arbiter') {
			return whyNotArbiter(state, item);
		}

		const above =
			choice.verb === 'sequential'
				? choice.earlier.find(name => collidesWithTarget(state, item, name))
				: undefined;
		return above === undefined
			? undefined
			: `${above} collides with the target itself; resolve that first.`;
	},
	whyNotWith: (state, _, choice, supplied) => {
		switch (choice.verb) {
			case 'done':
			case 'take':
				return whyNotTakeFiles(supplied);
			case 'arbiter':
				return supplied.subtask === undefined
					? `No profile and no agent of this session is called ${choice.as}.`
					: whyNotAdd(state, supplied.subtask.id);
			default:
				return undefined;
		}
	},
	hint: ({id}, {verb}, {seen}) => {
		if (verb !== 'done') {
			return undefined;
		}

		const again = `then say it again: delegate-tui answer ${id} done`;
		return seen?.marked?.length
			? `edit ${seen.marked.join(', ')} until no marker is left, ${again}`
			: `put the files as they should be into its folder "files", ${again}`;
	},
	title: conflictTitle,
	detail: conflictDetail,
	staysOpen: ({verb}) => staying.has(verb),
	decided: (state, item, choice, given) => {
		const {note, files} = given;
		switch (choice.verb) {
			case 'choose-one':
				return resolved(state, item, {
					choice: 'choose-one',
					winner: choice.winner,
					...givenUp(item, losingSide(item, choice.winner)),
				});
			case 'manual':
				return withConflict(state, {...item, manual: {phase: 'wanted'}});
			case 'done':
				return resolved(state, item, madeByHand(item, files));
			case 'take':
				return resolved(
					withAgent(state, choice.agent, agent => cancel(agent, 'its proposal was taken')),
					item,
					madeByHand(item, files),
				);
			case 'check':
				return withOutcomeCheck(state, item, choice, given.seq);
			case 'arbiter':
			case 'again':
			case 'drop':
				return withArbiter(state, item, choice, given);
			case 'sequential':
				return sentOnTop(state, item, choice, note);
			case 'feedback':
				return sentBack(state, item, choice.agent, note);
			case 'accept':
				return isBreakage(item)
					? resolved(state, item, {choice: 'accept', key: item.key, found: letBeOf(item)})
					: state;
			case 'abort':
				return withAgent(voidMerge(state, [choice.agent]), choice.agent, agent =>
					cancel(agent, 'taken out of the merge by a person'),
				);
		}
	},
};

const staying: ReadonlySet<ConflictChoice['verb']> = new Set([
	'manual',
	'check',
	'arbiter',
	'again',
	'drop',
]);

const proposals = (state: State, item: ItemOf<'conflict'>): readonly Offer<ConflictChoice>[] => {
	const arbiter = arbiterOf(state, item);
	return arbiter === undefined || !hasProposal(arbiter)
		? []
		: [{choice: {verb: 'take', agent: arbiter.id}, label: `Take what ${arbiter.id} proposes`}];
};

const madeByHand = (item: ItemOf<'conflict'>, files: Given['files'] = []): Resolved => ({
	choice: 'manual',
	files,
	...(isBreakage(item)
		? {mends: placesOf(item)}
		: meetingIn(item) === undefined
			? {}
			: {mends: files.map(({path}) => path)}),
});

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

const letBeOf = ({type, rule, summary, confirmed}: BreakageItem) => ({
	...{type, rule, summary},
	...defined({confirmed}),
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

/** Rivals do not build on each other: a part of one was taken into the other. */
const isOfRivals = (state: State, {a, b}: ItemOf<'conflict'>): boolean =>
	a.some(id => rivalsOf(state, id).some(rival => b.includes(rival.id)));

/** Whether another open conflict has the agent on one side and the target on the other one. */
const collidesWithTarget = (state: State, item: ItemOf<'conflict'>, agent: string): boolean =>
	state.items.some(
		other =>
			other.kind === 'conflict' &&
			other.id !== item.id &&
			((other.a.includes('target') && other.b.includes(agent)) ||
				(other.b.includes('target') && other.a.includes(agent))),
	);

const whyNotTakeFiles = ({seen}: Supplied): string | undefined => {
	if (seen?.marked?.length) {
		return `Conflict markers remain in ${seen.marked.join(', ')}.`;
	}

	return seen?.files?.length ? undefined : 'The resolution folder holds no file to take.';
};
