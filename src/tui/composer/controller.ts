import {failureText} from '../../lib/failure.ts';
import {editingKeys, insert} from '../model/draft.ts';
import type {Driver, FromTerminal} from '../terminal/app.tsx';
import type {Size} from '../terminal/full-screen.ts';
import {isText} from '../terminal/key-name.ts';
import {actionFor} from './actions-here.ts';
import type {Desk} from './desk.ts';
import type {Composition} from './model/composition.ts';
import {ask, goTo, writeHere} from './model/moves.ts';
import {edited} from './model/typing.ts';
import {
	type ComposerAction,
	type Context,
	type Effect,
	type KnownFile,
	type Outcome,
	only,
	type Progress,
	startView,
	type View,
	withNotice,
} from './model/view.ts';
import {judgePlan} from './plan/judgement.ts';
import {openPlan} from './plan/open-plan.ts';

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

/** What comes to the composer from the person, from the terminal, or from outside. */
export type Input =
	| FromTerminal
	| {readonly kind: 'saved'; readonly file: KnownFile}
	/** There is a file already, which is not the one last seen there. */
	| {readonly kind: 'taken'; readonly file: KnownFile}
	| {readonly kind: 'opened'; readonly file: KnownFile}
	/** A planner is at work. */
	| {readonly kind: 'planning'; readonly progress: Progress}
	/** A planner has proposed this plan file. */
	| {readonly kind: 'proposed'; readonly text: string}
	| {readonly kind: 'failed'; readonly text: string};

/** Returns what an input comes to; all of the composer's behaviour, without a screen. */
export const update = (context: Context, input: Input): Outcome => {
	const {view} = context;
	const idle: View = {...view, dialog: {kind: 'none'}};
	switch (input.kind) {
		case 'resize':
			return only({...view, size: input.size});
		case 'key':
			return press({...context, view: {...view, notice: undefined}}, input.key);
		case 'paste':
			return only(paste(view, input.text));
		case 'saved':
			return only(
				withNotice(
					{...idle, file: input.file, kept: view.composition},
					'good',
					`Saved as ${input.file.path}.`,
				),
			);
		case 'taken':
			return ask(idle, `${input.file.path} is there already. Replace it?`, {
				do: 'save',
				...input.file,
				over: 'anything',
			});
		case 'opened':
			return only(opened(context, idle, input));
		case 'planning':
			return only(
				view.dialog.kind === 'proposing'
					? {...view, dialog: {kind: 'proposing', progress: input.progress}}
					: view,
			);
		case 'proposed':
			return only(proposed(context, idle, input.text));
		case 'failed':
			return only(withNotice(idle, 'bad', input.text));
	}
};

const opened = ({desk}: Context, view: View, {file}: Extract<Input, {kind: 'opened'}>): View => {
	const read = openPlan(file.text, Object.keys(desk.profiles));
	if ('why' in read) {
		return withNotice(
			view,
			'bad',
			`${file.path} can’t be opened: ${read.why} Nothing here has changed.`,
		);
	}

	const {composition} = read;
	return withNotice(
		goTo({...view, composition, kept: composition, file}, 0),
		'good',
		`Opened ${file.path}.`,
	);
};

/** What was proposed is saved nowhere yet. */
const proposed = ({desk}: Context, view: View, text: string): View => {
	const read = openPlan(text, Object.keys(desk.profiles));
	return 'why' in read
		? withNotice(
				view,
				'bad',
				`The planner’s plan can’t be opened: ${read.why} Nothing here has changed.`,
			)
		: withNotice(
				goTo({...view, composition: read.composition, asked: []}, 0),
				'good',
				'The planner has proposed this. Change what you like; nothing has started.',
			);
};

const press = (context: Context, key: string): Outcome => {
	const {view} = context;
	const action = actionFor(context, key);
	if (action !== undefined) {
		const refused = action.whyNot?.(context);
		return refused === undefined ? action.run(context) : only(withNotice(view, 'warn', refused));
	}

	const {dialog} = view;
	const edit = editingKeys[key];
	if ('draft' in dialog && edit !== undefined) {
		return only(edited(view, edit(dialog.draft), key));
	}

	// Any key but yes means no, so that nobody says yes by writing on.
	if (dialog.kind === 'confirming') {
		return only({...view, dialog: {kind: 'none'}});
	}

	return only(isText(key) ? write(view, key === 'space' ? ' ' : key) : view);
};

/** What is pasted at a field goes into it, also when nobody writes there yet. */
const paste = (view: View, text: string): View =>
	write(view.dialog.kind === 'none' && view.place === 'form' ? writeHere(view) : view, text);

const write = (view: View, text: string): View => {
	const {dialog} = view;
	return 'draft' in dialog ? edited(view, insert(dialog.draft, text)) : view;
};
