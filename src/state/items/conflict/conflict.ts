import type {Breakage, FileCollision, Replayed} from '../../../events/kinds/merge-event.ts';
import {withoutStop} from '../../../lib/text/words.ts';
import {defined, omit} from '../../../lib/values.ts';
import {cancel} from '../../agent/agent.ts';
import {type ConflictItem, handMadeIn, type ItemOf, type Order} from '../../item.ts';
import {whoBreaks} from '../../merge/attribution.ts';
import {membersOf} from '../../merge/members.ts';
import type {Resolved} from '../../merge/merge.ts';
import {voidMerge} from '../../merge/publication.ts';
import {type State, withAgent} from '../../state.ts';
import {type Given, type ItemKind, plain, type Supplied} from '../kind.ts';
import {whyNotAdd} from '../offers.ts';
import {
	type ArbiterDetail,
	arbiterDetail,
	arbiterOf,
	hasProposal,
	readArbiter,
	whyNotArbiter,
	withArbiter,
} from './arbiter.ts';
import {
	allPathsOf,
	type BreakageItem,
	type FileConflictItem,
	fileFolderClashIn,
	givenUp,
	isBreakage,
	pathToShow,
} from './breakage.ts';
import {conflictOffers, conflictWords, settlingOffers, staysOpen} from './offers.ts';
import {
	type CheckChoice,
	type ConflictChoice,
	checkedIn,
	withOutcomeCheck,
} from './outcome-check.ts';
import {
	appliedTo,
	doubtedText,
	replayedText,
	resolved,
	sentBack,
	sentOnTop,
	whyNotReplay,
	withConflict,
	withReplay,
} from './resolved.ts';

/** What collides, in the shape of `conflicts --json`, and the folder in which it is being resolved. */
export type ConflictDetail = (FileConflictDetail | BreakageDetail) & {
	readonly folder?: string;
	readonly arbiter?: ArbiterDetail;
	/** What looks like a slip in what a choice would take, which it takes when it is said again. */
	readonly doubted?: ConflictItem['doubted'];
	/** What of one agent's work is applied already, so that only the rest is to be decided. */
	readonly replayed?: Order & Pick<Replayed, 'applied' | 'left'>;
};

type FileConflictDetail = Omit<FileCollision, 'stages'> & {
	readonly rule: 'F1';
	readonly blocking: true;
	readonly confidence: 'high';
};

type BreakageDetail = Omit<Breakage, 'files' | 'key'>;

/** Returns what collides in one line, and what is done about it. */
export const conflictTitle = (state: State, item: ItemOf<'conflict'>): string => {
	const {a, b, again, doubted, trouble, replayed} = item;
	const [one, other] = [a.join('+'), b.join('+')];
	const arbiter = arbiterOf(state, item);
	return [
		isBreakage(item)
			? `${whoBreaks(item)}: ${withoutStop(item.summary)}`
			: `${one} and ${other} collide in ${pathToShow(item)}: ${whatEachDid(item)}`,
		...(doubted === undefined ? [] : [`(${doubtedText(doubted)})`]),
		...(again ? ['(what was taken did not settle it)'] : []),
		...(replayed === undefined ? [] : [`(${replayedText(replayed)})`]),
		...(trouble === undefined ? [] : [`(its folder could not be made: ${trouble})`]),
		...(arbiter && hasProposal(arbiter) ? [`(${arbiter.id} proposes how to settle it)`] : []),
		...(arbiter?.unheard === undefined ? [] : [`(it was not sent back: ${arbiter.unheard})`]),
	].join(' ');
};

/** Returns all that readers are shown of it besides. */
const conflictDetail = (state: State, item: ItemOf<'conflict'>): ConflictDetail => {
	const arbiter = arbiterOf(state, item);
	return {
		...(isBreakage(item) ? breakageDetail(item) : collisionDetail(item)),
		...(item.manual.phase === 'open' ? {folder: item.manual.folder} : {}),
		...defined({
			doubted: item.doubted,
			replayed: item.replayed && omit(item.replayed, 'files', 'rest'),
			arbiter: arbiter && arbiterDetail(arbiter),
		}),
	};
};

/** What readers are shown of what git can't merge: it blocks by git's own word. */
const collisionDetail = ({
	type,
	path,
	a,
	b,
	summary,
	evidence,
	breaks,
}: FileCollision): FileConflictDetail => ({
	type,
	rule: 'F1',
	path,
	blocking: true,
	confidence: 'high',
	summary,
	...{a, b, evidence},
	...defined({breaks}),
});

const breakageDetail = ({a, b, type, rule, path, ...finding}: BreakageItem): BreakageDetail => {
	const {blocking, confidence, summary, evidence, confirmed} = finding;
	return defined({type, rule, path, blocking, confidence, summary, a, b, evidence, confirmed});
};

/** What each side did to the path. Git's own sentence says less, and the path once more. */
const whatEachDid = (item: FileConflictItem): string => {
	const {a, b, stages} = item;
	const clash = fileFolderClashIn(item);
	if (clash !== undefined) {
		return `${item[clash.file].join('+')} has a file there, ${item[clash.other].join('+')} a folder or a link`;
	}

	if (stages.a !== null && stages.b !== null) {
		return stages.base === null ? 'both added it' : 'both changed it';
	}

	if (stages.base === null || (stages.a === null && stages.b === null)) {
		return 'one of them moved it';
	}

	const [gone, kept] = stages.a === null ? [a, b] : [b, a];
	return `${gone.join('+')} deleted it, ${kept.join('+')} changed it`;
};

export const conflict: ItemKind<'conflict', ConflictChoice, ConflictDetail> = {
	...plain<never>(),
	offers: conflictOffers,
	readOther: (state, item, text) =>
		readArbiter(text) ?? readCheck(state, item, text) ?? readRedo(state, item, text),
	words: conflictWords,
	holdsUp: () => false,
	whyNot: (state, item, choice) => {
		switch (choice.verb) {
			case 'drop':
				return undefined;
			case 'arbiter':
				return whyChanging(state) ?? whyNotArbiter(state, item);
			case 'sequential':
				return (
					whyChanging(state) ??
					whyNotInOrder(item, choice) ??
					whyNotOnTop(state, item, choice.earlier)
				);
			case 'redo':
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
	whyNotWith: (state, item, choice, supplied) => {
		switch (choice.verb) {
			case 'done':
			case 'take':
				return whyNotTakeFiles(supplied);
			case 'sequential':
				return whyNotReplay(item, choice, supplied.seen?.replayed);
			case 'arbiter':
				return supplied.subtask === undefined
					? `No profile and no agent of this session is called ${choice.as}.`
					: whyNotAdd(state, supplied.subtask.id);
			case 'choose-one':
			case 'manual':
			case 'redo':
			case 'feedback':
			case 'abort':
			case 'accept':
			case 'check':
			case 'again':
			case 'drop':
				return undefined;
		}
	},
	hint: ({id, manual}, choice, {seen}) => {
		if (choice.verb === 'sequential' && seen?.replayed !== undefined) {
			const redo = conflictWords({...choice, verb: 'redo'});
			return `settle it by hand, ask a neutral agent, or have ${choice.later} redo its work: delegate-tui answer ${id} ${redo}`;
		}

		if (choice.verb !== 'done') {
			return undefined;
		}

		const again = `then say it again: delegate-tui answer ${id} done`;
		return seen?.marked?.length
			? `edit ${seen.marked.join(', ')} until no marker is left, ${again}`
			: `put the files as they should be into ${manual.phase === 'open' ? handMadeIn(manual) : 'its folder'}, ${again}`;
	},
	called: 'a conflict',
	essence: item => omit(item, 'checking'),
	worker: (state, item) => {
		const arbiter = arbiterOf(state, item);
		return arbiter && hasProposal(arbiter) ? arbiter : undefined;
	},
	title: conflictTitle,
	detail: conflictDetail,
	staysOpen: (choice, given) =>
		staysOpen(choice) || given?.replayed?.rest !== undefined || given?.doubts !== undefined,
	decided: (state, item, choice, given) => {
		const {note, files, doubts} = given;
		if (doubts !== undefined) {
			return withConflict(state, {...item, doubted: {choice: conflictWords(choice), doubts}});
		}

		switch (choice.verb) {
			case 'choose-one':
				return resolved(state, item, sideTaken(item, choice.winner));
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
				// Before `redo` had a name of its own, an agent was sent on top by this one.
				return given.replayed === undefined
					? sentOnTop(state, item, choice, note)
					: withReplay(state, item, choice, given.replayed);
			case 'redo':
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

const whyNotInOrder = (item: ItemOf<'conflict'>, {later}: Order): string | undefined =>
	fileFolderClashIn(item) !== undefined
		? 'One side has a file where the other one has a folder or a link, and changes can’t be applied to that.'
		: item.replayed?.later === later
			? `What of ${later} applies is applied already; decide the rest.`
			: undefined;

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

/** What only breaks has nothing left to apply, so that is the word for having it redone, too. */
const readRedo = (
	state: State,
	item: ItemOf<'conflict'>,
	text: string,
): ConflictChoice | undefined => {
	const words = text.replace(/^sequential:/, 'redo:');
	return isBreakage(item) && words !== text
		? settlingOffers(state, item).find(({choice}) => conflictWords(choice) === words)?.choice
		: undefined;
};

/** What of the other side was applied to the winner's work already, is not given up again. */
const sideTaken = (item: ItemOf<'conflict'>, winner: readonly string[]): Resolved => {
	const applied = appliedTo(item, winner);
	return applied === undefined
		? {choice: 'choose-one', winner, ...givenUp(item, losingSide(item, winner))}
		: {choice: 'manual', files: applied, without: item[losingSide(item, winner)]};
};

const madeByHand = (
	{merge}: State,
	item: ItemOf<'conflict'>,
	files: Given['files'] = [],
): Resolved => {
	const mends = isBreakage(item)
		? allPathsOf(item)
		: fileFolderClashIn(item) && files.map(({path}) => path);
	const {id, number, opened, manual} = item;
	const key = isBreakage(item) ? {key: item.key} : {};
	return {
		choice: 'manual',
		files,
		...(mends && {mends, among: membersOf(merge)}),
		settles: {id, number, opened, manual, ...key},
	};
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
