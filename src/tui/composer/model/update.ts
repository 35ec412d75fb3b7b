import {editingKeys, insert} from '../../model/draft.ts';
import {isText} from '../../terminal/key-name.ts';
import type {FromTerminal} from '../../terminal/use-terminal.ts';
import {actionFor} from '../actions-here.ts';
import {openPlan} from '../plan/open-plan.ts';
import {ask, goTo, writeHere} from './moves.ts';
import {edited} from './typing.ts';
import {
	type Context,
	type KnownFile,
	type Outcome,
	only,
	type Progress,
	type View,
	withNotice,
} from './view.ts';

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
