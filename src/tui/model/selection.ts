import type {Resource} from '../../client/model.ts';
import {keyText, type ResourceKey} from '../../client/resources/resources.ts';
import type {PickedOf, PickedPart} from '../../events/picked.ts';
import {attempt} from '../../lib/failure.ts';
import {defined, oncePer} from '../../lib/values.ts';
import {
	readHunks,
	readWork,
	type ShownChange,
	type ShownFile,
	type ShownHunk,
	type ShownPart,
	type ShownWork,
} from '../../rules/by-hand/hunk-lines.ts';
import {type Standing, type Step, standingAfter, unresolved} from '../../rules/by-hand/steps.ts';
import {lastSnapshot} from '../../state/agent/agent.ts';
import type {ItemOf} from '../../state/item.ts';
import {bringingTo} from '../../state/rivals/take-rival.ts';
import {agentOf, itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {
	type ByHandRequest,
	type Context,
	type HunksPlace,
	type ItemPlace,
	openPlace,
	type View,
} from './view.ts';

type Seen = Pick<Context, 'model' | 'view'>;

type Conflict = ItemOf<'conflict'>;

/** An item of which parts of an agent's work can be taken. */
export type PickedFrom = ItemOf<'failure' | 'review'>;

/** Smallest part of a work that can be taken: a hunk, or a file without hunks. */
export type TakeablePart = {
	readonly file: ShownChange;
	readonly taken: boolean;
	readonly picked: PickedPart;
	readonly hunks: readonly ShownPart[];
};

type InHand<Of, About, Hunk> = {
	readonly phase: 'ready';
	readonly of: Of;
	readonly item: About;
	/** All hunks or parts to choose from, in order. */
	readonly hunks: readonly Hunk[];
	/** The current one, if any. */
	readonly at: {readonly number: number; readonly hunk: Hunk} | undefined;
	/** True if all of it can be shown. */
	readonly isComplete: boolean;
	/** Number of lines that are cut on the screen. */
	readonly cut: number;
};

/** A file whose hunks a person resolves, including their steps that are not stored yet. */
export type ConflictInHand = InHand<'conflict', Conflict, ShownHunk> & {
	readonly file: ShownFile;
	readonly standing: Standing;
	readonly unresolved: readonly number[];
};

/** An agent's work of which a person takes parts. */
export type WorkInHand = InHand<'work', PickedFrom, TakeablePart> & {
	readonly agent: string;
	/** Key of the resource that shows the work. */
	readonly key: string;
	readonly work: ShownWork;
	/** File of which only the first hunks are shown. */
	readonly beyond?: string;
};

/** State of the hunks that a person chooses from. */
export type Selection =
	| {readonly phase: 'gone'}
	/** The folder of a conflict was not requested, or could not be made. */
	| {readonly phase: 'none'; readonly trouble: string | undefined}
	| {readonly phase: 'making'}
	| {readonly phase: 'reading'}
	| {readonly phase: 'failed'; readonly why: string}
	| ConflictInHand
	| WorkInHand;

export const selectionAt = ({model, view}: Seen, place: HunksPlace): Selection => {
	const item = itemOf(model.state, place.item);
	if (item?.kind === 'conflict' && item.manual.phase !== 'open') {
		return item.manual.phase === 'wanted'
			? {phase: 'making'}
			: {phase: 'none', trouble: item.trouble};
	}

	const key = selectionKey({model, view}, place);
	if (key === undefined || item === undefined) {
		return {phase: 'gone'};
	}

	const resource = model.resources[keyText(key)];
	if (resource?.phase === 'failed') {
		return resource;
	}

	if (resource?.phase !== 'ready') {
		return {phase: 'reading'};
	}

	if (item.kind === 'conflict') {
		return conflictInHand(item, resource, stepsOf(view, item.id), place);
	}

	return isPickedFrom(item)
		? workInHand(item, resource, {place, key: keyText(key), view})
		: {phase: 'gone'};
};

/** Returns the resource with the current hunks; those of a conflict get a new key with each look, since no event announces a change. */
export const selectionKey = ({model, view}: Seen, place: HunksPlace): ResourceKey | undefined => {
	const item = itemOf(model.state, place.item);
	if (item?.kind === 'conflict') {
		return {what: {of: 'hunks', item: item.id}, state: `look ${view.looks}`};
	}

	const agent =
		item && isPickedFrom(item) ? agentOf(model.state, place.rival ?? item.agent) : undefined;
	const snapshot = agent && lastSnapshot(agent);
	return agent && snapshot && {what: {of: 'parts', agent: agent.id}, state: snapshot.work};
};

export const hunksPlace = (
	of: HunksPlace['of'],
	{item, from, rival}: Pick<HunksPlace, 'item' | 'from' | 'rival'>,
): HunksPlace => ({
	...{at: 'hunks', of, item, from, hunk: undefined, withBase: false},
	...defined({rival}),
});

/** Opens the hunks of a conflict, read again unless some steps are not stored yet. */
export const toHunks = (view: View, {item, from}: Pick<ItemPlace, 'item' | 'from'>): View => ({
	...openPlace(view, hunksPlace('conflict', {item, from})),
	looks: looksAgain(view, item),
});

/** Returns the number of a new look at a resolution by hand, or of the last one while unstored steps build on it. */
export const looksAgain = (view: View, item: string): number =>
	view.looks + (stepsOf(view, item).length > 0 ? 0 : 1);

/** Returns the current place, if it shows hunks. */
export const placeOf = ({view: {place}}: Pick<Context, 'view'>): HunksPlace | undefined =>
	place.at === 'hunks' ? place : undefined;

/** Returns the hunks of that place, once they are read. */
export const inHand = (context: Seen): ConflictInHand | WorkInHand | undefined => {
	const place = placeOf(context);
	const selection = place && selectionAt(context, place);
	return selection?.phase === 'ready' ? selection : undefined;
};

export const conflictIn = (context: Seen): ConflictInHand | undefined => {
	const hand = inHand(context);
	return hand?.of === 'conflict' ? hand : undefined;
};

export const workIn = (context: Seen): WorkInHand | undefined => {
	const hand = inHand(context);
	return hand?.of === 'work' ? hand : undefined;
};

/** Returns the request to store all steps since the hunks were read, and further ones. */
export const byHandRequest = (
	view: View,
	{item, file}: ConflictInHand,
	more: readonly Step[] = [],
): ByHandRequest => ({
	do: 'by-hand',
	item: item.id,
	after: file.steps.length,
	steps: [...stepsOf(view, item.id), ...more],
});

const stepsOf = ({steps, looks}: View, id: string): readonly Step[] => {
	const taken = steps[id];
	return taken?.look === looks ? taken.steps : [];
};

type Ready = Extract<Resource, {phase: 'ready'}>;

const atHunk = <Hunk>(hunks: readonly Hunk[], wanted: number) => {
	const number = Math.min(wanted, hunks.length - 1);
	const hunk = hunks[number];
	return {hunks, at: hunk === undefined ? undefined : {number, hunk}};
};

const shownOf = ({lines, total, cut = 0}: Ready): Pick<WorkInHand, 'isComplete' | 'cut'> => ({
	isComplete: lines.length >= total,
	cut,
});

const conflictInHand = (
	item: Conflict,
	resource: Ready,
	steps: readonly Step[],
	place: HunksPlace,
): Selection => {
	const file = fileIn(resource);
	if (file === undefined) {
		return otherVersion;
	}

	const standing = standingAfter([...file.steps, ...steps]);
	if (standing.content !== standingAfter(file.steps).content) {
		return {phase: 'reading'};
	}

	const open = unresolved(standing, file.hunks.length);
	return {
		...{phase: 'ready', of: 'conflict', item, file, standing, unresolved: open},
		...atHunk(file.hunks, place.hunk ?? open[0] ?? 0),
		...shownOf(resource),
	};
};

/** Both return nothing for a resource in the format of another version. */
const fileIn = oncePer(({lines, total}: Ready) => attempt(() => readHunks(lines, total)));
const wholeParts = oncePer(({lines, total}: Ready) => attempt(() => readWork(lines, total)));

const otherVersion = {
	phase: 'failed',
	why: 'The supervisor is of another version, so the hunks can’t be shown.',
} as const;

type Shown = {readonly place: HunksPlace; readonly key: string; readonly view: View};

const workInHand = (item: PickedFrom, resource: Ready, {place, key, view}: Shown): Selection => {
	const shown = wholeParts(resource);
	if (shown === undefined) {
		return otherVersion;
	}

	const {work, beyond} = shown;
	const taken = view.picks[key] ?? [];
	const parts = work.files
		.flatMap(partsOfFile)
		.map((part, number) => ({...part, taken: taken.includes(number)}));
	return {
		...{phase: 'ready', of: 'work', item, key, work, agent: place.rival ?? item.agent},
		...atHunk(parts, place.hunk ?? 0),
		...defined({beyond}),
		...shownOf(resource),
	};
};

const partsOfFile = (file: ShownChange, index: number): readonly Omit<TakeablePart, 'taken'>[] =>
	file.whole === undefined
		? file.hunks.map((hunk, at) => ({file, picked: {file: index, hunks: [at]}, hunks: [hunk]}))
		: [{file, picked: {file: index, hunks: 'all'}, hunks: file.hunks}];

export const isPickedFrom = (item: ItemOf): item is PickedFrom =>
	item.kind === 'failure' || item.kind === 'review';

/** Returns the rival whose parts a choice takes: these are picked on the screen. */
export const rivalIn = (state: State, item: ItemOf, choice: string): string | undefined => {
	const rivals = item.kind === 'review' ? bringingTo(state, item.agent) : [];
	return rivals.find(rival => choice === `merge-with:${rival}`);
};

/** Returns the places where a person picks from the works of rivals, starting with the current one; without rivals only that one. */
export const placesBeside = (state: State, place: HunksPlace): readonly HunksPlace[] => {
	const item = itemOf(state, place.item);
	const rivals =
		place.rival === undefined || item === undefined || !isPickedFrom(item)
			? []
			: bringingTo(state, item.agent);
	const at = rivals.indexOf(place.rival ?? '');
	return [
		place,
		...[...rivals.slice(at + 1), ...rivals.slice(0, Math.max(0, at))].map(rival => ({
			...place,
			rival,
			hunk: undefined,
		})),
	];
};

/** Returns the works with picked parts, that of the current place first. */
export const worksWithParts = (context: Context): readonly WorkInHand[] => {
	const place = placeOf(context);
	return (place === undefined ? [] : placesBeside(context.model.state, place))
		.map(one => selectionAt(context, one))
		.filter(hand => hand.phase === 'ready' && hand.of === 'work')
		.filter(({hunks}) => hunks.some(({taken}) => taken));
};

/** Returns the other agents of whose works parts are taken, with the number of parts. */
export const takenBeside = (
	context: Seen,
): readonly {readonly agent: string; readonly count: number; readonly isRead: boolean}[] => {
	const {model, view} = context;
	const place = placeOf(context);
	const [, ...beside] = place === undefined ? [] : placesBeside(model.state, place);
	return beside.flatMap(one => {
		const key = selectionKey(context, one);
		const count = key === undefined ? 0 : (view.picks[keyText(key)]?.length ?? 0);
		const isRead = selectionAt(context, one).phase === 'ready';
		return count === 0 || one.rival === undefined ? [] : [{agent: one.rival, count, isRead}];
	});
};

/** Returns the picked parts in the form of the request. */
export const pickedOf = ({work, hunks}: WorkInHand): PickedOf => {
	const byFile = Map.groupBy(
		hunks.filter(({taken}) => taken),
		({picked}) => picked.file,
	);
	return {
		work: work.work,
		parts: [...byFile].map(([file, parts]) => ({
			file,
			hunks: parts.some(({picked}) => picked.hunks === 'all')
				? 'all'
				: parts.flatMap(({picked}) => (picked.hunks === 'all' ? [] : picked.hunks)),
		})),
	};
};
