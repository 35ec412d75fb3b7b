import {whoAnsweredFirst} from '../../client/texts/item-text.ts';
import {questionRecordText} from '../../client/texts/question-record-text.ts';
import {type InboxItem, inbox} from '../../rules/inbox.ts';
import type {QuestionRecord} from '../../rules/question-record.ts';
import type {ItemOf} from '../../state/item.ts';
import {openInGroup, sameQuestions} from '../../state/items/question/answer.ts';
import {heightOfChoices} from '../formatting/choice-rows.ts';
import {filterOf, hasPrompt} from '../model/searching.ts';
import type {Context, QuestionsPlace} from '../model/view.ts';
import {holdsAll} from '../rows/found.ts';
import {quoted} from '../rows/quoted.ts';
import {blank, paragraph, type Row, row, section, span} from '../rows/row.ts';
import {cut, padded, widthOf} from '../rows/text.ts';
import {frameRows, rowsAround} from './item-layout.ts';
import {questionFacts} from './items/question.ts';

/** The person's text goes into a field of its own below. */
const writingRows = 4;

const mostListed = 6;

/** Lays out several questions of one agent; the scrollable body has everything about the current one, or all answers. Returns nothing without such a form. */
export const formLayout = (context: Context) => {
	const form = formOf(context);
	if (form === undefined) {
		return undefined;
	}

	const {columns, rows} = context.view.size;
	const isWriting = context.view.dialog.kind !== 'none' && !hasPrompt(context.view);
	// The title, and the rules between list, body and choices.
	const around = rowsAround(context.view) + 1;
	const height = rows - frameRows(context) - around - (isWriting ? writingRows : 0);
	const list = [...form.questions.map(item => listRow(context, form, item)), endRow(form)];
	const listHeight = Math.min(list.length, mostListed, Math.max(2, height - 4));
	const at = form.here === undefined ? list.length - 1 : form.questions.indexOf(form.here);
	const rest = Math.max(2, height - listHeight);
	const bottomHeight = isWriting ? 0 : Math.min(wantedBottom(form.shown, columns), rest - 1);
	return {
		form,
		list,
		listHeight,
		listOffset: Math.max(0, Math.min(at - Math.floor(listHeight / 2), list.length - listHeight)),
		body: bodyRows(context, form),
		bodyHeight: Math.max(1, rest - bottomHeight),
		bottomHeight,
	};
};

const wantedBottom = (shown: InboxItem | undefined, columns: number): number =>
	shown === undefined
		? 0
		: Math.max(
				1,
				heightOfChoices(
					shown.choices.map(({choice}) => choice),
					columns,
				),
			);

const needColumns = 10;

const listRow = ({view}: Context, {here}: Form, item: ItemOf<'question'>): Row => {
	const {columns} = view.size;
	const isHere = item === here;
	const answer = view.answers[item.id]?.split('\n')[0];
	const end = answer === undefined ? '' : `  → ${cut(answer, Math.floor(columns / 3))}`;
	const room = columns - needColumns - 10 - widthOf(end);
	return [
		span(isHere ? '▸' : ' ', 'key'),
		span(padded(` ${item.id}`, 7), 'dim'),
		span(padded(needOf(item), needColumns), isNeeded(item) ? 'warn' : 'dim'),
		span(cut(item.question.question, Math.max(8, room)), isHere ? 'selected' : 'plain'),
		span(end, 'good'),
	];
};

const needOf = (item: ItemOf<'question'>): string =>
	isNeeded(item) ? 'required' : item.anyAnswer ? 'any' : 'optional';

const endRow = ({here}: Form): Row => [
	span(here === undefined ? '▸ ' : '  ', 'key'),
	span('Give these answers', here === undefined ? 'selected' : 'strong'),
];

const bodyRows = (context: Context, form: Form): readonly Row[] => {
	const {place, questions, here, shown} = form;
	const columns = context.view.size.columns - 2;
	const gone = closedQuestionRows(context, place, {open: questions, columns});
	return [
		...gone,
		...(gone.length === 0 ? [] : [blank]),
		...(here === undefined
			? answerRows(context, form)
			: questionFacts(context.model, {item: here, shown}, place, columns)),
	];
};

/** Returns all answers in full, to be read again before they are sent. */
const answerRows = ({model, view}: Context, {place, questions}: Form): readonly Row[] => {
	const columns = view.size.columns - 2;
	const open = questions.filter(({id}) => view.answers[id] === undefined);
	return [
		...(open.length === 0
			? [row('Enter gives these answers.', 'info')]
			: paragraph(
					`${open.map(item => `${item.id} (${needOf(item)})`).join(', ')} ${open.length === 1 ? 'has' : 'have'} no answer yet.`,
					columns,
					'warn',
				)),
		blank,
		...questions
			.filter(item => !open.includes(item))
			.flatMap(item => {
				const same = place.together ? sameQuestions(model.state, item) : [];
				const others = same.map(({id, agent}) => `, and ${id} of ${agent}`).join('');
				return section(`${item.id}${others}`, [
					...quoted(item.question.question, columns),
					...paragraph(`→ ${view.answers[item.id]}`, columns, 'good'),
				]);
			}),
	];
};

/** Returns the questions of this session with their outcomes, newest first, filtered by the search words. */
export const answersRows = (context: Context): readonly Row[] => {
	const {model, view} = context;
	const words = filterOf(view);
	const texts = model.questions
		.toReversed()
		.map(record => ({record, lines: questionRecordText(record)}))
		.filter(({lines}) => holdsAll(lines.join('\n'), words));
	return texts.length === 0
		? [row(words === '' ? 'Nothing was asked yet.' : `Nothing holds "${words}".`, 'dim')]
		: texts.flatMap(({record, lines}) => recordRows(record, lines, view.size.columns - 2));
};

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

/** Returns the outcomes of questions that left a form since it was opened, so that a person sees who answered them. */
export const closedQuestionRows = (
	{model}: Context,
	{bindings}: QuestionsPlace,
	{open, columns}: {readonly open: readonly {readonly id: string}[]; readonly columns: number},
): readonly Row[] =>
	Object.keys(bindings)
		.filter(id => open.every(question => question.id !== id))
		.flatMap(id =>
			paragraph(whoAnsweredFirst(model.questions, id) ?? `${id} no longer waits.`, columns, 'warn'),
		);

/** The current form: its open questions, and the selected one. */
export type Form = {
	readonly place: QuestionsPlace;
	readonly questions: readonly OpenQuestion[];
	/** Absent at the end of the form. */
	readonly here: OpenQuestion | undefined;
	readonly shown: InboxItem | undefined;
};

/** Returns the current form, if any. */
export const formOf = ({model, view}: Context): Form | undefined => {
	const {place} = view;
	if (place.at !== 'questions') {
		return undefined;
	}

	const questions = openInGroup(model.state, place);
	const here = questions.find(({id}) => id === place.item);
	const shown = here && inbox(model.state).find(({id}) => id === here.id);
	return {place, questions, here, shown};
};

/** Returns whether an agent can't continue without an answer to exactly this question. */
export const isNeeded = ({holds, anyAnswer}: OpenQuestion): boolean => holds && !anyAnswer;

export type OpenQuestion = ItemOf<'question'>;
