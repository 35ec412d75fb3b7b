import {type Action, offeredHere} from './action.ts';
import {KeyBar} from './components/key-bar.tsx';
import {NoticeLine} from './components/notice-line.tsx';
import {Rows} from './components/rows.tsx';
import {StatusLine} from './components/status-line.tsx';
import {Writing} from './components/writing.tsx';
import {questionRows} from './formatting/question-rows.ts';
import type {Context, Dialog} from './model/view.ts';
import {row} from './rows/row.ts';
import {Board} from './screens/board.tsx';
import {Inbox} from './screens/inbox.tsx';
import {ItemView} from './screens/item.tsx';
import {frameRows} from './screens/item-layout.ts';
import {MatrixView} from './screens/matrix.tsx';
import {FormView} from './screens/questions/form.tsx';
import type {ScreenProps} from './screens/screen-props.ts';
import {Scrolled} from './screens/scrolled.tsx';
import {WholeScreen} from './terminal/whole-screen.tsx';
import type {Theme} from './theme.ts';

export type FrameProps = {readonly context: Context; readonly theme: Theme};

/** One frame of an open session. */
export const Frame = ({context, theme}: FrameProps) => {
	const {view, model, hint} = context;
	const height = view.size.rows - frameRows(context);
	const asks = askingRows(context);
	return (
		<WholeScreen size={view.size} theme={theme}>
			<StatusLine model={model} columns={view.size.columns} />
			<Place context={context} height={height - asks} />
			{asks > 0 && <Asking context={context} height={asks} />}
			<NoticeLine context={context} />
			{hint !== undefined && (
				<Rows rows={[row(`★ Try: ${hint(model.state, view)}`, 'info')]} height={1} />
			)}
			<KeyBar
				context={context}
				actions={offeredHere(context).filter(action => !isVerb(action))}
				columns={view.size.columns}
			/>
		</WholeScreen>
	);
};

/** The verbs of an item stand beside its choices already. */
const isVerb = ({name, where, label}: Action): boolean => where[0] === 'item' && label === name;

const Place = ({context, height}: ScreenProps) => {
	const {place} = context.view;
	switch (place.at) {
		case 'board':
			return <Board context={context} height={height} />;
		case 'inbox':
			return <Inbox context={context} height={height} />;
		case 'matrix':
			return <MatrixView context={context} place={place} height={height} />;
		case 'item':
			return <ItemView context={context} place={place} height={height} />;
		case 'questions':
			return <FormView context={context} height={height} />;
		case 'agent':
		case 'answers':
		case 'log':
		case 'check':
		case 'findings':
		case 'hunks':
		case 'picking':
		case 'help':
			return <Scrolled context={context} height={height} />;
	}
};

/** An item has a place for what the person is asked or writes; elsewhere it is taken from the view. */
const askingRows = (context: Context): number => {
	const {view} = context;
	return view.place.at === 'item' || view.dialog.kind === 'none'
		? 0
		: view.dialog.kind === 'confirm'
			? questionRows(context, view.dialog).length
			: 4;
};

const Asking = ({context, height}: ScreenProps) => {
	const {dialog, size} = context.view;
	switch (dialog.kind) {
		case 'confirm':
			return <Rows rows={questionRows(context, dialog)} height={height} />;
		case 'none':
			return null;
		default:
			return (
				<Writing
					label={labelOf(dialog)}
					draft={dialog.draft}
					columns={size.columns}
					height={height}
				/>
			);
	}
};

const labelOf = (dialog: Exclude<Dialog, {kind: 'none' | 'confirm'}>): string => {
	if (dialog.kind === 'answer') {
		return 'Your answer';
	}

	if (dialog.kind === 'search') {
		return 'Show only what holds';
	}

	if (dialog.kind === 'note') {
		return 'Your note';
	}

	if (dialog.kind === 'profile') {
		return `The profile as which ${dialog.agent} starts over; its worktree stays`;
	}

	return dialog.now
		? `What you say to ${dialog.agent}; its turn is cut short for it`
		: `What you say to ${dialog.agent}; it reads it at its next turn`;
};
