import type {Model, Resource} from '../../client/model.ts';
import {keyText, type ResourceKey} from '../../client/resources/resources.ts';
import {readHunks, type ShownFile, type ShownHunk} from '../../rules/by-hand/hunk-lines.ts';
import {type Standing, type Step, standingAfter, unresolved} from '../../rules/by-hand/steps.ts';
import type {ItemOf} from '../../state/item.ts';
import {itemOf} from '../../state/select.ts';
import {type ByHandRequest, go, type HunksPlace, type ItemPlace, type View} from './view.ts';

type Conflict = ItemOf<'conflict'>;

/** A file whose hunks a person settles, with what they did that nobody else has seen yet. */
export type HunksInHand = {
	readonly phase: 'ready';
	readonly item: Conflict;
	readonly file: ShownFile;
	readonly standing: Standing;
	/** The hunk that they are at; none in a file without any. */
	readonly at: {readonly number: number; readonly hunk: ShownHunk} | undefined;
	readonly unresolved: readonly number[];
	/** Lines that are longer than they are shown. */
	readonly cut: number;
};

/** How far the hunks of a conflict are there to be settled. */
export type Hunks =
	| {readonly phase: 'gone'}
	/** Its folder was not asked for, or could not be made. */
	| {readonly phase: 'none'; readonly trouble: string | undefined}
	| {readonly phase: 'making'}
	| {readonly phase: 'reading'}
	| {readonly phase: 'failed'; readonly why: string}
	| HunksInHand;

type Seen = {readonly model: Model; readonly view: View};

/** Returns how the hunks stand that the person is at. */
export const hunksAt = ({model, view}: Seen, place: HunksPlace): Hunks => {
	const item = itemOf(model.state, place.item);
	if (item?.kind !== 'conflict') {
		return {phase: 'gone'};
	}

	if (item.manual.phase !== 'open') {
		return item.manual.phase === 'wanted'
			? {phase: 'making'}
			: {phase: 'none', trouble: item.trouble};
	}

	const resource = model.resources[keyText(hunksKey(view, item.id))];
	if (resource?.phase === 'failed') {
		return resource;
	}

	return resource?.phase === 'ready'
		? inHand(item, resource, stepsOf(view, item.id), place)
		: {phase: 'reading'};
};

/** Returns the resource with the hunks of a conflict; each look is a new one, since nothing tells of a change. */
export const hunksKey = ({looks}: View, id: string): ResourceKey => ({
	what: {of: 'hunks', item: id},
	state: `look ${looks}`,
});

/** Returns the resource with what led to the lines of a hunk. */
export const trailKey = ({looks}: View, id: string, hunk: number): ResourceKey => ({
	what: {of: 'trail', item: id, hunk},
	state: `look ${looks}`,
});

/** Returns what asks to keep all that was done since the hunks were read, and these steps. */
export const byHandRequest = (
	view: View,
	{item, file}: HunksInHand,
	more: readonly Step[] = [],
): ByHandRequest => ({
	do: 'by-hand',
	item: item.id,
	after: file.steps.length,
	steps: [...stepsOf(view, item.id), ...more],
});

/** Returns what was done to the hunks of a conflict since they were read. */
export const stepsOf = ({steps, looks}: View, id: string): readonly Step[] => {
	const taken = steps[id];
	return taken?.look === looks ? taken.steps : [];
};

/** Returns the view at the hunks of a conflict, read again unless something was just done to them. */
export const toHunks = (view: View, {item, from}: Pick<ItemPlace, 'item' | 'from'>): View => ({
	...go(view, {at: 'hunks', item, hunk: undefined, shows: 'hunk', withBase: false, from}),
	looks: view.looks + (stepsOf(view, item).length > 0 ? 0 : 1),
});

type Ready = Extract<Resource, {phase: 'ready'}>;

const inHand = (
	item: Conflict,
	resource: Ready,
	steps: readonly Step[],
	place: HunksPlace,
): Hunks => {
	const file = fileIn(resource);
	if (file === undefined) {
		return {phase: 'failed', why: 'The supervisor told of the hunks in words of another version.'};
	}

	const standing = standingAfter([...file.steps, ...steps]);
	if (standing.content !== standingAfter(file.steps).content) {
		return {phase: 'reading'};
	}

	const open = unresolved(standing, file.hunks.length);
	const number = Math.min(place.hunk ?? open[0] ?? 0, file.hunks.length - 1);
	const hunk = file.hunks[number];
	return {
		phase: 'ready',
		item,
		file,
		standing,
		at: hunk === undefined ? undefined : {number, hunk},
		unresolved: open,
		cut: resource.cut ?? 0,
	};
};

const files = new WeakMap<Ready, ShownFile>();

const fileIn = (resource: Ready): ShownFile | undefined => {
	try {
		const file = files.get(resource) ?? readHunks(resource.lines);
		files.set(resource, file);
		return file;
	} catch {
		return undefined;
	}
};
