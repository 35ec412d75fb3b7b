import {itemOf} from '../../state/select.ts';
import {nameOfChoice} from '../model/decide.ts';
import {draftLines} from '../model/draft.ts';
import {chosenLines, namedLines} from '../model/lines.ts';
import {isOwnCommand, whenReadIn} from '../model/own-commands.ts';
import {type Context, isWriting, type Written} from '../model/view.ts';
import {fitted, type Row, row, span, writtenRow} from '../rows/row.ts';
import {bodyOf} from './body.ts';
import {writingColumns} from './item-layout.ts';

/** Returns the field of the person's text; the cursor is drawn, so that it is visible in any terminal. Nothing if they write none that is sent. */
export const writingView = (context: Context, height: number): readonly Row[] | undefined => {
	const {dialog, size} = context.view;
	if (!isWriting(dialog)) {
		return undefined;
	}

	const {lines, row: at, index: cursor} = draftLines(dialog.draft, writingColumns(size.columns));
	const room = Math.max(1, height - 1);
	const offset = Math.max(0, Math.min(at - Math.floor(room / 2), lines.length - room));
	const written = lines.map((line, index) => [
		span('  '),
		...writtenRow(line, index === at ? cursor : undefined),
	]);
	return fitted(
		[row(labelOf(context, dialog), 'heading'), ...fitted(written, room, offset)],
		height,
	);
};

const labelOf = (context: Context, dialog: Written): string => {
	switch (dialog.kind) {
		case 'note':
			return `Your note, with "${choiceIn(context, dialog.choice)}"`;
		case 'answer':
			return 'Your answer';
		case 'comment':
			return `Your comment on ${namedLines(chosenLines(context.view, bodyOf(context).diff))}`;
		case 'path':
			return dialog.wants === 'save' ? 'Save the plan as' : 'Open the plan file';
		case 'profile':
			return `The profile that ${dialog.agent} starts over with; its worktree stays`;
		case 'message':
			if (isOwnCommand(context)) {
				return `A command of ${dialog.agent}’s own; it may change what it asks before it acts`;
			}

			return dialog.now
				? `Your message to ${dialog.agent}; its turn is cut short for it`
				: `Your message to ${dialog.agent}, which reads it ${whenReadIn(context)}`;
	}
};

const choiceIn = ({model: {state}, view: {place}}: Context, choice: string): string => {
	const item = place.at === 'item' ? itemOf(state, place.item) : undefined;
	return item === undefined ? choice : nameOfChoice(state, item, choice);
};
