import {Box} from 'ink';
import {formatDuration} from '../../lib/text/duration.ts';
import {counted} from '../../lib/text/words.ts';
import {withOwnKeys} from '../action.ts';
import {Rows, Rule} from '../components/rows.tsx';
import {KeyBar} from '../components/status-line.tsx';
import {Writing} from '../components/writing.tsx';
import {keyRows} from '../formatting/choice-rows.ts';
import {blank, paragraph, type Row, row, section, span, widthOfRow} from '../rows/row.ts';
import {cut} from '../rows/text.ts';
import {WholeScreen} from '../terminal/app.tsx';
import type {Terminal} from '../terminal/full-screen.ts';
import {openShell} from '../terminal/open-shell.tsx';
import type {Theme} from '../theme.ts';
import {actionsHere} from './actions-here.ts';
import {type ControllerOptions, createController, type Ending} from './controller.ts';
import type {Desk} from './desk.ts';
import {findingRows, findingsTitle, formRows} from './form-rows.ts';
import {composerActions} from './keys.ts';
import {fieldAt, isUnsaved} from './model/moves.ts';
import type {Context, Where} from './model/view.ts';
import {advice} from './plan/field-words.ts';

export type ComposerOptions = Terminal &
	Pick<ControllerOptions, 'desk' | 'outside' | 'composition'> & {
		readonly theme: 'auto' | 'dark' | 'light';
		/** The person's own keys, by the names of actions. */
		readonly keys: Readonly<Record<string, string>>;
	};

/** Lets the person compose a plan until they start it or leave; the terminal is then as it was found. */
export const showComposer = async (options: ComposerOptions): Promise<Ending> => {
	const {theme, input, output, environment} = options;
	let ending: Ending = 'left';
	const controller = createController({
		...options,
		table: withOwnKeys(composerActions, options.keys),
		size: {columns: output.columns, rows: output.rows},
		onEnd: end => {
			ending = end;
			shell.close();
		},
	});
	const shell = openShell({controller, frame: ComposerFrame, theme, input, output, environment});
	try {
		await shell.closed;
	} finally {
		controller.close();
	}

	return ending;
};

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

/** The first row: that this is a plan, where it is saved, and where its result goes. */
const Title = ({context}: {readonly context: Context}) => {
	const {columns} = context.view.size;
	const left: Row = [span(' delegate-tui ', 'selected'), span(titleOf(context.desk), 'strong')];
	const right = rightOf(context);
	const gap = columns - widthOfRow(left) - widthOfRow(right);
	return <Rows rows={[[...left, span(' '.repeat(Math.max(1, gap))), ...right]]} height={1} />;
};

const titleOf = ({purpose, instead}: Desk): string =>
	instead === undefined ? screenTitles[purpose] : ` In place of ${instead}`;

const screenTitles = {
	start: ' Plan a session',
	edit: ' Change the plan',
	add: ' Add an agent',
} as const;

const rightOf = ({desk, view}: Context): Row => {
	const {file, composition} = view;
	const target = composition.target.trim() || desk.branch;
	return [
		...(file === undefined ? [] : [span(`${cut(file.path, 30)} `, 'info')]),
		isUnsaved(view) ? span('not saved', 'warn') : span(file === undefined ? 'new' : 'saved', 'dim'),
		span(target === undefined ? ' ' : `  → ${cut(target, 24)} `, 'info'),
	];
};

export type HelpProps = {readonly context: Context; readonly height: number};

/** The keys of the composer; for those that don't work now, why. */
const Help = ({context, height}: HelpProps) => {
	const {columns} = context.view.size;
	const rows = helpRows(context);
	const room = height - 2;
	const offset = Math.min(context.view.scroll, Math.max(0, rows.length - room));
	return (
		<Box flexDirection="column" height={height} overflow="hidden">
			<Rule columns={columns} left={[span('Keys', 'strong')]} />
			<Rows rows={rows} height={room} offset={offset} />
			<Rule
				columns={columns}
				right={rows.length > room ? [span(`${offset + 1} of ${rows.length} rows`, 'dim')] : []}
			/>
		</Box>
	);
};

const titles: readonly (readonly [Where, string])[] = [
	['form', 'In the plan'],
	['writing', 'While you write'],
	['proposing', 'While a planner is at work'],
];

const helpRows = (context: Context): readonly Row[] => [
	...titles.flatMap(([where, title]) =>
		section(
			title,
			context.table
				.filter(action => action.where.includes(where))
				.flatMap(action => keyRows(context, action, context.view.size.columns)),
		),
	),
	...section('Good to know', [
		row('Everything is judged as you write it, as a plan file is when it is run.'),
		row('Comments of a plan file, and environments of its agents, stay in it when you save.'),
		row('A line of a check that begins with a space goes on with the command above.'),
		row('Text can be pasted into the field you are at, whether you write there or not.'),
	]),
];

export type FormViewProps = {readonly context: Context; readonly height: number};

/** From here on the form and what is found in it stand side by side. */
const wideColumns = 140;

/** Rows for what a person is asked, or for what a planner does. */
const askingRows = {path: 3, confirming: 3, proposing: 6, none: 0, writing: 0, waiting: 0} as const;

/** The form, and what is wrong with it, as far as there is room; the field that the person is at always is. */
const FormView = ({context, height}: FormViewProps) => {
	const {columns} = context.view.size;
	const {dialog} = context.view;
	const asks = askingRows[dialog.kind];
	const room = height - asks;
	return (
		<Box flexDirection="column" height={height} overflow="hidden" flexShrink={0}>
			{columns >= wideColumns ? (
				<Wide context={context} height={room} />
			) : (
				<Narrow context={context} height={room} />
			)}
			{asks > 0 && <Asking context={context} height={asks} />}
		</Box>
	);
};

const Wide = ({context, height}: FormViewProps) => {
	const {columns} = context.view.size;
	const side = Math.floor(columns * 0.42);
	return (
		<Box height={height} columnGap={2} overflow="hidden">
			<Form context={context} columns={columns - side - 2} height={height} />
			<Side context={context} columns={side} height={height} />
		</Box>
	);
};

const Narrow = ({context, height}: FormViewProps) => {
	const {columns} = context.view.size;
	const findings = findingRows(context, columns);
	const shown = Math.min(findings.length, Math.max(3, Math.floor(height * 0.3)));
	const hidden = findings.length - shown;
	return (
		<Box flexDirection="column" height={height} overflow="hidden">
			<Form context={context} columns={columns} height={height - shown - 1} />
			<Rule
				columns={columns}
				left={findingsTitle(context)}
				right={hidden > 0 ? [{text: `${hidden} rows more`, tone: 'dim'}] : []}
			/>
			<Rows rows={findings} height={shown} />
		</Box>
	);
};

type FormProps = {
	readonly context: Context;
	readonly columns: number;
	readonly height: number;
};

const Form = ({context, columns, height}: FormProps) => {
	const {rows, first, last, writing} = formRows(context, columns);
	const center = context.view.dialog.kind === 'writing' ? writing : first;
	const most = Math.max(0, rows.length - height);
	const wanted = Math.max(center, Math.min(last, center + 2)) - height + 2;
	const offset = Math.min(most, Math.max(0, Math.min(wanted, center)));
	return (
		<Box width={columns} height={height} overflow="hidden" flexShrink={0}>
			<Rows rows={rows} height={height} offset={offset} width={columns} />
		</Box>
	);
};

export type AskingProps = {readonly context: Context; readonly height: number};

const planningRows = ({desk, view}: Context, height: number): readonly Row[] => {
	const progress = view.dialog.kind === 'proposing' ? view.dialog.progress : undefined;
	const elapsed = formatDuration(progress?.elapsedMs ?? 0);
	const lines = (progress?.lines ?? []).slice(1 - height);
	return [
		row(
			cut(
				` ${desk.planner} looks at the repository and plans, for ${elapsed} so far`,
				view.size.columns,
			),
			'strong',
		),
		...lines.map(line => row(cut(`   ${line}`, view.size.columns), 'dim')),
	];
};

/** Where the person says whether they mean it, or names a file. */
const Asking = ({context, height}: AskingProps) => {
	const {dialog, size} = context.view;
	switch (dialog.kind) {
		case 'confirming':
			return (
				<Rows
					rows={[blank, row(` ${dialog.question}`, 'warn'), row(' y yes   n no', 'key')]}
					height={height}
				/>
			);
		case 'path':
			return (
				<Writing
					label={dialog.wants === 'save' ? 'Save the plan as' : 'Open the plan file'}
					draft={dialog.draft}
					columns={size.columns}
					height={height}
				/>
			);
		case 'proposing':
			return <Rows rows={planningRows(context, height)} height={height} />;
		case 'none':
		case 'writing':
		case 'waiting':
			return null;
	}
};

export type SideProps = {
	readonly context: Context;
	readonly columns: number;
	readonly height: number;
};

/** Beside the form: what is found in it, and the files that the agent at hand may write. */
const Side = ({context, columns, height}: SideProps) => {
	const {view, judgement} = context;
	const {agent} = fieldAt(view);
	const findings = findingRows(context, columns);
	const shown = Math.min(findings.length, Math.floor(height * (agent === undefined ? 1 : 0.6)) - 1);
	const files = agent === undefined ? [] : (judgement.reach[agent] ?? []);
	return (
		<Box flexDirection="column" width={columns} height={height} overflow="hidden" flexShrink={0}>
			<Rule columns={columns} left={findingsTitle(context)} />
			<Rows rows={findings} height={shown} />
			{agent !== undefined && (
				<>
					<Rule
						columns={columns}
						left={[span(`${view.composition.subtasks[agent]?.id} may write`, 'strong')]}
						right={[span(counted(files.length, 'file'), 'dim')]}
					/>
					<Rows
						rows={files.slice(0, height).map(file => row(cut(` ${file}`, columns)))}
						height={height - shown - 2}
					/>
				</>
			)}
		</Box>
	);
};
