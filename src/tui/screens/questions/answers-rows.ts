import {questionRecordText} from '../../../client/texts/question-record-text.ts';
import type {QuestionRecord} from '../../../rules/questions/record.ts';
import type {Context} from '../../model/view.ts';
import {blank, paragraph, type Row, row} from '../../rows/row.ts';

/** What agents asked in this session and what became of it, the last first; only what holds the words that are looked for. */
export const answersRows = (context: Context): readonly Row[] => {
	const {model, view} = context;
	const words = searchOf(context).toLowerCase();
	const texts = model.questions
		.toReversed()
		.map(record => ({record, lines: questionRecordText(record)}))
		.filter(({lines}) => lines.join('\n').toLowerCase().includes(words));
	return texts.length === 0
		? [row(words === '' ? 'Nothing was asked yet.' : `Nothing holds "${words}".`, 'dim')]
		: texts.flatMap(({record, lines}) => recordRows(record, lines, view.size.columns - 2));
};

/** Returns what is looked for: as it is being written, else as it was. */
export const searchOf = ({view: {place, dialog}}: Context): string =>
	dialog.kind === 'search' ? dialog.draft.text.trim() : place.at === 'answers' ? place.search : '';

const recordRows = (
	{closed}: QuestionRecord,
	[asked = '', ...ends]: readonly string[],
	columns: number,
): readonly Row[] => {
	const tone = closed === undefined ? 'warn' : closed.how === 'answered' ? 'good' : 'dim';
	return [
		...paragraph(asked, columns, 'strong'),
		...ends.flatMap(end => paragraph(end.trim(), columns, tone)),
		blank,
	];
};
