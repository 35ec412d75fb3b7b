import type {Model} from '../../client/model.ts';
import {keyText, type ResourceKey} from '../../client/resources/resources.ts';
import {defined} from '../../lib/values.ts';
import {
	readWork,
	type ShownChange,
	type ShownPart,
	type ShownWork,
} from '../../rules/work-lines.ts';
import {lastSnapshot} from '../../state/agent/agent.ts';
import type {ItemOf} from '../../state/item.ts';
import type {PickedOf, PickedPart} from '../../state/items/kind.ts';
import {bringingTo} from '../../state/rivals/take-rival.ts';
import {agentOf, itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import type {PickingPlace, View} from './view.ts';

/** An item at which parts of an agent's work can be taken. */
export type PickedFrom = ItemOf<'failure' | 'review'>;

/** What can be taken alone: a hunk, or a file that has none to take. */
export type Part = {
	readonly file: ShownChange;
	readonly taken: boolean;
	readonly picked: PickedPart;
	/** The hunks that it consists of. */
	readonly hunks: readonly ShownPart[];
};

/** How far the parts of a work are there to be picked. */
export type Picking =
	| {readonly phase: 'gone'}
	| {readonly phase: 'reading'}
	| {readonly phase: 'failed'; readonly why: string}
	| PickingInHand;

export type PickingInHand = {
	readonly phase: 'ready';
	readonly item: PickedFrom;
	/** Whose work it is. */
	readonly agent: string;
	/** The resource that shows the work. */
	readonly key: string;
	readonly work: ShownWork;
	readonly parts: readonly Part[];
	/** The part that the person is at; none where there is nothing to pick. */
	readonly at: {readonly number: number; readonly part: Part} | undefined;
	/** Lines that there is no room to show, and those that are longer than they are shown. */
	readonly left: number;
	/** The file of which only the first hunks are shown. */
	readonly beyond?: string;
	readonly cut: number;
};

/** Returns the work from which a person picks, as it stands now. */
export const pickingAt = (
	{model, view}: {readonly model: Model; readonly view: View},
	place: PickingPlace,
): Picking => {
	const item = itemOf(model.state, place.item);
	const resourceKey = pickingKey(model.state, place);
	if (item === undefined || !isPickedFrom(item) || resourceKey === undefined) {
		return {phase: 'gone'};
	}

	const key = keyText(resourceKey);
	const resource = model.resources[key];
	if (resource?.phase === 'failed') {
		return resource;
	}

	if (resource?.phase !== 'ready') {
		return {phase: 'reading'};
	}

	const {work, beyond} = workIn(resource);
	const parts = partsOf(work, view.picks[key] ?? []);
	const number = Math.min(place.part, parts.length - 1);
	const part = parts[number];
	return {
		phase: 'ready',
		...{item, key, work, parts, agent: place.rival ?? item.agent},
		at: part && {number, part},
		left: resource.total - resource.lines.length,
		...defined({beyond}),
		cut: resource.cut ?? 0,
	};
};

/** Returns the resource with the work that an item is about, in parts. */
export const pickingKey = (state: State, place: PickingPlace): ResourceKey | undefined => {
	const item = itemOf(state, place.item);
	const agent = item && isPickedFrom(item) ? agentOf(state, place.rival ?? item.agent) : undefined;
	const snapshot = agent && lastSnapshot(agent);
	return agent && snapshot && {what: {of: 'parts', agent: agent.id}, state: snapshot.work};
};

/** Returns the rival with parts of whose work a choice takes another one's: they are picked by looking at them. */
export const rivalIn = (state: State, item: ItemOf, choice: string): string | undefined => {
	const rivals = item.kind === 'review' ? bringingTo(state, item.agent) : [];
	return rivals.find(rival => choice === `merge-with:${rival}`);
};

/** Returns the places where a person picks from the works of rivals, the one they are at first; of no rivals only that one. */
export const placesBeside = (state: State, place: PickingPlace): readonly PickingPlace[] => {
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
			part: 0,
		})),
	];
};

/** Returns what was picked, as the supervisor is told it. */
export const pickedOf = ({work, parts}: PickingInHand): PickedOf => {
	const byFile = new Map<number, PickedPart['hunks']>();
	for (const {taken, picked} of parts) {
		const {file, hunks} = picked;
		const known = byFile.get(file) ?? [];
		if (taken) {
			byFile.set(file, hunks === 'all' || known === 'all' ? 'all' : [...known, ...hunks]);
		}
	}

	return {
		work: work.work,
		parts: [...byFile].map(([file, hunks]) => ({file, hunks})),
	};
};

export const isPickedFrom = (item: ItemOf): item is PickedFrom =>
	item.kind === 'failure' || item.kind === 'review';

type Ready = Extract<Model['resources'][string], {phase: 'ready'}>;

type Read = {readonly work: ShownWork; readonly beyond?: string};

const works = new WeakMap<Ready, Read>();

/** Each resource is read once. */
const workIn = (resource: Ready): Read => {
	const read = works.get(resource) ?? wholeParts(readWork(resource.lines), resource);
	works.set(resource, read);
	return read;
};

/** The last hunk of what was cut off may go on beyond it, as may a file that is taken whole; what nobody can see is not picked. */
const wholeParts = (work: ShownWork, {total, lines}: Ready): Read => {
	const last = work.files.at(-1);
	return total > lines.length && last !== undefined
		? {
				work: {...work, files: [...work.files.slice(0, -1), ...seenOf(last)]},
				...(last.whole === undefined ? {beyond: last.path} : {}),
			}
		: {work};
};

const seenOf = (file: ShownChange): readonly ShownChange[] =>
	file.whole === undefined ? [{...file, hunks: file.hunks.slice(0, -1)}] : [];

const partsOf = ({files}: ShownWork, taken: readonly number[]): readonly Part[] =>
	files
		.flatMap((file, index) => partsOfFile(file, index))
		.map((part, number) => ({...part, taken: taken.includes(number)}));

const partsOfFile = (file: ShownChange, index: number): readonly Omit<Part, 'taken'>[] =>
	file.whole === undefined
		? file.hunks.map((hunk, at) => ({file, picked: {file: index, hunks: [at]}, hunks: [hunk]}))
		: [{file, picked: {file: index, hunks: 'all'}, hunks: file.hunks}];
