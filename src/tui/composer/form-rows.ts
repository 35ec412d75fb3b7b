import {programText} from '../../client/texts/plan-text.ts';
import type {Environments, Program} from '../../events/plan.ts';
import {counted} from '../../lib/text/words.ts';
import {programNamed} from '../../rules/plan/profile.ts';
import {keyOf} from '../action.ts';
import {ruleRow} from '../components/rows.tsx';
import {draftLines, draftOf} from '../model/draft.ts';
import {blank, type Row, row, type Span, span, writtenRow} from '../rows/row.ts';
import {cut, wrapped} from '../rows/text.ts';
import {fieldsOf, isDivided, textOf} from './model/composition.ts';
import type {Field} from './model/field.ts';
import {fieldAt} from './model/moves.ts';
import type {Context} from './model/view.ts';
import {labels, placeholder} from './plan/field-words.ts';
import type {Finding} from './plan/judgement.ts';

/** The form, and which of its rows are the field that the person is at. */
export type FormRows = {
	readonly rows: readonly Row[];
	readonly first: number;
	readonly last: number;
	/** Where in it the next character goes. */
	readonly writing: number;
};

const labelColumns = 12;

/** Lays the form out in so many columns. */
export const formRows = (context: Context, columns: number): FormRows => {
	const {desk, view} = context;
	const rows: Row[] =
		desk.lastEnd === undefined ? [] : [row(cut(` ${desk.lastEnd}`, columns), 'dim')];
	let focused = {first: 0, last: 0, writing: 0};
	for (const [index, field] of fieldsOf(view.composition).entries()) {
		if (field.part === 'subtask') {
			rows.push(
				...(rows.length === 0 || field.agent === 0 ? [] : [blank]),
				headingRow(context, field.agent, columns),
			);
		}

		const first = rows.length;
		const {lines, at} = fieldLines(context, field, index, columns - labelColumns - 3);
		rows.push(...lines.map((line, number) => fieldRow(context, {field, index, number, line})));
		if (index === view.cursor) {
			focused = {first, last: rows.length - 1, writing: first + at};
		}
	}

	return {
		rows: [...rows, ...plannerRows(context, columns), ...hiddenRows(context, columns)],
		...focused,
	};
};

/** Says that nobody has to divide the task by hand, as long as nobody has begun to. */
const plannerRows = (context: Context, columns: number): readonly Row[] => {
	const {desk, view} = context;
	const key = keyOf(context, 'propose-plan');
	const keys = view.dialog.kind === 'writing' ? `Esc, then ${key}` : key;
	return desk.purpose === 'add' || isDivided(view.composition)
		? []
		: [
				blank,
				row(`  ${keys} has ${desk.planner} look around and propose all of this`, 'dim'),
				...startedRows(programNamed(desk.planner, desk.profiles), columns - 2).map(line => [
					span('  '),
					...line,
				]),
			];
};

/** Says which fields there are besides, and by which key they are shown. */
const hiddenRows = (context: Context, columns: number): readonly Row[] => {
	const {view} = context;
	const {composition} = view;
	const shown = new Set(fieldsOf(composition).map(({part}) => part));
	const hidden = fieldsOf({...composition, all: true}).map(({part}) => part);
	const names = [...new Set(hidden.filter(part => !shown.has(part)).map(part => labels[part]))];
	return names.length === 0 || view.dialog.kind !== 'none'
		? []
		: [
				blank,
				...wrapped(
					`${keyOf(context, 'all-fields')} shows more: ${names.join(', ')}`,
					columns - 2,
				).map(line => row(`  ${line}`, 'dim')),
			];
};

const fieldLines = (
	context: Context,
	field: Field,
	index: number,
	columns: number,
): {readonly lines: readonly Row[]; readonly at: number} => {
	const {desk, view} = context;
	const programs = programRows(context, field, columns);
	const text = textOf(view.composition, field);
	const {dialog} = view;
	if (index === view.cursor && dialog.kind === 'writing') {
		const {lines, row: at, index: cursor} = draftLines(dialog.draft, columns);
		const written = lines.map((line, row) => writtenRow(line, row === at ? cursor : undefined));
		return {lines: [...written, ...programs], at};
	}

	return text.trim() === ''
		? {lines: [row(placeholder(field, desk), 'dim')], at: 0}
		: {
				lines: [...draftLines(draftOf(text), columns).lines.map(line => row(line)), ...programs],
				at: 0,
			};
};

/** A name may stand for any program, so what it stands for is said below it. */
const programRows = (
	{judgement}: Context,
	{part, agent}: Field,
	columns: number,
): readonly Row[] =>
	agent === undefined || (part !== 'agent' && part !== 'best_of')
		? []
		: (judgement.programs[agent] ?? []).flatMap(program =>
				startedRows(program, columns, judgement.sets[program.id] ?? {}),
			);

/** Says what is started where a name doesn't. */
const startedRows = (
	program: Program | undefined,
	columns: number,
	values?: Environments[string],
): readonly Row[] =>
	program === undefined || program.origin?.by === 'built in'
		? []
		: wrapped(programText(program, values), columns).map(line =>
				row(line, program.origin?.by === 'this repository' ? 'warn' : 'dim'),
			);

type FieldLine = {
	readonly field: Field;
	readonly index: number;
	readonly number: number;
	readonly line: Row;
};

const fieldRow = ({view}: Context, {field, index, number, line}: FieldLine): Row => {
	const isHere = index === view.cursor;
	const label = number === 0 ? labels[field.part] : '';
	return [
		span(isHere && number === 0 ? '▸ ' : '  ', 'key'),
		span(label.padEnd(labelColumns), isHere ? 'strong' : 'dim'),
		...line,
	];
};

const headingRow = (context: Context, agent: number, columns: number): Row => {
	const {judgement, view} = context;
	const id = view.composition.subtasks[agent]?.id ?? '';
	const reach = judgement.reach[agent];
	return ruleRow(
		columns,
		[span(id, 'strong')],
		reach === undefined ? [] : [reachSpan(context, agent, reach.length)],
	);
};

const reachSpan = ({desk, view}: Context, agent: number, files: number): Span => {
	if (view.composition.subtasks[agent]?.allowed.trim() === '') {
		return span('read-only', 'dim');
	}

	return files > desk.filesLimit
		? span(`! ${counted(files, 'file')}, more than ${desk.filesLimit}`, 'warn')
		: span(files === 0 ? 'no file yet' : counted(files, 'file'), files === 0 ? 'dim' : 'good');
};

/** What is wrong or doubtful, in rows: first what concerns the part that the person is at, errors before warnings. */
export const findingRows = (context: Context, columns: number): readonly Row[] => {
	const {view, judgement} = context;
	const here = fieldAt(view).agent;
	return judgement.findings
		.toSorted((a, b) => weight(a, here) - weight(b, here))
		.flatMap(finding => rowsOf(context, finding, columns));
};

const weight = ({level, agent}: Finding, here: number | undefined): number =>
	(agent === here ? 0 : 2) + (level === 'error' ? 0 : 1);

/** Returns how many errors and warnings there are, as what stands above them. */
export const findingsTitle = ({desk, judgement}: Context): Row => {
	const errors = judgement.findings.filter(({level}) => level === 'error').length;
	const warnings = judgement.findings.length - errors;
	if (errors + warnings === 0) {
		const what = desk.purpose === 'add' ? 'it' : 'this plan';
		return [span(`✓ nothing is wrong with ${what}`, 'good')];
	}

	return [
		...(errors === 0 ? [] : [span(`✗ ${errors} to fix before it can run`, 'bad')]),
		...(errors > 0 && warnings > 0 ? [span(' · ', 'dim')] : []),
		...(warnings === 0 ? [] : [span(`! ${counted(warnings, 'warning')}`, 'warn')]),
	];
};

/** A message that does not name its agent gets the name in front. */
const rowsOf = ({view}: Context, finding: Finding, columns: number): readonly Row[] => {
	const {level, message, hint, agent} = finding;
	const id = agent === undefined ? '' : (view.composition.subtasks[agent]?.id ?? '');
	const named = id === '' || message.includes(id) ? message : `${id}: ${message}`;
	const [sign, tone] = level === 'error' ? (['✗', 'bad'] as const) : (['!', 'warn'] as const);
	const lines = wrapped(named, columns - 4);
	const hints = hint === undefined ? [] : wrapped(hint, columns - 4);
	return [
		...lines.map((line, index): Row => [span(index === 0 ? ` ${sign} ` : '   ', tone), span(line)]),
		...hints.map((line): Row => [span('   '), span(line, 'dim')]),
	];
};
