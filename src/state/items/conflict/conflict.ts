import type {Collision} from '../../../events/kinds/merge-event.ts';
import {defined} from '../../../lib/defined.ts';
import {cancel} from '../../agent/cancel.ts';
import type {ItemOf} from '../../item.ts';
import {membersOf} from '../../merge/members.ts';
import type {Resolved} from '../../merge/merge.ts';
import {voidMerge} from '../../merge/void-merge.ts';
import {type State, withAgent} from '../../state.ts';
import {type Given, type ItemKind, plain, type Supplied} from '../kind.ts';
import {whyNotAdd} from '../offers.ts';
import {type ArbiterChoice, readArbiter, whyNotArbiter, withArbiter} from './arbiter.ts';
import {allPathsOf, type BreakageItem, isBreakage} from './breakage.ts';
import {conflictDetail, conflictTitle} from './detail.ts';
import {conflictOffers, settlingOffers, staysOpen} from './offers.ts';
import {type CheckChoice, checkedIn, type OutcomeCheck, withOutcomeCheck} from './outcome-check.ts';
import {fileFolderClashIn, givenUp} from './paths.ts';
import {resolved, sentBack, sentOnTop, withConflict} from './resolved.ts';
import {conflictWords} from './words.ts';

/** A conflict that waits for a person's choice: git can't merge it, or what git merged breaks. */
export type ConflictItem = Collision & {
	/** How far a resolution by hand has come. */
	readonly manual: {phase: 'none'} | {phase: 'wanted'} | {phase: 'open'; folder: string};
	/** Why its resolution folder could not be made. */
	readonly trouble?: string;
	/** The choice whose result is or was checked, at a person's request. */
	readonly checking?: OutcomeCheck;
};

/** What settles a conflict, or is done by hand on the way there. */
export type SettlingChoice =
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
	| {readonly verb: 'take'; readonly agent: string};

export type ConflictChoice = SettlingChoice | CheckChoice | ArbiterChoice;

export const conflict: ItemKind<'conflict'> = {
	...plain<never>(),
	offers: conflictOffers,
	readOther: (state, item, text) => readArbiter(text) ?? readCheck(state, item, text),
	words: conflictWords,
	holdsUp: () => false,
	whyNot: (state, item, choice) => {
		switch (choice.verb) {
			case 'drop':
				return undefined;
			case 'arbiter':
				return whyChanging(state) ?? whyNotArbiter(state, item);
			case 'sequential':
				return whyChanging(state) ?? whyNotOnTop(state, item, choice.earlier);
			case 'choose-one':
			case 'manual':
			case 'done':
			case 'take':
			case 'feedback':
			case 'abort':
			case 'accept':
			case 'check':
			case 'again':
				return whyChanging(state);
		}
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
			case 'choose-one':
			case 'manual':
			case 'sequential':
			case 'feedback':
			case 'abort':
			case 'accept':
			case 'check':
			case 'again':
			case 'drop':
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
	staysOpen,
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
				return resolved(state, item, madeByHand(state, item, files));
			case 'take':
				return resolved(
					withAgent(state, choice.agent, agent => cancel(agent, 'its proposal was taken')),
					item,
					madeByHand(state, item, files),
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
					? resolved(state, item, {choice: 'accept', key: item.key, found: acceptedOf(item)})
					: state;
			case 'abort':
				return withAgent(voidMerge(state, [choice.agent]), choice.agent, agent =>
					cancel(agent, 'taken out of the merge by a person'),
				);
		}
	},
};

const whyChanging = ({merge}: State): string | undefined =>
	merge.phase === 'blocked'
		? undefined
		: 'What goes into the merge is changing; the conflict will be looked at again.';

const whyNotOnTop = (
	state: State,
	item: ItemOf<'conflict'>,
	earlier: readonly string[],
): string | undefined => {
	const above = earlier.find(name => collidesWithTarget(state, item, name));
	return above && `${above} collides with the target itself; resolve that first.`;
};

/** Reads the choice to have the outcome of an offered one checked. */
const readCheck = (
	state: State,
	item: ItemOf<'conflict'>,
	text: string,
): CheckChoice | undefined => {
	const wanted = checkedIn(text);
	const of = settlingOffers(state, item).find(({choice}) => conflictWords(choice) === wanted);
	return wanted === null ? {verb: 'check', of: null} : of && {verb: 'check', of: of.choice};
};

const madeByHand = (
	{merge}: State,
	item: ItemOf<'conflict'>,
	files: Given['files'] = [],
): Resolved => {
	const mends = isBreakage(item)
		? allPathsOf(item)
		: fileFolderClashIn(item) && files.map(({path}) => path);
	return {choice: 'manual', files, ...(mends && {mends, among: membersOf(merge)})};
};

const losingSide = ({a}: ItemOf<'conflict'>, winner: readonly string[]): 'a' | 'b' =>
	a === winner || a.join() === winner.join() ? 'b' : 'a';

const acceptedOf = ({type, rule, summary, confirmed}: BreakageItem) => ({
	...{type, rule, summary},
	...defined({confirmed}),
});

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
