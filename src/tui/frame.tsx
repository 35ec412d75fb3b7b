import {Badge, ThemeProvider as UiThemeProvider} from '@inkjs/ui';
import {Box} from 'ink';
import type {ReactNode} from 'react';
import type {Model} from '../client/model.ts';
import {counted} from '../lib/text/words.ts';
import {type InboxItem, inbox} from '../rules/inbox.ts';
import type {Agent} from '../state/agent/agent.ts';
import {offeredHere} from './action.ts';
import {Choices} from './components/choices.tsx';
import {CheckPane, MergedPane, mergedPaneRows, Pane} from './components/pane.tsx';
import {Line, Rows, Rule} from './components/rows.tsx';
import {KeyBar, NoticeLine, StatusLine} from './components/status-line.tsx';
import {Writing} from './components/writing.tsx';
import {sessionPhaseSpan, stateSpan} from './formatting/agent-look.ts';
import {checkOf} from './formatting/check-look.ts';
import {questionRows} from './formatting/choice-rows.ts';
import {matrixRows, meetingText, mergedOf} from './formatting/matrix-rows.ts';
import {cellOf, columnNames, rowNames, rowOf} from './model/open-item.ts';
import type {Action, Context, Dialog, MatrixPlace} from './model/view.ts';
import {blank, paragraph, type Row, row, span} from './rows/row.ts';
import {cut, padded, wrapped} from './rows/text.ts';
import {bodyOf, positionInBody} from './screens/body.ts';
import {closedQuestionRows, type Form, formLayout} from './screens/form-layout.ts';
import {ItemView} from './screens/item.tsx';
import {frameRows, type ScreenProps} from './screens/item-layout.ts';
import {PlanForm, planningRows} from './screens/plan-form.tsx';
import {Scrolled} from './screens/scrolled.tsx';
import {isTooSmall, type Size, smallest} from './terminal/full-screen.ts';
import {type Theme, ThemeProvider, uiThemeFor} from './theme.ts';

type FrameProps = {readonly context: Context; readonly theme: Theme};

/** One frame of the screen. */
export const Frame = ({context, theme}: FrameProps) => {
	const {view, model, hint} = context;
	const height = view.size.rows - frameRows(context);
	const asks = askingRows(context);
	return (
		<WholeScreen size={view.size} theme={theme}>
			<StatusLine context={context} />
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

const TooSmall = ({columns, rows}: Size) => {
	const needed = `at least ${smallest.columns}×${smallest.rows} is needed`;
	const text = `This window is too small. It has ${columns}×${rows}; ${needed}. q leaves.`;
	return <Rows rows={paragraph(text, columns, 'warn')} height={rows} />;
};

type WholeScreenProps = {
	readonly size: Size;
	readonly theme: Theme;
	readonly children: ReactNode;
};

/** A frame, exactly as large as the screen: a taller one would make the terminal scroll. */
const WholeScreen = ({size, theme, children}: WholeScreenProps) => (
	<ThemeProvider value={theme}>
		<UiThemeProvider theme={uiThemeFor(theme)}>
			{/* A window that is made narrower is drawn once before its size is known here: no row may wrap then. */}
			<Box width="100%" height={size.rows} overflow="hidden">
				<Box
					flexDirection="column"
					flexShrink={0}
					width={size.columns}
					height={size.rows}
					overflow="hidden"
				>
					{isTooSmall(size) ? <TooSmall columns={size.columns} rows={size.rows} /> : children}
				</Box>
			</Box>
		</UiThemeProvider>
	</ThemeProvider>
);

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
		case 'plan':
			return <PlanForm context={context} view={{...context.view, place}} height={height} />;
		case 'questions':
			return <FormView context={context} height={height} />;
		case 'agent':
		case 'answers':
		case 'log':
		case 'check':
		case 'findings':
		case 'hunks':
		case 'help':
			return <Scrolled context={context} height={height} />;
	}
};

/** An item has a place for what the person is asked or writes; elsewhere it is taken from the view. */
const askingRows = (context: Context): number => {
	const {place, dialog} = context.view;
	if (place.at === 'item') {
		return 0;
	}

	switch (dialog.kind) {
		case 'none':
		case 'field':
		case 'waiting':
			return 0;
		case 'confirm':
			return questionRows(context, dialog).length;
		case 'proposing':
			return 6;
		default:
			return 4;
	}
};

const Asking = ({context, height}: ScreenProps) => {
	const {dialog, place, size} = context.view;
	switch (dialog.kind) {
		case 'confirm':
			return <Rows rows={questionRows(context, dialog)} height={height} />;
		case 'proposing':
			return place.at === 'plan' ? (
				<Rows rows={planningRows(place, dialog, size.columns)} height={height} />
			) : null;
		case 'none':
		case 'field':
		case 'waiting':
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

type Written = Exclude<Dialog, {kind: 'none' | 'confirm' | 'field' | 'waiting' | 'proposing'}>;

const labelOf = (dialog: Written): string => {
	if (dialog.kind === 'path') {
		return dialog.wants === 'save' ? 'Save the plan as' : 'Open the plan file';
	}

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

type MatrixViewProps = ScreenProps & {readonly place: MatrixPlace};

/** Rows for what is to be said of the cell that the person is at; all of it is behind Enter. */
const [fewestAboutRows, mostAboutRows] = [2, 4];

const MatrixView = ({context, place, height}: MatrixViewProps) => {
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
	return (
		<Box flexDirection="column" height={height} overflow="hidden">
			<Rule
				columns={columns}
				left={[span('Collisions', 'strong')]}
				right={
					to - from === names.length
						? []
						: [span(`columns ${from + 1}–${to} of ${names.length}`, 'info')]
				}
			/>
			<Rows rows={[emptiness === undefined ? head : blank]} height={1} />
			<Rows
				rows={emptiness === undefined ? rows : [row(`  ${emptiness}`)]}
				height={room}
				offset={emptiness === undefined ? Math.max(0, end - room) : 0}
			/>
			<Rule columns={columns} />
			<Rows rows={about} height={aboutRows} />
		</Box>
	);
};

const emptyText = ({model: {state}}: Context): string | undefined =>
	state.session?.ended
		? 'The session has ended; nothing is compared any more.'
		: state.agents.length === 0
			? 'There is no agent yet, so there is nothing to compare.'
			: undefined;

/** One queue over all agents: everything that waits for the person, what is urgent first, then the oldest. */
const Inbox = ({context, height}: ScreenProps) => {
	const {model, view} = context;
	const items = inbox(model.state);
	const at = items.findIndex(({id}) => id === rowOf(context));
	const room = height - 1;
	const offset = Math.max(0, Math.min(at - Math.floor(room / 2), items.length - room));
	return (
		<Box flexDirection="column" height={height} overflow="hidden">
			<Rule
				columns={view.size.columns}
				left={[span('Inbox', 'strong')]}
				right={[span(`${items.length} waiting`, 'dim')]}
			/>
			<Rows
				height={room}
				offset={offset}
				rows={
					items.length === 0
						? emptyRows(model, view.size.columns)
						: items.map((item, index) => itemRow(item, index === at, view.size.columns))
				}
			/>
		</Box>
	);
};

const emptyRows = (model: Model, columns: number): readonly Row[] => {
	if (model.trouble !== undefined) {
		return [row(''), row('  What waits for you now is not known.', 'bad')];
	}

	const {text, tone} = sessionPhaseSpan(model) ?? span(atWork, 'dim');
	return [
		row(''),
		row('  Nothing waits for you.', 'good'),
		...wrapped(text, columns - 2).map(line => row(`  ${line}`, tone)),
	];
};

const atWork = 'The agents go on by themselves; what needs you will come here.';

const itemRow = (item: InboxItem, isHere: boolean, columns: number): Row => {
	const {id, kind, agent, title} = item;
	const urgent = item.kind === 'question' && item.urgent === true ? 'urgent  ' : '';
	const text = `${isHere ? '▸' : ' '} ${padded(id, 6)}${padded(kind, 12)}${padded(agent ?? '', 9)}`;
	return isHere
		? [span(padded(`${text}${urgent}${title}`, columns), 'selected')]
		: [
				span(text, kind === 'failure' || kind === 'conflict' ? 'warn' : 'plain'),
				span(urgent, 'bad'),
				span(cut(title, columns - 29 - urgent.length)),
			];
};

/** Several questions of one agent: all of them in a list, one of them in full, and one confirmation for all answers. */
const FormView = ({context, height}: ScreenProps) => {
	const layout = formLayout(context);
	if (layout === undefined || layout.form.questions.length === 0) {
		return <Rows rows={allGoneRows(context)} height={height} />;
	}

	const {columns} = context.view.size;
	const {form, list, listHeight, listOffset, bodyHeight, bottomHeight} = layout;
	const body = bodyOf(context);
	return (
		<Box flexDirection="column" height={height} overflow="hidden">
			<Box height={1} overflow="hidden" flexShrink={0}>
				<Badge>questions</Badge>
				<Line row={titleRow(context, form)} />
			</Box>
			<Rule columns={columns} />
			<Rows rows={list} height={listHeight} offset={listOffset} />
			<Rule columns={columns} />
			<Rows
				rows={body.rows
					.slice(body.offset, body.offset + bodyHeight)
					.map(cells => [span(' '), ...cells])}
				height={bodyHeight}
			/>
			<Rule columns={columns} right={positionInBody(body)} />
			{bottomHeight > 0 && form.shown !== undefined && (
				<Choices context={context} place={form.place} shown={form.shown} height={bottomHeight} />
			)}
		</Box>
	);
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

/** From here on panes stand side by side; below, each has the whole width and fewer rows. */
const wideColumns = 150;

/** Part of the board that the running check takes: by then no agent is at work. */
const checkShare = 0.4;

/** All agents at a glance, below them the check of what they did, while it runs, and above them what was merged in the end. */
const Board = ({context, height}: ScreenProps) => {
	const {model, view} = context;
	const {agents} = model.state;
	if (agents.length === 0) {
		const why =
			model.trouble === undefined
				? row('The session is starting …', 'dim')
				: row('Nothing of the session can be read.', 'warn');
		return <Rows rows={[why]} height={height} />;
	}

	const focused = Math.max(
		0,
		agents.findIndex(({id}) => id === view.agent),
	);
	const first = Math.min(Math.max(0, focused - 1), Math.max(0, agents.length - maximumPanes));
	const panes = agents.slice(first, first + maximumPanes);
	const isWide = view.size.columns >= wideColumns;
	const list = agents.length > maximumPanes;
	const check = checkOf(model);
	const checked = check?.phase === 'running' ? Math.floor(height * checkShare) : 0;
	const merged = mergedOf(model);
	const room = height - (list ? 1 : 0) - checked - (merged === undefined ? 0 : mergedPaneRows);
	return (
		<Box flexDirection="column" height={height} overflow="hidden">
			{merged && <MergedPane model={model} merged={merged} columns={view.size.columns} />}
			{list && <Rows rows={[listRow(agents, focused)]} height={1} />}
			<Box flexDirection={isWide ? 'row' : 'column'} columnGap={2} overflow="hidden">
				{panes.map((agent, index) => (
					<Pane
						key={agent.id}
						model={model}
						agent={agent}
						number={first + index + 1}
						isFocused={first + index === focused}
						columns={
							isWide
								? Math.floor((view.size.columns - 2 * (panes.length - 1)) / panes.length)
								: view.size.columns
						}
						height={isWide ? room : share(room, panes.length, index)}
					/>
				))}
			</Box>
			{check?.phase === 'running' && (
				<CheckPane model={model} check={check} columns={view.size.columns} height={checked} />
			)}
		</Box>
	);
};

const share = (room: number, panes: number, index: number): number =>
	Math.floor((room * (index + 1)) / panes) - Math.floor((room * index) / panes);

const listRow = (agents: readonly Agent[], focused: number): Row =>
	agents.flatMap((agent, index) => {
		const {tone} = stateSpan(agent);
		const sign = stateSpan(agent).text.charAt(0);
		return [
			span(`${index + 1} ${agent.id}`, index === focused ? 'selected' : 'plain'),
			span(` ${sign}  `, tone),
		];
	});
