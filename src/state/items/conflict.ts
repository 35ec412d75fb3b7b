import type {Collision} from '../../events/merge-event.ts';
import {cancel} from '../agent/cancel.ts';
import type {ItemOf} from '../item.ts';
import type {Resolved} from '../merge/merge.ts';
import {voidMerge} from '../merge/void-merge.ts';
import {withReply} from '../reply.ts';
import {type State, withAgent} from '../state.ts';
import {type ItemKind, type Offer, plain, type Supplied} from './kind.ts';

/** A conflict that waits for a person's choice. */
export type ConflictItem = Collision & {
	/** How far a resolution by hand has come. */
	readonly manual: {phase: 'none'} | {phase: 'wanted'} | {phase: 'open'; folder: string};
	/** Why its resolution folder could not be made. */
	readonly trouble?: string;
};

export type ConflictChoice =
	| {readonly verb: 'choose-one'; readonly winner: readonly string[]}
	| {readonly verb: 'manual'}
	| {readonly verb: 'done'}
	/** `later` works again, on top of the earlier ones. */
	| {readonly verb: 'sequential'; readonly earlier: readonly string[]; readonly later: string}
	| {readonly verb: 'abort'; readonly agent: string};

export const conflict: ItemKind<'conflict'> = {
	...plain,
	offers: (_, item) => [
		takeSide(item.a),
		takeSide(item.b),
		item.manual.phase === 'none'
			? {choice: {verb: 'manual'}, label: 'Resolve it by hand, in a folder'}
			: {
					choice: {verb: 'done'},
					label: 'Take the file as it is in the resolution folder',
				},
		...inOrder(item.a, item.b),
		...inOrder(item.b, item.a),
		...[...item.a, ...item.b]
			.filter(name => name !== 'target')
			.map(
				agent =>
					({
						choice: {verb: 'abort', agent},
						label: `Leave ${agent} out of the merge`,
					}) as const,
			),
	],
	words: choice => {
		switch (choice.verb) {
			case 'choose-one':
				return `choose-one:${choice.winner.join('+')}`;
			case 'sequential':
				return `sequential:${[...choice.earlier, choice.later].join(',')}`;
			case 'abort':
				return `abort:${choice.agent}`;
			case 'manual':
			case 'done':
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
		const title = `${a.join('+')} and ${b.join('+')} collide in ${path}: ${deeds(item)}`;
		return trouble === undefined ? title : `${title} (its folder could not be made: ${trouble})`;
	},
	detail: (_, {type, path, a, b, evidence, manual}) => ({
		type,
		path,
		...(evidence === undefined ? {} : {a, b, evidence}),
		...(manual.phase === 'open' ? {folder: manual.folder} : {}),
	}),
	staysOpen: ({verb}) => verb === 'manual',
	decided: (state, item, choice, {note, files}) => {
		switch (choice.verb) {
			case 'choose-one':
				return resolved(state, item, {choice: 'choose-one', winner: choice.winner});
			case 'manual':
				return withConflict(state, {...item, manual: {phase: 'wanted'}});
			case 'done':
				return resolved(state, item, {choice: 'manual', files: files ?? []});
			case 'sequential':
				return reworked(state, item, choice, note);
			case 'abort':
				return withAgent(voidMerge(state, [choice.agent]), choice.agent, agent =>
					cancel(agent, 'taken out of the merge by a person'),
				);
		}
	},
};

/** Returns the state with an open conflict as it stands now. */
export const withConflict = (state: State, conflict: ItemOf<'conflict'>): State => ({
	...state,
	items: state.items.map(item => (item.id === conflict.id ? conflict : item)),
});

const takeSide = (winner: readonly string[]): Offer<ConflictChoice> => ({
	choice: {verb: 'choose-one', winner},
	label: `Take the side of ${winner.join('+')}`,
});

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

const whyNotTakeFiles = ({seen}: Supplied): string | undefined => {
	if (seen?.marked?.length) {
		return `Conflict markers remain in ${seen.marked.join(', ')}.`;
	}

	return seen?.files?.length ? undefined : 'The resolution folder holds no file to take.';
};

/** What each side did to the path. Git's own sentence says less, and the path once more. */
const deeds = ({a, b, stages}: ItemOf<'conflict'>): string => {
	if (stages.a !== null && stages.b !== null) {
		return stages.base === null ? 'both added it' : 'both changed it';
	}

	if (stages.base === null || (stages.a === null && stages.b === null)) {
		return 'one of them moved it';
	}

	const [gone, kept] = stages.a === null ? [a, b] : [b, a];
	return `${gone.join('+')} deleted it, ${kept.join('+')} changed it`;
};

/** Building goes on once the last open conflict has its resolution. */
const resolved = (state: State, {path, a, b}: ItemOf<'conflict'>, outcome: Resolved): State => {
	const open = state.items.some(({kind}) => kind === 'conflict');
	return {
		...state,
		merge: open ? state.merge : {phase: 'none'},
		resolutions: [...state.resolutions, {path, a, b, ...outcome}],
	};
};

/** The later agent works on top of the earlier ones and brings its changes in again. */
const reworked = (
	state: State,
	item: ItemOf<'conflict'>,
	{earlier, later}: Extract<ConflictChoice, {verb: 'sequential'}>,
	note: string | undefined,
): State =>
	withReply(
		withAgent(voidMerge(state, [later]), later, agent => ({
			...agent,
			verdict: {kind: 'none'},
			rework: earlier.filter(name => name !== 'target'),
		})),
		later,
		{
			item: item.id,
			heading: 'MERGE CONFLICT',
			about: `${item.path}: ${item.summary}`,
			text: note ?? '',
		},
	);
