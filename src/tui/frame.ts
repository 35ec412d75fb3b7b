import type {SlashCommand} from '../events/agent-order.ts';
import {counted} from '../lib/text/words.ts';
import {offeredHere} from './action.ts';
import {questionRows} from './formatting/choice-rows.ts';
import {matrixRows, meetingText} from './formatting/matrix-rows.ts';
import {cellOf, columnNames, rowNames} from './model/open-item.ts';
import {completions} from './model/own-commands.ts';
import {
	type Action,
	type Context,
	isAskedAlone,
	leavingAsked,
	type MatrixPlace,
} from './model/view.ts';
import {badge, blank, cutRow, fitted, paragraph, type Row, row, ruleRow, span} from './rows/row.ts';
import {padded, widthOf} from './rows/text.ts';
import {boardView} from './screens/board.ts';
import {bodyOf, positionInBody, rowsInSight} from './screens/body.ts';
import {choicesView} from './screens/choices.ts';
import {closedQuestionRows, type Form, formLayout} from './screens/form-layout.ts';
import {itemView} from './screens/item.ts';
import {frameRows} from './screens/item-layout.ts';
import {paletteView} from './screens/palette.ts';
import {planForm, planningRows} from './screens/plan-form.ts';
import {scrolledView} from './screens/scrolled.ts';
import {keyBar, noticeLines, statusLine} from './screens/status-line.ts';
import {writingView} from './screens/writing.ts';
import {isShort, isTooSmall, smallest} from './terminal/full-screen.ts';

/** Returns one frame of exactly the screen's size: a taller one would make the terminal scroll, a wider row would wrap. */
export const frameOf = (context: Context): readonly Row[] => {
	const {columns, rows} = context.view.size;
	const drawn = isTooSmall(context.view.size) ? tooSmall(context) : wholeFrame(context);
	return fitted(drawn, rows).map(row => cutRow(row, columns));
};

const wholeFrame = (context: Context): readonly Row[] => {
	const {model, view, hint} = context;
	const keys = keyBar(
		context,
		offeredHere(context).filter(action => !isVerb(action)),
		view.size.columns,
	);
	if (isAskedAlone(view)) {
		const told = view.notice === undefined ? [] : noticeLines(context);
		const asked = [...questionRows(context, view.dialog), ...told];
		return [statusLine(context), ...fitted(asked, view.size.rows - 2), keys];
	}

	const height = view.size.rows - frameRows(context);
	const asked = asking(context);
	return [
		statusLine(context),
		...fitted(
			view.dialog.kind === 'palette'
				? paletteView(context, height)
				: placeView(context, height - asked.length),
			height - asked.length,
		),
		...asked,
		...noticeLines(context),
		...(hint === undefined ? [] : [row(`★ Try: ${hint(model.state, view)}`, 'info')]),
		keys,
	];
};

/** Returns the frame for a window that is too small to read and decide anything. */
const tooSmall = ({view}: Context): readonly Row[] => {
	const {columns, rows} = view.size;
	const needed = `at least ${smallest.columns}×${smallest.rows} is needed`;
	const text =
		leavingAsked(view)?.question ??
		`This window is too small. It has ${columns}×${rows}; ${needed}.`;
	return paragraph(`${text} q leaves.`, columns, 'warn');
};

/** Returns whether an action is a verb of an item, which is listed beside its choices already. */
const isVerb = ({name, where, label}: Action): boolean => where[0] === 'item' && label === name;

const placeView = (context: Context, height: number): readonly Row[] => {
	const {view} = context;
	const {place} = view;
	switch (place.at) {
		case 'board':
			return boardView(context, height);
		case 'matrix':
			return matrixView(context, place, height);
		case 'item':
			return itemView(context, place, height);
		case 'plan':
			return planForm(context, {...view, place}, height);
		case 'questions':
			return formView(context);
		case 'agent':
		case 'answers':
		case 'inbox':
		case 'log':
		case 'check':
		case 'findings':
		case 'hunks':
		case 'help':
			return scrolledView(context);
	}
};

/** Rows for the person's text, and for a planner's progress. */
const [writingRows, proposingRows] = [4, 6];

/** Returns a question or a text field; an item has its own place for these. */
const asking = (context: Context): readonly Row[] => {
	const {dialog, place, size} = context.view;
	if (place.at === 'item') {
		return [];
	}

	if (dialog.kind === 'confirm') {
		return questionRows(context, dialog);
	}

	if (dialog.kind === 'proposing') {
		const progress = place.at === 'plan' ? planningRows(place, dialog, size.columns) : [];
		return fitted(progress, proposingRows);
	}

	const written = writingView(context, writingRows) ?? [];
	const commands = completions(context);
	return commands === undefined
		? written
		: [...written.slice(0, 2), ...commandRows(commands, size.rows)];
};

/** Maximum number of an agent's slash commands that are listed below the text field. */
const mostCommands = 5;

const commandRows = (commands: readonly SlashCommand[], rows: number): readonly Row[] => {
	const shown = commands.slice(0, Math.min(mostCommands, Math.ceil(rows / 6)));
	const width = Math.max(...shown.map(({name}) => widthOf(name)));
	const left = commands.length - shown.length;
	return [
		...shown.map(({name, description}, index) => [
			span(`  /${padded(name, width)}`, index === 0 ? 'selected' : 'strong'),
			span(`  ${description}`, 'dim'),
		]),
		...(left === 0 ? [] : [row(`  ${left} more; go on typing`, 'dim')]),
	];
};

/** Rows for the current cell; Enter shows everything about it. */
const [fewestAboutRows, mostAboutRows] = [2, 4];

const matrixView = (context: Context, place: MatrixPlace, height: number): readonly Row[] => {
	const {state} = context.model;
	const {columns} = context.view.size;
	const cell = cellOf(state, place);
	const {head, agents, from, to} = matrixRows(state, cell, columns);
	const names = columnNames(state);
	const emptiness = emptyText(context);
	const about = emptiness === undefined ? paragraph(meetingText(state, cell), columns) : [];
	const aboutRows = Math.min(mostAboutRows, Math.max(fewestAboutRows, about.length));
	const room = height - aboutRows - 3;
	const isHere = agents[rowNames(state).indexOf(cell?.[0] ?? '')] ?? [];
	const rows = agents.flatMap(lines => [...lines, blank]);
	const end = rows.indexOf(isHere.at(-1) ?? blank) + 1;
	return [
		ruleRow(
			columns,
			[span('Collisions', 'strong')],
			to - from === names.length
				? []
				: [span(`columns ${from + 1}–${to} of ${names.length}`, 'info')],
		),
		...(emptiness === undefined
			? [head, ...fitted(rows, room, Math.max(0, end - room))]
			: [blank, ...fitted([row(`  ${emptiness}`)], room)]),
		ruleRow(columns),
		...fitted(about, aboutRows),
	];
};

const emptyText = ({model: {state}}: Context): string | undefined =>
	state.session?.ended
		? 'The session has ended; nothing is compared any more.'
		: state.agents.length === 0
			? 'There is no agent yet, so there is nothing to compare.'
			: undefined;

/** Returns several questions of one agent: all of them in a list, one of them in full, and one confirmation for all answers. */
const formView = (context: Context): readonly Row[] => {
	const layout = formLayout(context);
	if (layout === undefined || layout.form.questions.length === 0) {
		return allGoneRows(context);
	}

	const {columns} = context.view.size;
	const {form, list, listHeight, listOffset, bodyHeight, bottomHeight} = layout;
	const body = bodyOf(context);
	return [
		[badge('questions'), ...titleRow(context, form)],
		...(isShort(context.view.size) ? [] : [ruleRow(columns)]),
		...fitted(list, listHeight, listOffset),
		ruleRow(columns),
		...fitted(
			rowsInSight(context, body).map(cells => [span(' '), ...cells]),
			bodyHeight,
		),
		ruleRow(columns, [], positionInBody(context, body)),
		...(form.shown === undefined ? [] : choicesView(context, form.place, form.shown, bottomHeight)),
	];
};

const allGoneRows = (context: Context): readonly Row[] => {
	const {place, size} = context.view;
	return [
		row('These questions are gone', 'strong'),
		blank,
		...(place.at === 'questions'
			? closedQuestionRows(context, place, {open: [], columns: size.columns})
			: []),
		row('Esc goes back.', 'dim'),
	];
};

const titleRow = ({view}: Context, {place, questions}: Form): Row => {
	const answered = questions.filter(({id}) => view.answers[id] !== undefined).length;
	return [
		span(` ${place.agent}  `, 'strong'),
		span(`asks ${counted(questions.length, 'question')} at once`),
		span(`  ${answered} answered`, answered === questions.length ? 'good' : 'dim'),
	];
};
