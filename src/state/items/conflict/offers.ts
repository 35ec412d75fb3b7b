import type {Agent} from '../../agent/agent.ts';
import type {ItemOf, Order, OutcomeCheck, SettlingChoice} from '../../item.ts';
import {rivalsOf} from '../../rivals/rivals.ts';
import type {State} from '../../state.ts';
import type {Offer} from '../kind.ts';
import {ending, endingBesides} from '../offers.ts';
import {arbiterOf, arbiterOffers, hasProposal} from './arbiter.ts';
import {isBreakage, pathsOf} from './breakage.ts';
import {type ConflictChoice, checkWords} from './outcome-check.ts';
import {appliedTo} from './resolved.ts';

/** Returns the ways to decide a conflict. */
export const conflictOffers = (
	state: State,
	item: ItemOf<'conflict'>,
): readonly Offer<ConflictChoice>[] => {
	const arbiter = arbiterOf(state, item);
	const offers = settlingOffers(state, item);
	return [
		...(arbiter === undefined ? offers : offers.map(offer => withoutArbiter(arbiter, offer))),
		...arbiterOffers(state, item),
	];
};

/** What settles a conflict ends whoever was to propose how. */
const withoutArbiter = ({id}: Agent, offer: Offer<ConflictChoice>): Offer<ConflictChoice> =>
	staysOpen(offer.choice) ? offer : endingBesides([id], offer);

/** Returns those of them that settle it, or lead there by hand. */
export const settlingOffers = (
	state: State,
	item: ItemOf<'conflict'>,
): readonly Offer<SettlingChoice>[] => [
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
		? [...(isBreakage(item) ? [] : ordersOf(item).map(replays)), ...ordersOf(item).map(redoes)]
		: []),
	...agentsOf(item).map(agent =>
		ending<SettlingChoice>(state, [agent], {
			choice: {verb: 'abort', agent},
			label: `Leave ${agent} out of the merge`,
		}),
	),
	...(isBreakage(item) ? [letBe] : []),
];

const proposals = (state: State, item: ItemOf<'conflict'>): readonly Offer<SettlingChoice>[] => {
	const arbiter = arbiterOf(state, item);
	return arbiter === undefined || !hasProposal(arbiter)
		? []
		: [
				{
					choice: {verb: 'take', agent: arbiter.id},
					label: `Take what ${arbiter.id} proposes, and end it`,
					ends: [arbiter.id],
				},
			];
};

const agentsOf = ({a, b}: ItemOf<'conflict'>): readonly string[] =>
	[...new Set([...a, ...b])].filter(name => name !== 'target');

/** What a person made of two works may break one of them: then there are no two sides of which one could win, or come first. */
const isApart = ({a, b}: ItemOf<'conflict'>): boolean => !a.some(name => b.includes(name));

/** What broke with the target's own commits can't be had by taking those back: their files are in nobody's scope. */
const canWin = (item: ItemOf<'conflict'>, side: 'a' | 'b'): boolean =>
	isApart(item) && !(isBreakage(item) && item[side === 'a' ? 'b' : 'a'].includes('target'));

const takeSide = (item: ItemOf<'conflict'>, side: 'a' | 'b'): Offer<SettlingChoice> => {
	const winner = item[side];
	if (!isBreakage(item)) {
		// Also lines of the other side go that collide with nothing.
		const extent =
			appliedTo(item, winner) === undefined ? ', in the whole file' : ' for what is left';
		const label = `Take the side of ${winner.join('+')}${extent}`;
		return {choice: {verb: 'choose-one', winner}, label};
	}

	const other = side === 'a' ? 'b' : 'a';
	const given = pathsOf(item, other).join(' and ');
	return {
		choice: {verb: 'choose-one', winner},
		label: `${item[other].join('+')} gives up what it did to ${given}`,
	};
};

const sendBack = (agent: string): Offer<SettlingChoice> => ({
	choice: {verb: 'feedback', agent},
	label: `Send ${agent} back with the lines of both sides`,
	note: 'optional',
});

const letBe: Offer<SettlingChoice> = {
	choice: {verb: 'accept'},
	label: 'Leave it as it is; the approval names it',
};

/** Returns the orders in which two sides can come; the target is never the later one. */
const ordersOf = ({a, b}: ItemOf<'conflict'>): readonly Order[] =>
	[[a, b] as const, [b, a] as const].flatMap(([earlier, [later, ...more]]) =>
		later === undefined || later === 'target' || more.length > 0 ? [] : [{earlier, later}],
	);

const replays = ({earlier, later}: Order): Offer<SettlingChoice> => ({
	choice: {verb: 'sequential', earlier, later},
	label: `Apply ${later}’s snapshots in order on ${earlier.join('+')}`,
});

const redoes = ({earlier, later}: Order): Offer<SettlingChoice> => ({
	choice: {verb: 'redo', earlier, later},
	label: `${later} redoes its work, on top of ${earlier.join('+')}`,
	note: 'optional',
});

/** Rivals do not build on each other: a part of one was taken into the other. */
const isOfRivals = (state: State, {a, b}: ItemOf<'conflict'>): boolean =>
	a.some(id => rivalsOf(state, id).some(rival => b.includes(rival.id)));

/** Returns whether a choice leaves the conflict to be settled. */
export const staysOpen = ({verb}: ConflictChoice): boolean => {
	switch (verb) {
		case 'manual':
		case 'check':
		case 'arbiter':
		case 'again':
		case 'drop':
			return true;
		case 'choose-one':
		case 'done':
		case 'sequential':
		case 'redo':
		case 'feedback':
		case 'abort':
		case 'accept':
		case 'take':
			return false;
	}
};

/** Prints a choice about a conflict as it is typed and kept in the journal. */
export const conflictWords = (choice: ConflictChoice): string => {
	switch (choice.verb) {
		case 'choose-one':
			return `choose-one:${choice.winner.join('+')}`;
		case 'sequential':
		case 'redo':
			return `${choice.verb}:${[...choice.earlier, choice.later].join(',')}`;
		case 'feedback':
		case 'abort':
		case 'take':
		case 'again':
		case 'drop':
			return `${choice.verb}:${choice.agent}`;
		case 'arbiter':
			return `arbiter:${choice.as}`;
		case 'check':
			return checkWords(choice.of && conflictWords(choice.of));
		case 'manual':
		case 'done':
		case 'accept':
			return choice.verb;
	}
};

/** Returns the check of what a choice would come to, which is given as it is typed; nothing where that of another one, or none, was asked for. */
export const checkingOf = (
	{checking}: ItemOf<'conflict'>,
	words: string,
): OutcomeCheck | undefined =>
	checking !== undefined && conflictWords(checking.choice) === words ? checking : undefined;
