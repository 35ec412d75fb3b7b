import type {Event} from '../../src/events/event.ts';
import {defined} from '../../src/lib/values.ts';
import {apply} from '../../src/state/apply/apply.ts';
import type {Item} from '../../src/state/item.ts';
import {itemOf} from '../../src/state/select.ts';
import {emptyState} from '../../src/state/state.ts';
import type {FakeWorld} from './fake-world.ts';

type Decided = Extract<Event, {kind: 'user.decided'}>;

/** An action of the person in a recording. */
type Action =
	| {readonly does: 'decide'; readonly about: string; readonly event: Decided}
	| {readonly does: 'stop'}
	| {readonly does: 'move'; readonly to: string};

/** Acts like the person in a recording; returns whether there was something to do. */
export type Person = (world: FakeWorld) => Promise<boolean>;

/**
Returns a function that makes the person of a recording, with the actions left after a number of its events.

An item is identified by its subject, since its number depends on the items before it.
*/
export const recordedPerson = (recording: readonly Event[]): ((seen: number) => Person) => {
	const actions = actionsOf(recording);
	return seen => personWith(actions.filter(({seq}) => seq > seen).map(({action}) => action));
};

const personWith = (left: Action[]): Person => {
	const done = (action: Action) => left.splice(left.indexOf(action), 1);

	const move = async (world: FakeWorld, action: Action & {does: 'move'}): Promise<true> => {
		done(action);
		await world.moveTip(action.to);
		return true;
	};

	return async world => {
		for (const item of world.state().items) {
			const index = left.findIndex(
				action => action.does === 'decide' && action.about === about(item),
			);
			const earlier = left.slice(0, index).find(action => action.does === 'move');
			const action = left[index];
			if (action?.does !== 'decide') {
				continue;
			}

			if (earlier?.does === 'move') {
				return move(world, earlier);
			}

			if (typeof (await decide(world, item, action.event)) !== 'string') {
				done(action);
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
	{choice, note, subtask, files, replayed, by}: Decided,
): Promise<Event | string> =>
	world.ask({
		kind: 'decide',
		item: item.id,
		// Old recordings use this choice for `redo`.
		choice: replayed === undefined ? choice.replace(/^sequential:/, 'redo:') : choice,
		by,
		...(note === undefined ? {} : {note}),
		...(subtask === undefined ? {} : {subtask}),
		seen: {tip: world.tip(), ...defined({files, replayed})},
	});

const actionsOf = (recording: readonly Event[]): readonly {seq: number; action: Action}[] => {
	const published = recording.flatMap(event =>
		event.kind === 'merge.published' ? [event.commit] : [],
	);
	let state = emptyState;
	return recording.flatMap((event): {seq: number; action: Action}[] => {
		const item = event.kind === 'user.decided' ? itemOf(state, event.item) : undefined;
		state = apply(state, event);
		const {seq} = event;
		if (event.kind === 'target.moved' && !published.includes(event.to)) {
			return [{seq, action: {does: 'move', to: event.to}}];
		}

		if (event.kind !== 'user.decided' || event.by === 'policy') {
			return [];
		}

		if (event.item === 'session') {
			return [{seq, action: {does: 'stop'}}];
		}

		return item === undefined ? [] : [{seq, action: {does: 'decide', about: about(item), event}}];
	});
};

const about = (item: Item): string =>
	[
		item.kind,
		'agent' in item ? item.agent : '',
		item.kind === 'conflict' ? item.path : '',
		item.kind === 'question' ? item.question.question : '',
	].join(' ');
