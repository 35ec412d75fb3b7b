import {KeyBar} from '../components/key-bar.tsx';
import {Rows} from '../components/rows.tsx';
import {paragraph, type Row, row} from '../rows/row.ts';
import {WholeScreen} from '../terminal/whole-screen.tsx';
import type {Theme} from '../theme.ts';
import {actionsHere} from './actions-here.ts';
import {FormView} from './form/form-view.tsx';
import {Help} from './form/help.tsx';
import {Title} from './form/title.tsx';
import {fieldAt} from './model/moves.ts';
import type {Context} from './model/view.ts';
import {advice} from './plan/field-words.ts';

export type ComposerFrameProps = {readonly context: Context; readonly theme: Theme};

/** Rows of the title and of the keys. */
const frameRows = 2;

/** One frame of the composer. */
export const ComposerFrame = ({context, theme}: ComposerFrameProps) => {
	const {size, place} = context.view;
	const said = saidRows(context);
	const height = size.rows - frameRows - said.length;
	return (
		<WholeScreen size={size} theme={theme}>
			<Title context={context} />
			{place === 'help' ? (
				<Help context={context} height={height} />
			) : (
				<FormView context={context} height={height} />
			)}
			<Rows rows={said} height={said.length} />
			<KeyBar context={context} actions={actionsHere(context)} columns={size.columns} />
		</WholeScreen>
	);
};

const signs = {good: '✓', bad: '✗', warn: '!', info: '·'} as const;

/** The most rows that a notice may take from the plan. */
const maximumSaid = 3;

/** What the last key came to, else what belongs into the field. */
const saidRows = ({desk, view}: Context): readonly Row[] => {
	const {notice, size} = view;
	return notice === undefined
		? [row(view.place === 'form' ? ` ${advice(fieldAt(view), desk)}` : '', 'info')]
		: paragraph(`${signs[notice.tone]} ${notice.text}`, size.columns, notice.tone).slice(
				0,
				maximumSaid,
			);
};
