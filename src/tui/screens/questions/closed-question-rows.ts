import {whoAnsweredFirst} from '../../../client/texts/closed-text.ts';
import type {Context, QuestionsPlace} from '../../model/view.ts';
import {paragraph, type Row} from '../../rows/row.ts';

/** Returns what became of the questions that left a form since it was opened, so that nobody wonders who was faster. */
export const closedQuestionRows = (
	{model}: Context,
	{bindings}: QuestionsPlace,
	{open, columns}: {readonly open: readonly {readonly id: string}[]; readonly columns: number},
): readonly Row[] =>
	Object.keys(bindings)
		.filter(id => open.every(question => question.id !== id))
		.flatMap(id =>
			paragraph(whoAnsweredFirst(model.questions, id) ?? `${id} waits no more.`, columns, 'warn'),
		);
