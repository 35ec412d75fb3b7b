import type {Replayed} from '../../../events/kinds/merge-event.ts';
import {enumerated, withoutStop} from '../../../lib/text/words.ts';
import {isSame} from '../../../lib/values.ts';
import type {ConflictItem, ItemOf, Order} from '../../item.ts';
import type {Resolution, Resolved} from '../../merge/merge.ts';
import {voidMerge} from '../../merge/publication.ts';
import {withReply} from '../../reply.ts';
import {type State, withAgent, withReplaced} from '../../state.ts';
import {breakageText, isBreakage, pathToShow} from './breakage.ts';

/** Resolves a conflict; the build continues once the last open conflict is resolved. */
export const resolved = (
	state: State,
	{path, a, b}: ItemOf<'conflict'>,
	outcome: Resolved,
): State => {
	const open = state.items.some(({kind}) => kind === 'conflict');
	const resolution = {path, a, b, ...outcome};
	return {
		...state,
		merge: open ? state.merge : {phase: 'none'},
		resolutions: [
			...state.resolutions.flatMap(earlier => besides(earlier, resolution)),
			resolution,
		],
	};
};

/** Returns an earlier resolution without the files that a new one replaces, which would otherwise be ignored. */
const besides = (earlier: Resolution, resolution: Resolution): readonly Resolution[] => {
	if (
		resolution.choice === 'accept' ||
		earlier.choice !== 'manual' ||
		!isSame(ownersOf(resolution), ownersOf(earlier))
	) {
		return [earlier];
	}

	const paths = pathsIn(resolution);
	const files = earlier.files.filter(({path}) => !paths.includes(path));
	const [first] = files;
	return files.length === earlier.files.length
		? [earlier]
		: first === undefined
			? []
			: [{...earlier, path: first.path, files}];
};

const ownersOf = ({a, b}: Resolution): readonly string[] => [...a, ...b].toSorted();

const pathsIn = (resolution: Exclude<Resolution, {choice: 'accept'}>): readonly string[] =>
	resolution.choice === 'manual'
		? resolution.files.map(({path}) => path)
		: [resolution.path, ...(resolution.gives ?? [])];

/** Applies an agent's snapshots to others' work as far as possible; the remaining ones stay to be decided. */
export const withReplay = (
	state: State,
	item: ItemOf<'conflict'>,
	{earlier, later}: Order,
	replayed: Replayed,
): State =>
	replayed.rest === undefined
		? resolved(state, item, {choice: 'manual', files: replayed.files})
		: withReplaced(state, {...item, replayed: {earlier, later, ...replayed}});

/** Returns the files with the applied snapshots, if that side is then taken for the rest. */
export const appliedTo = (
	{replayed}: ItemOf<'conflict'>,
	side: readonly string[],
): Replayed['files'] | undefined =>
	replayed?.earlier.join() === side.join() ? replayed.files : undefined;

/** Returns the reason why an agent's snapshots can't be applied to others' work. */
export const whyNotReplay = (
	item: ItemOf<'conflict'>,
	order: Order,
	replayed: Replayed | undefined,
): string | undefined => {
	if (replayed === undefined) {
		return `${order.later} has no snapshot that could be applied there.`;
	}

	if (replayed.rest === undefined) {
		return undefined;
	}

	return replayed.applied.length === 0
		? `No snapshot of ${order.later} applies cleanly to ${pathToShow(item)} in the work of ${order.earlier.join('+')}.`
		: item.manual.phase === 'none'
			? undefined
			: `Not all of ${order.later} applies, and the resolution folder holds the whole conflict already; go on there.`;
};

/** Returns a sentence about the doubts that hold a choice up, and how to take it nevertheless. */
export const doubtedText = (
	{choice, doubts}: NonNullable<ConflictItem['doubted']>,
	how = `choose ${choice} again`,
): string => {
	const [done, act] = choice === 'approve' ? ['merged', 'merge'] : ['taken', 'take'];
	return `${doubts.map(withoutStop).join('; ')}. Nothing is ${done} yet: ${how} to ${act} it anyway`;
};

/** Returns a sentence, without its stop, about the snapshots that apply to others' work. */
export const replayedText = ({
	earlier,
	later,
	applied,
	left,
}: Order & Pick<Replayed, 'applied' | 'left'>): string => {
	const isOne = (numbers: readonly number[]) => numbers.length === 1;
	const named = (numbers: readonly number[]) => enumerated(numbers.map(String));
	const applies = `${later}’s snapshot${isOne(applied) ? '' : 's'} ${named(applied)} ${isOne(applied) ? 'applies' : 'apply'} to the work of ${earlier.join('+')}`;
	return left.length === 0
		? applies
		: `${applies}; ${named(left)} ${isOne(left) ? 'does not, and is' : 'do not, and are'} left for you to decide`;
};

/** Sends an agent back to work, with the lines of both sides. */
export const sentBack = (
	state: State,
	item: ItemOf<'conflict'>,
	agent: string,
	note: string | undefined,
): State => told(reopened(state, agent), item, agent, note);

/** Has the later agent redo its changes on top of the earlier ones. */
export const sentOnTop = (
	state: State,
	item: ItemOf<'conflict'>,
	{earlier, later}: Order,
	note: string | undefined,
): State =>
	told(
		withAgent(reopened(state, later), later, agent => ({
			...agent,
			rework: earlier.filter(name => name !== 'target'),
		})),
		item,
		later,
		note,
	);

/** Withdraws the acceptance of an agent's work, and all decisions about it. */
const reopened = (state: State, id: string): State =>
	withAgent(voidMerge(state, [id]), id, agent => ({...agent, verdict: {kind: 'none'}}));

const told = (
	state: State,
	item: ItemOf<'conflict'>,
	agent: string,
	note: string | undefined,
): State =>
	withReply(state, agent, {
		item: item.id,
		heading: 'MERGE CONFLICT',
		about: isBreakage(item) ? breakageText(item, agent) : `${pathToShow(item)}: ${item.summary}`,
		text: note ?? '',
	});
