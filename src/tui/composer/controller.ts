import {failureText} from '../../lib/failure.ts';
import type {Driver} from '../terminal/app.tsx';
import type {Size} from '../terminal/size.ts';
import type {Desk} from './desk.ts';
import type {Composition} from './model/composition.ts';
import {type Input, update} from './model/update.ts';
import {
	type ComposerAction,
	type Context,
	type Effect,
	type KnownFile,
	type Progress,
	startView,
} from './model/view.ts';
import {judgePlan} from './plan/judgement.ts';

/** What happens outside the composer; what can't be done is thrown as a `Failure`. */
export type Outside = {
	readonly read: (path: string) => Promise<string>;
	/** Writes a file; returns `taken`, and does nothing, when one stands there that may not be replaced. */
	readonly save: (
		file: KnownFile,
		over: KnownFile | 'anything' | undefined,
	) => Promise<'saved' | 'taken'>;
	/** Lets a planner propose a plan file's text; tells how far it is, and stops it when the signal is aborted. */
	readonly propose: (
		task: string,
		options: {readonly signal: AbortSignal; readonly report: (progress: Progress) => void},
	) => Promise<string>;
	/** Starts a session on a plan file's text. */
	readonly run: (text: string, file: string) => Promise<void>;
};

/** How the composer came to its end. */
export type Ending = 'left' | 'started';

/** Holds together what is known, where the person is, and what their keys do; React only draws it. */
export type Controller = Driver<Context, Input> & {readonly close: () => void};

export type ControllerOptions = {
	readonly desk: Desk;
	readonly outside: Outside;
	/** The plan to begin with. */
	readonly composition: Composition;
	readonly table: readonly ComposerAction[];
	readonly size: Size;
	readonly onEnd: (ending: Ending) => void;
};

/** How long keys must pause before the plan is judged again, in milliseconds: in a large repository judging takes longer than the next key does. */
const pauseMs = 60;

export const createController = ({
	desk,
	outside,
	composition,
	table,
	size,
	onEnd,
}: ControllerOptions): Controller => {
	const listeners = new Set<() => void>();
	const view = startView(size, composition);
	let context: Context = {
		desk,
		view,
		table,
		judgement: judgePlan(desk, composition),
	};
	let judging: NodeJS.Timeout | undefined;
	/** Stops the one planner that may be at work. */
	let planner = new AbortController();
	const publish = (): void => {
		for (const listener of listeners) {
			listener();
		}
	};

	const isOld = ({view, judgement}: Context): boolean => judgement.composition !== view.composition;
	const judgeNow = (): void => {
		clearTimeout(judging);
		if (isOld(context)) {
			context = {...context, judgement: judgePlan(desk, context.view.composition)};
		}
	};

	const take = (input: Input): void => {
		// A key for the plan as a whole is judged by the plan as it is now.
		if (input.kind === 'key' && context.view.dialog.kind !== 'writing') {
			judgeNow();
		}

		const {view, effects} = update(context, input);
		context = {...context, view};
		if (isOld(context)) {
			clearTimeout(judging);
			judging = setTimeout(() => {
				judgeNow();
				publish();
			}, pauseMs);
		}

		publish();
		for (const effect of effects) {
			perform(effect).then(
				answer => (answer === undefined ? undefined : take(answer)),
				(error: unknown) => take({kind: 'failed', text: failureText(error).replaceAll('\n', ' ')}),
			);
		}
	};

	const perform = async (effect: Effect): Promise<Input | undefined> => {
		switch (effect.do) {
			case 'leave':
				onEnd('left');
				return undefined;
			case 'save': {
				const file = {path: effect.path, text: effect.text};
				return {kind: await outside.save(file, effect.over), file};
			}

			case 'open': {
				const file = {path: effect.path, text: await outside.read(effect.path)};
				return {kind: 'opened', file};
			}

			case 'propose': {
				planner = new AbortController();
				const report = (progress: Progress) => take({kind: 'planning', progress});
				const text = await outside.propose(effect.task, {signal: planner.signal, report});
				return {kind: 'proposed', text};
			}

			case 'stop-proposing':
				planner.abort();
				return undefined;
			case 'run':
				await outside.run(effect.text, effect.file);
				onEnd('started');
				return undefined;
		}
	};

	return {
		context: () => context,
		subscribe: listener => {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
		take,
		close: () => {
			clearTimeout(judging);
			planner.abort();
		},
	};
};
