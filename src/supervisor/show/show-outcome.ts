import {breakagesOf} from '../../conflicts/breakages.ts';
import {type Combination, combine} from '../../conflicts/combine.ts';
import {asChange} from '../../conflicts/input.ts';
import type {Body} from '../../events/event.ts';
import type {Replayed} from '../../events/kinds/merge-event.ts';
import {graft} from '../../git/tree/graft.ts';
import {Failure} from '../../lib/failure.ts';
import {counted} from '../../lib/text/words.ts';
import {defined, omit} from '../../lib/values.ts';
import type {Decision} from '../../rules/commands/command.ts';
import {eventOf} from '../../rules/commands/grant.ts';
import {whyNot} from '../../rules/commands/why-not.ts';
import {apply} from '../../state/apply/apply.ts';
import type {ItemOf, Order} from '../../state/item.ts';
import {
	allPathsOf,
	breakageText,
	fileFolderClashIn,
	isBreakage,
	pathToShow,
} from '../../state/items/conflict/breakage.ts';
import {isSettling} from '../../state/items/conflict/conflict.ts';
import {type ConflictChoice, outcomeCheckText} from '../../state/items/conflict/outcome-check.ts';
import {replayedText} from '../../state/items/conflict/resolved.ts';
import {readChoice} from '../../state/items.ts';
import {membersOf} from '../../state/merge/members.ts';
import type {State} from '../../state/state.ts';
import {withMarkers} from '../arbiter/conflict-commit.ts';
import {putTogether} from '../merging/fit-result.ts';
import {withResolution} from '../merging/gather.ts';
import {inputOf} from '../picking/select-work.ts';
import {requireSession, type Works} from '../world.ts';
import {previewOf} from './preview.ts';
import {patchBelow, type Shown} from './show-side.ts';

type Conflict = ItemOf<'conflict'>;

/**
Returns the content of a conflict's path in the target after a choice.

It applies the decision to a temporary state, and combines all work accordingly.

@throws `Failure` of kind `refused`, with the reason, when the outcome can't be known before the choice, or the choice isn't allowed
*/
export const showOutcome = async (
	works: Works,
	state: State,
	{item, choice: typed}: {readonly item: Conflict; readonly choice: string},
): Promise<Shown> => {
	const choice = readChoice<'conflict'>(state, item, typed);
	if (choice === undefined) {
		throw new Failure('usage', `"${typed}" is not a choice for ${item.id}.`);
	}

	const {decided, combination, refused, replayed} = await foreseen(works, state, {item, choice});
	const {tip} = requireSession(state);
	const paths = pathsAbout(decided, item);
	const isByHand = choice.verb === 'manual';
	const tree =
		isByHand && !isBreakage(item)
			? await withMarkers(works, combination.tree, item)
			: await withApplied(works, combination, replayed);
	const text = await patchBelow(works.store, [tip, tree], paths);
	const preview = await previewOf(works, decided, combination);
	const known = outcomeCheckText(item, choice, combination.tree);
	const applies =
		choice.verb === 'sequential' && replayed ? [`${replayedText({...choice, ...replayed})}.`] : [];
	const words = [...applies, ...preview.words.filter(word => !known.includes(word)), ...known];
	const remark =
		refused ??
		(isByHand ? editedText(item) : replayed?.rest ? applies[0] : collisionLeft(combination, item));
	return defined({text, preview: {...preview, words}, remark});
};

/** Describes the file that a person would edit, which is shown as a change to the target like all previews. */
const editedText = (item: Conflict): string =>
	isBreakage(item)
		? `${allPathsOf(item).join(' and ')} as git merges them: you edit this, in a folder.`
		: `${pathToShow(item)} as git left it: you edit this, in a folder. That decides nothing yet.`;

/** Returns the paths of a conflict; if git made up its path, those that were given up or put there instead. */
const pathsAbout = (decided: State, item: Conflict): readonly string[] => {
	if (isBreakage(item)) {
		return allPathsOf(item);
	}

	const clash = fileFolderClashIn(item);
	const last = decided.resolutions.at(-1);
	return clash === undefined
		? [item.path]
		: [clash.path, ...(last?.choice === 'manual' ? last.files.map(({path}) => path) : [])];
};

/** Returns the combination with the applied part of an agent's snapshots, if the rest is still to be decided. */
const withApplied = (
	{store}: Works,
	{tree}: Combination,
	replayed: Replayed | undefined,
): Promise<string> =>
	replayed?.rest === undefined
		? Promise.resolve(tree)
		: graft(store, {onto: tree, changes: replayed.files.map(asChange)});

/** State and combination after a choice. */
export type Foreseen = {
	readonly decided: State;
	readonly combination: Combination;
	/** Reason why the choice isn't allowed yet, although its outcome can be shown. */
	readonly refused: string | undefined;
	/** Snapshots that apply, if the choice applies an agent's snapshots. */
	readonly replayed: Replayed | undefined;
};

/**
Combines all work as it would be after a choice.

@throws `Failure` of kind `refused`, with the reason, when the outcome can't be known before the choice, or the choice isn't allowed
*/
export const foreseen = async (
	works: Works,
	state: State,
	{item, choice}: {readonly item: Conflict; readonly choice: ConflictChoice},
): Promise<Foreseen> => {
	const decision = {kind: 'decide', on: 'conflict', item: item.id, choice, by: 'user'} as const;
	const gathered = await withResolution(works, state, item, decision);
	// Doubts don't prevent a preview.
	const command = {...gathered, seen: omit(gathered.seen ?? {}, 'doubts')};
	const refused = whyNot(state, command);
	// Proposals have no outcome yet, whether they are allowed or not; the program that one names isn't known here.
	if (refused !== undefined && !isMarked(command) && isSettling(choice)) {
		throw new Failure('refused', refused);
	}

	await requireForeseeable(works, state, item, choice);
	const decided = believing(state, eventOf(command));
	const combination = await putTogether(works, decided, membersOf(state.merge));
	return {decided, combination, refused, replayed: command.seen?.replayed};
};

/** Returns whether files still have conflict markers; such files can be shown, but not taken. */
const isMarked = ({seen}: Decision): boolean => (seen?.marked ?? []).length > 0;

const requireForeseeable = async (
	works: Works,
	state: State,
	item: Conflict,
	choice: ConflictChoice,
): Promise<void> => {
	if (choice.verb === 'redo') {
		throw new Failure(
			'refused',
			`${choice.later} works again, on top of ${choice.earlier.join(' and ')}: its new ${item.path} can’t be known in advance. ${await triedOrders(works, state, item, choice)}`,
		);
	}

	if (choice.verb === 'feedback') {
		throw new Failure(
			'refused',
			`${choice.agent} works again; the outcome can’t be known in advance. It is told: ${isBreakage(item) ? breakageText(item, choice.agent) : item.summary}`,
		);
	}

	if (!isSettling(choice)) {
		throw new Failure(
			'refused',
			choice.verb === 'check' || choice.verb === 'drop'
				? 'That does not change the work.'
				: 'It only makes a proposal. Once it has, the outcome of that is shown here.',
		);
	}
};

/** Returns the state after hypothetical events. */
export const believing = (state: State, bodies: readonly Body[]): State =>
	bodies.reduce(
		(believed, body) => apply(believed, {...body, seq: believed.seq + 1, at: believed.at}),
		state,
	);

/** Returns a note if another conflict remains at the same path; that one is decided separately. */
const collisionLeft = (combination: Combination, {path}: Conflict): string | undefined => {
	const left =
		combination.kind === 'conflicts'
			? combination.conflicts.find(conflict => conflict.path === path)
			: undefined;
	return left === undefined
		? undefined
		: `${left.a.join('+')} and ${left.b.join('+')} still collide here; until that is decided, too, this is shown without ${left.b.join('+')}.`;
};

/** Tries both orders and says in which one less work must be repaired; the agent's own solution can't be known. */
const triedOrders = async (
	works: Works,
	state: State,
	item: ItemOf<'conflict'>,
	order: Order,
): Promise<string> => {
	const found = await toMend(works, state, order);
	const own = `${order.later} would have ${counted(found, 'thing')} to fix`;
	const other = turned(item, order);
	if (other === undefined) {
		return `${own}.`;
	}

	const less = (await toMend(works, state, other)) - found;
	return less === 0
		? `${own}, and ${other.later} as many the other way round.`
		: `${own}, and ${other.later} ${counted(found + less, 'thing')} the other way round: ${less < 0 ? 'that way' : 'this way'} it is fewer.`;
};

/** Returns the opposite order of the two sides, if it is allowed. */
const turned = ({a, b}: ItemOf<'conflict'>, {later}: Order): Order | undefined => {
	const [side, other] = a.includes(later) ? [a, b] : [b, a];
	const [one, ...more] = other;
	return one === undefined || one === 'target' || more.length > 0
		? undefined
		: {earlier: side, later: one};
};

const toMend = async (
	{store, oracles}: Works,
	state: State,
	{earlier, later}: Order,
): Promise<number> => {
	const {tip, base, startedAt} = requireSession(state);
	const names = [...earlier.filter(name => name !== 'target'), later];
	const inputs = names.flatMap(name => inputOf(state, name) ?? []);
	const combination = await combine(store, {tip, base, inputs, resolutions: [], at: startedAt});
	const {signal} = new AbortController();
	const {found} = await breakagesOf(store, combination, defined({signal, quick: true, oracles}));
	return (combination.kind === 'conflicts' ? combination.conflicts.length : 0) + found.length;
};
