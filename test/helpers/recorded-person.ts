import type {Event} from '../../src/events/event.ts';
import {apply} from '../../src/state/apply/apply.ts';
import type {Item} from '../../src/state/item.ts';
import {itemOf} from '../../src/state/select.ts';
import {emptyState} from '../../src/state/state.ts';
import type {FakeWorld} from './fake-world.ts';

type Decided = Extract<Event, {kind: 'user.decided'}>;

/** Something the person of a recording did. */
type Deed =
	| {readonly does: 'decide'; readonly about: string; readonly event: Decided}
	| {readonly does: 'stop'}
	| {readonly does: 'move'; readonly to: string};

/** A person who does what one did in a recording; true when there was something to do. */
export type Person = (world: FakeWorld) => Promise<boolean>;

/**
Returns the person of a recording, with what is left to do after so many of its events.

An item is known by what it is about, since its number depends on what opened before it.
*/
export const recordedPerson = (recording: readonly Event[], seen: number): Person => {
	const left = deedsOf(recording)
		.filter(({seq}) => seq > seen)
		.map(({deed}) => deed);
	const done = (deed: Deed) => left.splice(left.indexOf(deed), 1);

	const move = async (world: FakeWorld, deed: Deed & {does: 'move'}): Promise<true> => {
		done(deed);
		await world.moveTip(deed.to);
		return true;
	};

	return async world => {
		for (const item of world.state().items) {
			const index = left.findIndex(deed => deed.does === 'decide' && deed.about === about(item));
			const earlier = left.slice(0, index).find(deed => deed.does === 'move');
			const deed = left[index];
			if (deed?.does !== 'decide') {
				continue;
			}

			if (earlier?.does === 'move') {
				return move(world, earlier);
			}

			if (typeof (await decide(world, item, deed.event)) !== 'string') {
				done(deed);
				return true;
			}
		}

		const [first] = left;
		if (first?.does === 'move') {
			return move(world, first);
		}

		if (first?.does === 'stop') {
			done(first);
			return typeof (await world.ask({kind: 'stop'})) !== 'string';
		}

		return false;
	};
};

const decide = (
	world: FakeWorld,
	item: Item,
	{choice, note, subtask, files, by}: Decided,
): Promise<Event | string> =>
	world.ask({
		kind: 'decide',
		item: item.id,
		choice,
		by,
		...(note === undefined ? {} : {note}),
		...(subtask === undefined ? {} : {subtask}),
		seen: {tip: world.tip(), ...(files === undefined ? {} : {files})},
	});

const deedsOf = (recording: readonly Event[]): readonly {seq: number; deed: Deed}[] => {
	const published = recording.flatMap(event =>
		event.kind === 'merge.published' ? [event.commit] : [],
	);
	let state = emptyState;
	return recording.flatMap((event): {seq: number; deed: Deed}[] => {
		const item = event.kind === 'user.decided' ? itemOf(state, event.item) : undefined;
		state = apply(state, event);
		const {seq} = event;
		if (event.kind === 'target.moved' && !published.includes(event.to)) {
			return [{seq, deed: {does: 'move', to: event.to}}];
		}

		if (event.kind !== 'user.decided' || event.by === 'policy') {
			return [];
		}

		if (event.item === 'session') {
			return [{seq, deed: {does: 'stop'}}];
		}

		return item === undefined ? [] : [{seq, deed: {does: 'decide', about: about(item), event}}];
	});
};

const about = (item: Item): string =>
	[
		item.kind,
		'agent' in item ? item.agent : '',
		item.kind === 'conflict' ? item.path : '',
		item.kind === 'question' ? item.question.question : '',
	].join(' ');
