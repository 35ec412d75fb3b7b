import {counted} from '../lib/text/words.ts';
import type {State} from '../state/state.ts';
import {offeredHere} from './action.ts';
import {stateSpan} from './formatting/agent-look.ts';
import {checkOf} from './formatting/check-look.ts';
import {questionRows} from './formatting/choice-rows.ts';
import {matrixRows, meetingText, mergedOf} from './formatting/matrix-rows.ts';
import {cellOf, columnNames, rowNames} from './model/open-item.ts';
import type {Action, Context, Dialog, MatrixPlace} from './model/view.ts';
import {
	badge,
	blank,
	cutRow,
	fitted,
	paragraph,
	type Row,
	row,
	ruleRow,
	sideBySide,
	span,
} from './rows/row.ts';
import {bodyOf, positionInBody, rowsInSight} from './screens/body.ts';
import {choicesView} from './screens/choices.ts';
import {closedQuestionRows, type Form, formLayout} from './screens/form-layout.ts';
import {commentLabel, itemView} from './screens/item.ts';
import {frameRows} from './screens/item-layout.ts';
import {paletteView} from './screens/palette.ts';
import {checkPane, mergedPane, pane, wantedRows} from './screens/pane.ts';
import {planForm, planningRows} from './screens/plan-form.ts';
import {scrolledView} from './screens/scrolled.ts';
import {keyBar, noticeLines, statusLine} from './screens/status-line.ts';
import {writingView} from './screens/writing.ts';
import {isTooSmall, type Size, smallest} from './terminal/full-screen.ts';

/** Returns one frame of the screen, exactly as large as it: a taller one would make the terminal scroll, a wider row would wrap. */
export const frameOf = (context: Context): readonly Row[] => {
	const {columns, rows} = context.view.size;
	const drawn = isTooSmall(context.view.size) ? tooSmall({columns, rows}) : wholeFrame(context);
	return fitted(drawn, rows).map(row => cutRow(row, columns));
};

const wholeFrame = (context: Context): readonly Row[] => {
	const {model, view, hint} = context;
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
		keyBar(
			context,
			offeredHere(context).filter(action => !isVerb(action)),
			view.size.columns,
		),
	];
};

const tooSmall = ({columns, rows}: Size): readonly Row[] => {
	const needed = `at least ${smallest.columns}×${smallest.rows} is needed`;
	const text = `This window is too small. It has ${columns}×${rows}; ${needed}. q leaves.`;
	return paragraph(text, columns, 'warn');
};

/** The verbs of an item stand beside its choices already. */
const isVerb = ({name, where, label}: Action): boolean => where[0] === 'item' && label === name;

const placeView = (context: Context, height: number): readonly Row[] => {
	const {view} = context;
	const {place} = view;
	switch (place.at) {
		case 'board':
			return board(context, height);
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

/** Rows for what a person writes, and for how far a planner is. */
const [writingRows, proposingRows] = [4, 6];

/** Returns what the person is asked or writes; an item has a place of its own for that. */
const asking = (context: Context): readonly Row[] => {
	const {dialog, place, size} = context.view;
	if (place.at === 'item') {
		return [];
	}

	switch (dialog.kind) {
		case 'none':
		case 'field':
		case 'lines':
		case 'waiting':
		case 'palette':
		case 'search':
			return [];
		case 'confirm':
			return questionRows(context, dialog);
		case 'proposing':
			return fitted(
				place.at === 'plan' ? planningRows(place, dialog, size.columns) : [],
				proposingRows,
			);
		default:
			return writingView(labelOf(context, dialog), dialog.draft, {
				...size,
				height: writingRows,
			});
	}
};

type Written = Exclude<
	Dialog,
	{kind: 'none' | 'confirm' | 'field' | 'lines' | 'waiting' | 'proposing' | 'search' | 'palette'}
>;

const labelOf = (context: Context, dialog: Written): string => {
	if (dialog.kind === 'comment') {
		return commentLabel(context);
	}

	if (dialog.kind === 'path') {
		return dialog.wants === 'save' ? 'Save the plan as' : 'Open the plan file';
	}

	if (dialog.kind === 'answer') {
		return 'Your answer';
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

/** Rows for what is to be said of the cell that the person is at; all of it is behind Enter. */
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
		ruleRow(columns),
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

const maximumPanes = 3;

/** With so many columns for each, panes stand side by side; below, each has the whole width and fewer rows. */
const fewestPaneColumns = 49;

/** Part of the board that the running check takes: by then no agent is at work. */
const checkShare = 0.4;

/** Returns all agents at a glance, below them the check of what they did, while it runs, and above them what was merged in the end. */
const board = (context: Context, height: number): readonly Row[] => {
	const {model, view} = context;
	const {columns} = view.size;
	const {agents} = model.state;
	if (agents.length === 0) {
		return [
			model.trouble === undefined
				? row('The session is starting …', 'dim')
				: row('Nothing of the session can be read.', 'warn'),
		];
	}

	const focused = Math.max(
		0,
		agents.findIndex(({id}) => id === view.agent),
	);
	const first = Math.min(Math.max(0, focused - 1), Math.max(0, agents.length - maximumPanes));
	const shown = agents.slice(first, first + maximumPanes);
	const beside = Math.floor((columns - gap * (shown.length - 1)) / shown.length);
	const isWide = shown.length > 1 && beside >= fewestPaneColumns;
	const list = agents.length > maximumPanes ? [listRow(model.state, focused)] : [];
	const check = checkOf(model);
	const checked = check?.phase === 'running' ? Math.floor(height * checkShare) : 0;
	const merged = mergedOf(model);
	const above = [...(merged === undefined ? [] : mergedPane(model, merged, columns)), ...list];
	const room = height - above.length - checked;
	const width = isWide ? beside : columns;
	const wanted = shown.map(agent => wantedRows(model, agent, width));
	const heights = isWide ? shown.map(() => room) : sharedRows(wanted, room);
	const panes = shown.map((agent, index) => ({
		columns: width,
		rows: pane(model, agent, {
			number: first + index + 1,
			isFocused: first + index === focused,
			columns: width,
			height: heights[index] ?? 0,
		}),
	}));
	return [
		...above,
		...(isWide ? sideBySide(panes, gap) : panes.flatMap(({rows}) => rows)),
		...(check?.phase === 'running' ? checkPane(model, check, {columns, height: checked}) : []),
	];
};

/** Columns between panes. */
const gap = 2;

/** Rows that whoever works keeps for what it does, whoever else wants them. */
const fewestAtWork = 4;

/** Shares rows among panes: each has as many as it wants, as far as they reach, and those that want any number share what is left. */
const sharedRows = (wanted: readonly number[], room: number): readonly number[] => {
	const heights = wanted.map(() => 0);
	const order = [...wanted.entries()].toSorted(([, one], [, other]) => (one < other ? -1 : 1));
	let left = room;
	for (const [served, [index, want]] of order.entries()) {
		const rest = order.slice(served);
		const bounded = rest.filter(([, one]) => Number.isFinite(one)).length;
		const kept = (rest.length - bounded) * fewestAtWork;
		const share = Math.floor(bounded === 0 ? left / rest.length : (left - kept) / bounded);
		// The one that wants most has what nobody wants.
		const height = rest.length === 1 ? left : Math.max(0, Math.min(want, share));
		heights[index] = height;
		left -= height;
	}

	return heights;
};

const listRow = (state: State, focused: number): Row =>
	state.agents.flatMap((agent, index) => {
		const {tone, text} = stateSpan(state, agent);
		return [
			span(`${index + 1} ${agent.id}`, index === focused ? 'selected' : 'plain'),
			span(` ${text.charAt(0)}  `, tone),
		];
	});
