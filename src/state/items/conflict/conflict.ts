import type {Breakage, FileCollision, Replayed} from '../../../events/kinds/merge-event.ts';
import {withoutStop} from '../../../lib/text/words.ts';
import {defined, omit} from '../../../lib/values.ts';
import {type Agent, cancel, newAgent} from '../../agent/agent.ts';
import {
	type ConflictItem,
	handMadeIn,
	type ItemOf,
	type Order,
	type OutcomeCheck,
	type SettlingChoice,
} from '../../item.ts';
import {whoBreaks} from '../../merge/attribution.ts';
import {membersOf} from '../../merge/members.ts';
import type {Resolved} from '../../merge/merge.ts';
import {voidMerge} from '../../merge/publication.ts';
import {withReply} from '../../reply.ts';
import {rivalsOf} from '../../rivals/rivals.ts';
import {type State, withAgent, withNewAgent, withReplaced} from '../../state.ts';
import {type Given, itemKind, type Offer, type Outlook, type Supplied} from '../kind.ts';
import {agentWords, ending, endingBesides, whyNotAdd} from '../offers.ts';
import {
	type ArbiterDetail,
	arbiterDetail,
	arbiterOf,
	arbiterOffers,
	hasProposal,
	readArbiter,
	whyNotArbiter,
} from './arbiter.ts';
import {
	allPathsOf,
	type BreakageItem,
	type FileConflictItem,
	fileFolderClashIn,
	givenUp,
	hasHunks,
	isBreakage,
	pathsOf,
	pathToShow,
} from './breakage.ts';
import {
	type CheckChoice,
	type ConflictChoice,
	checkedIn,
	checkWords,
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
	withReplay,
} from './resolved.ts';

/** A conflict in the shape of `conflicts --json`, and its resolution folder. */
export type ConflictDetail = (FileConflictDetail | BreakageDetail) & {
	readonly folder?: string;
	readonly arbiter?: ArbiterDetail;
	/** Likely mistakes in the files that a choice would take; the same choice again takes them. */
	readonly doubted?: ConflictItem['doubted'];
	/** Snapshots of one agent that are applied already; the decision is about the remaining ones. */
	readonly replayed?: Order & Pick<Replayed, 'applied' | 'left'>;
};

type FileConflictDetail = Omit<FileCollision, 'stages'> & {
	readonly rule: 'F1';
	readonly blocking: true;
	readonly confidence: 'high';
};

type BreakageDetail = Omit<Breakage, 'files' | 'key'>;

/** Returns a line about the collision, with the state of its resolution. */
export const conflictTitle = (state: State, item: ItemOf<'conflict'>): string => {
	const {a, b, again, doubted, trouble, replayed} = item;
	const [one, other] = [a.join('+'), b.join('+')];
	const arbiter = arbiterOf(state, item);
	return [
		isBreakage(item)
			? `${whoBreaks(item)}: ${withoutStop(item.summary)}`
			: `${one} and ${other} collide in ${pathToShow(item)}: ${whatEachDid(item)}`,
		...(doubted === undefined ? [] : [`(${doubtedText(doubted)})`]),
		...(again ? ['(the last choice did not settle it)'] : []),
		...(replayed === undefined ? [] : [`(${replayedText(replayed)})`]),
		...(trouble === undefined ? [] : [`(its folder could not be made: ${trouble})`]),
		...(arbiter && hasProposal(arbiter) ? [`(${arbiter.id} proposes how to settle it)`] : []),
		...(arbiter?.unheard === undefined ? [] : [`(it was not sent back: ${arbiter.unheard})`]),
	].join(' ');
};

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

/** Returns the details of a conflict that git can't merge, which always blocks. */
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

/** Returns the change of each side to the path; git's own sentence says less. */
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
		return 'one of them renamed it';
	}

	const [gone, kept] = stages.a === null ? [a, b] : [b, a];
	return `${gone.join('+')} deleted it, ${kept.join('+')} changed it`;
};

const whyChanging = ({merge}: State): string | undefined =>
	merge.phase === 'blocked'
		? undefined
		: 'The work to merge is changing; the conflict will be compared again.';

/** Takes files made by a person or an arbiter; likely mistakes are shown first, and the same choice again takes them. */
const withMade = (
	state: State,
	item: ItemOf<'conflict'>,
	{files, doubts}: Given,
	choice: ConflictChoice,
): State =>
	doubts === undefined
		? resolved(state, item, madeByHand(state, item, files))
		: withReplaced(state, {...item, doubted: {choice: conflictWords(choice), doubts}});

/** Rules of choices that take files from the resolution folder. */
const made = {
	whyNot: whyChanging,
	whyNotWith: (_: State, __: ItemOf<'conflict'>, {seen}: Supplied): string | undefined =>
		seen?.marked?.length
			? `Conflict markers remain in ${seen.marked.join(', ')}.`
			: seen?.files?.length
				? undefined
				: 'The resolution folder holds no file to take.',
	staysOpen: ({doubts}: Outlook) => doubts !== undefined,
};

const orderWords = ({verb, earlier, later}: Order & {readonly verb: string}): string =>
	`${verb}:${[...earlier, later].join(',')}`;

/** Labels choices that settle a conflict, which end its arbiter. */
const settling = <Choice>(
	state: State,
	item: ItemOf<'conflict'>,
	offers: readonly Offer<Choice>[],
): readonly Offer<Choice>[] => {
	const arbiters = arbitersOf(state, item).map(({id}) => id);
	return arbiters.length === 0 ? offers : offers.map(offer => endingBesides(arbiters, offer));
};

const arbitersOf = (state: State, item: ItemOf<'conflict'>): readonly Agent[] => {
	const arbiter = arbiterOf(state, item);
	return arbiter === undefined ? [] : [arbiter];
};

export const conflict = itemKind<'conflict', ConflictChoice, ConflictDetail>({
	choices: {
		take: {
			...made,
			offer: (state, item) => {
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
			},
			words: agentWords,
			decided: (state, item, given, choice) =>
				withMade(
					withAgent(state, choice.agent, agent => cancel(agent, 'its proposal was taken')),
					item,
					given,
					choice,
				),
		},
		'choose-one': {
			offer: (state, item) =>
				settling(
					state,
					item,
					(['a', 'b'] as const)
						.filter(side => canWin(item, side))
						.map(side => takeSide(item, side)),
				),
			words: ({verb, winner}) => `${verb}:${winner.join('+')}`,
			whyNot: whyChanging,
			decided: (state, item, _, {winner}) => resolved(state, item, sideTaken(item, winner)),
		},
		manual: {
			offer: (_, item) =>
				item.manual.phase === 'none'
					? {
							label: `Resolve it by hand, ${hasHunks(item) ? 'on the screen or ' : ''}in a folder`,
						}
					: undefined,
			whyNot: whyChanging,
			staysOpen: () => true,
			decided: (state, item) => withReplaced(state, {...item, manual: {phase: 'wanted'}}),
		},
		done: {
			...made,
			offer: (state, item) =>
				item.manual.phase === 'none'
					? undefined
					: settling(state, item, [
							{choice: {verb: 'done'}, label: 'Take the files in the resolution folder'},
						]),
			hint: ({id, manual}, {seen}) => {
				const again = `then answer again: delegate-tui answer ${id} done`;
				return seen?.marked?.length
					? `edit ${seen.marked.join(', ')} until no marker is left, ${again}`
					: `put the files as they should be into ${manual.phase === 'open' ? handMadeIn(manual) : 'its folder'}, ${again}`;
			},
			decided: withMade,
		},
		feedback: {
			offer: (state, item) =>
				settling(
					state,
					item,
					(isBreakage(item) ? agentsOf(item) : []).map(agent => ({
						choice: {verb: 'feedback', agent},
						label: `Send ${agent} back with the lines of both sides`,
						note: 'optional',
					})),
				),
			words: agentWords,
			whyNot: whyChanging,
			decided: (state, item, {note}, {agent}) => sentBack(state, item, agent, note),
		},
		sequential: {
			offer: (state, item) =>
				settling(
					state,
					item,
					(isBreakage(item) ? [] : ordersOf(state, item)).map(({earlier, later}) => ({
						choice: {verb: 'sequential', earlier, later},
						label: `Apply the snapshots of ${later} in order on ${earlier.join('+')}`,
					})),
				),
			words: orderWords,
			whyNot: (state, item, choice) =>
				whyChanging(state) ??
				whyNotInOrder(item, choice) ??
				whyNotOnTop(state, item, choice.earlier),
			whyNotWith: (_, item, {seen}, choice) => whyNotReplay(item, choice, seen?.replayed),
			hint: ({id}, {seen}, choice) =>
				seen?.replayed === undefined
					? undefined
					: `settle it by hand, ask a neutral agent, or have ${choice.later} redo its work: delegate-tui answer ${id} ${orderWords({...choice, verb: 'redo'})}`,
			staysOpen: ({replayed}) => replayed?.rest !== undefined,
			// Old journals use this choice for `redo`.
			decided: (state, item, {note, replayed}, choice) =>
				replayed === undefined
					? sentOnTop(state, item, choice, note)
					: withReplay(state, item, choice, replayed),
		},
		redo: {
			offer: (state, item) =>
				settling(
					state,
					item,
					ordersOf(state, item).map(({earlier, later}) => ({
						choice: {verb: 'redo', earlier, later},
						label: `${later} redoes its work, on top of ${earlier.join('+')}`,
						note: 'optional',
					})),
				),
			words: orderWords,
			whyNot: (state, item, {earlier}) => whyChanging(state) ?? whyNotOnTop(state, item, earlier),
			decided: (state, item, {note}, choice) => sentOnTop(state, item, choice, note),
		},
		abort: {
			offer: (state, item) =>
				settling(
					state,
					item,
					agentsOf(item).map(agent =>
						ending(state, [agent], {
							choice: {verb: 'abort', agent},
							label: `Leave ${agent} out of the merge`,
						}),
					),
				),
			words: agentWords,
			whyNot: whyChanging,
			decided: (state, _, __, {agent}) =>
				withAgent(voidMerge(state, [agent]), agent, one =>
					cancel(one, 'taken out of the merge by a person'),
				),
		},
		accept: {
			offer: (state, item) =>
				isBreakage(item)
					? settling(state, item, [
							{choice: {verb: 'accept'}, label: 'Leave it as it is; the approval names it'},
						])
					: undefined,
			whyNot: whyChanging,
			decided: (state, item) =>
				isBreakage(item)
					? resolved(state, item, {choice: 'accept', key: item.key, found: acceptedOf(item)})
					: state,
		},
		arbiter: {
			offer: arbiterOffers,
			words: ({verb, as}) => `${verb}:${as}`,
			whyNot: (state, item) => whyChanging(state) ?? whyNotArbiter(state, item),
			whyNotWith: (state, _, {subtask}, {as}) =>
				subtask === undefined
					? `No profile and no agent of this session is called ${as}.`
					: whyNotAdd(state, subtask.id),
			staysOpen: () => true,
			decided: (state, {id}, {subtask}) =>
				subtask === undefined
					? state
					: withNewAgent(state, {...newAgent(subtask, state.awake), arbitrates: id}),
		},
		again: {
			offer: (state, item) =>
				arbitersOf(state, item)
					.filter(arbiter => hasProposal(arbiter) || arbiter.state === 'FAILED')
					.map(({id: agent}) => ({
						choice: {verb: 'again', agent},
						label: `Have ${agent} propose something else`,
						note: 'optional',
					})),
			words: agentWords,
			whyNot: whyChanging,
			staysOpen: () => true,
			decided: (state, {id}, {note}, {agent}) =>
				withReply(state, agent, {
					item: id,
					heading: 'REVIEW FEEDBACK',
					about: 'What you propose is not taken as it is.',
					text: note ?? '',
				}),
		},
		drop: {
			offer: (state, item) =>
				arbitersOf(state, item).map(({id: agent}) => ({
					choice: {verb: 'drop', agent},
					label: `Drop the proposal of ${agent}, and end it`,
					ends: [agent],
				})),
			words: agentWords,
			staysOpen: () => true,
			decided: (state, _, __, {agent}) =>
				withAgent(state, agent, one => cancel(one, 'its proposal was dropped')),
		},
		check: {
			offer: [],
			words: ({of}) => checkWords(of && conflictWords(of)),
			whyNot: whyChanging,
			staysOpen: () => true,
			decided: (state, item, {seq}, choice) => withOutcomeCheck(state, item, choice, seq),
		},
	},
	readOther: (state, item, text) =>
		readArbiter(text) ?? readCheck(state, item, text) ?? readRedo(state, item, text),
	holdsUp: () => false,
	called: 'a conflict',
	essence: item => omit(item, 'checking'),
	worker: (state, item) => {
		const arbiter = arbiterOf(state, item);
		return arbiter && hasProposal(arbiter) ? arbiter : undefined;
	},
	title: conflictTitle,
	detail: conflictDetail,
});

/** Returns the text of a choice about a conflict, as typed and journaled. */
export const conflictWords = (choice: ConflictChoice): string => conflict.words(choice);

/** Returns the offered choices that settle a conflict, or start a resolution by hand. */
export const settlingChoices = (
	state: State,
	item: ItemOf<'conflict'>,
): readonly SettlingChoice[] =>
	conflict
		.offers(state, item)
		.map(({choice}) => choice)
		.filter(isSettling);

/** Returns whether a choice settles a conflict, or is a step of that; the others lead to a proposal or a check. */
export const isSettling = (choice: ConflictChoice): choice is SettlingChoice =>
	!Object.hasOwn(unsettling, choice.verb);

/** Verbs of choices that aren't `SettlingChoice`s; the compiler requires each. */
const unsettling: Readonly<Record<Exclude<ConflictChoice['verb'], SettlingChoice['verb']>, true>> =
	{arbiter: true, again: true, drop: true, check: true};

/** Returns the check of a choice's result, for a choice as typed; nothing if another check, or none, was requested. */
export const checkingOf = (
	{checking}: ItemOf<'conflict'>,
	words: string,
): OutcomeCheck | undefined =>
	checking !== undefined && conflictWords(checking.choice) === words ? checking : undefined;
const agentsOf = ({a, b}: ItemOf<'conflict'>): readonly string[] =>
	[...new Set([...a, ...b])].filter(name => name !== 'target');

/** Returns whether the sides share no agent; after files of both works were merged by hand, an agent can be on both sides. */
const isApart = ({a, b}: ItemOf<'conflict'>): boolean => !a.some(name => b.includes(name));

/** Returns whether a side can be taken. The target's commits can't be given up: their files are in no scope. */
const canWin = (item: ItemOf<'conflict'>, side: 'a' | 'b'): boolean =>
	isApart(item) && !(isBreakage(item) && item[side === 'a' ? 'b' : 'a'].includes('target'));

const takeSide = (
	item: ItemOf<'conflict'>,
	side: 'a' | 'b',
): Offer<Extract<SettlingChoice, {verb: 'choose-one'}>> => {
	const winner = item[side];
	if (!isBreakage(item)) {
		// Lines of the other side that don't collide are dropped, too.
		const extent = appliedTo(item, winner) === undefined ? ', in the whole file' : ' for the rest';
		const label = `Take the side of ${winner.join('+')}${extent}`;
		return {choice: {verb: 'choose-one', winner}, label};
	}

	const other = side === 'a' ? 'b' : 'a';
	const given = pathsOf(item, other).join(' and ');
	return {
		choice: {verb: 'choose-one', winner},
		label: `${item[other].join('+')} loses its changes to ${given}`,
	};
};

/** Returns the possible orders of two sides; the target is never the later one. */
const ordersOf = (state: State, item: ItemOf<'conflict'>): readonly Order[] =>
	(isApart(item) && !isOfRivals(state, item)
		? [[item.a, item.b] as const, [item.b, item.a] as const]
		: []
	).flatMap(([earlier, [later, ...more]]) =>
		later === undefined || later === 'target' || more.length > 0 ? [] : [{earlier, later}],
	);

/** Returns whether the sides are rivals, which can't build on each other: a part of one was taken into the other. */
const isOfRivals = (state: State, {a, b}: ItemOf<'conflict'>): boolean =>
	a.some(id => rivalsOf(state, id).some(rival => b.includes(rival.id)));

const whyNotInOrder = (item: ItemOf<'conflict'>, {later}: Order): string | undefined =>
	fileFolderClashIn(item) !== undefined
		? 'One side has a file where the other one has a folder or a link, and changes can’t be applied to that.'
		: item.replayed?.later === later
			? `The changes of ${later} that apply are applied already; decide the rest.`
			: undefined;

const whyNotOnTop = (
	state: State,
	item: ItemOf<'conflict'>,
	earlier: readonly string[],
): string | undefined => {
	const above = earlier.find(name => collidesWithTarget(state, item, name));
	return above && `${above} collides with the target itself; resolve that first.`;
};

const readCheck = (
	state: State,
	item: ItemOf<'conflict'>,
	text: string,
): CheckChoice | undefined => {
	const wanted = checkedIn(text);
	const of = settlingChoices(state, item).find(choice => conflictWords(choice) === wanted);
	return wanted === null ? {verb: 'check', of: null} : of && {verb: 'check', of};
};

/** Reads a redo. On a breakage `sequential` also means redo, since it has no snapshots to apply. */
const readRedo = (
	state: State,
	item: ItemOf<'conflict'>,
	text: string,
): ConflictChoice | undefined => {
	const words = text.replace(/^sequential:/, 'redo:');
	return isBreakage(item) && words !== text
		? settlingChoices(state, item).find(choice => conflictWords(choice) === words)
		: undefined;
};

/** Returns the resolution that takes a side; snapshots of the other side that are applied already are kept. */
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

/** Returns whether another open conflict has the agent on one side and the target on the other. */
const collidesWithTarget = (state: State, item: ItemOf<'conflict'>, agent: string): boolean =>
	state.items.some(
		other =>
			other.kind === 'conflict' &&
			other.id !== item.id &&
			((other.a.includes('target') && other.b.includes(agent)) ||
				(other.b.includes('target') && other.a.includes(agent))),
	);
