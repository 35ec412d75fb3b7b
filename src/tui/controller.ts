import {asFailure} from '../lib/failure.ts';
import {itemOf} from '../state/select.ts';
import type {Action} from './action.ts';
import type {Ask} from './reading/papers.ts';
import type {Store} from './reading/store.ts';
import type {Size} from './size.ts';
import {type Input, update} from './view/update.ts';
import {type Context, type Effect, type Hint, type Place, startView} from './view/view.ts';
import {papersFor} from './views/papers-for.ts';

/** Holds together what is read, where the person is, and what their keys do; React only draws it. */
export type Controller = {
	readonly context: () => Context;
	readonly subscribe: (listener: () => void) => () => void;
	readonly take: (input: Input) => void;
};

export type ControllerOptions = {
	readonly store: Store;
	readonly table: readonly Action[];
	readonly size: Size;
	readonly ask: Ask;
	readonly onLeave: () => void;
	readonly hint?: Hint;
	/** Where to begin; at the board, unless told otherwise. */
	readonly place?: Place;
};

export const createController = (options: ControllerOptions): Controller => {
	const {store, table, size, hint} = options;
	const listeners = new Set<() => void>();
	let context: Context = {
		model: store.model(),
		view: startView(size),
		table,
		...(hint === undefined ? {} : {hint}),
	};
	const publish = (): void => {
		store.want(papersFor(context));
		for (const listener of listeners) {
			listener();
		}
	};

	const take = (input: Input): void => {
		// A key is judged by what is so now, which may be newer than what is on the screen.
		store.flush();
		const {view, effects} = update(context, input);
		context = {...context, view};
		publish();
		for (const effect of effects) {
			perform(options, effect, take);
		}
	};

	store.subscribe(() => {
		context = {...context, model: store.model()};
		publish();
	});
	return {
		context: () => context,
		subscribe: listener => {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
		take,
	};
};

const perform = (
	{store, ask, onLeave}: ControllerOptions,
	effect: Effect,
	take: (input: Input) => void,
): void => {
	switch (effect.do) {
		case 'leave':
			onLeave();
			return;
		case 'play':
			if (effect.step === 'toggle') {
				store.playing?.toggle();
			} else {
				store.playing?.step(effect.step);
			}

			return;
		case 'ask': {
			const {item, done, request} = effect;
			ask(request).then(
				() => take({kind: 'granted', text: done, ...(item === undefined ? {} : {item})}),
				(error: unknown) => take({kind: 'refused', text: refusalOf(error, store, item)}),
			);
		}
	}
};

const refusalOf = (error: unknown, store: Store, item: string | undefined): string => {
	const {message, hint} = asFailure(error);
	const open = item !== undefined && itemOf(store.model().state, item) !== undefined;
	return `${message}${hint === undefined ? '' : ` (${hint})`}${open ? ` ${item} still waits for you.` : ''}`;
};
