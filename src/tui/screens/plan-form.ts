import {programText} from '../../client/texts/plan-text.ts';
import type {Environments, Program} from '../../events/plan.ts';
import {formatDuration} from '../../lib/text/duration.ts';
import {counted} from '../../lib/text/words.ts';
import {programNamed} from '../../rules/plan/profile.ts';
import {actionKey} from '../action.ts';
import {draftLines, draftOf} from '../model/draft.ts';
import {fieldAt, isUndivided, isUnsaved, type PlanView, startedBy} from '../model/plan.ts';
import type {Context, Dialog, PlanPlace} from '../model/view.ts';
import {fieldsOf, isDivided, writtenIn} from '../plan/composition.ts';
import {firstAgent, nobodyReady, whyNoPlanner} from '../plan/desk.ts';
import {blankText, type Field, knownFields} from '../plan/fields.ts';
import {type JudgedFinding, type Judgement, judgementOf} from '../plan/judgement.ts';
import {
	blank,
	fitted,
	type Row,
	row,
	ruleRow,
	type Span,
	sideBySide,
	span,
	writtenRow,
} from '../rows/row.ts';
import {cut, wrapped} from '../rows/text.ts';

type Form = Pick<Context, 'table'> & {readonly view: PlanView; readonly judgement: Judgement};

/** Minimum columns for the form and its findings side by side. */
const wideColumns = 140;

/** Returns the form of a plan and its findings, as far as there is room; the current field is always visible. */
export const planForm = ({table}: Context, view: PlanView, height: number): readonly Row[] => {
	const {columns} = view.size;
	const {desk, judged} = view.place;
	const form: Form = {table, view, judgement: judgementOf(judged, desk)};
	if (columns >= wideColumns) {
		const side = Math.floor(columns * 0.42);
		const left = columns - side - 2;
		return sideBySide(
			[
				{rows: fieldsView(form, left, height), columns: left},
				{rows: sideView(form, side, height), columns: side},
			],
			[span('  ')],
		);
	}

	const findings = findingRows(form, columns);
	const shown = Math.min(findings.length, Math.max(3, Math.floor(height * 0.3)));
	const hidden = findings.length - shown;
	return [
		...fieldsView(form, columns, height - shown - 1),
		ruleRow(columns, findingsTitle(form), hidden > 0 ? [span(`${hidden} rows more`, 'dim')] : []),
		...fitted(findings, shown),
	];
};

const fieldsView = (form: Form, columns: number, height: number): readonly Row[] => {
	const {rows, first, last, writing} = formRows(form, columns);
	const center = form.view.dialog.kind === 'field' ? writing : first;
	const most = Math.max(0, rows.length - height);
	const wanted = Math.max(center, Math.min(last, center + 2)) - height + 2;
	return fitted(rows, height, Math.min(most, Math.max(0, Math.min(wanted, center))));
};

/** Returns the part beside the form: its findings, and the files that the current agent may write. */
const sideView = (form: Form, columns: number, height: number): readonly Row[] => {
	const {view, judgement} = form;
	const {agent} = fieldAt(view.place);
	const findings = findingRows(form, columns);
	const shown = Math.min(findings.length, Math.floor(height * (agent === undefined ? 1 : 0.6)) - 1);
	const files = agent === undefined ? [] : (judgement.reach[agent] ?? []);
	return fitted(
		[
			ruleRow(columns, findingsTitle(form)),
			...fitted(findings, shown),
			...(agent === undefined
				? []
				: [
						ruleRow(
							columns,
							[span(`${view.place.composition.subtasks[agent]?.id} may write`, 'strong')],
							[span(counted(files.length, 'file'), 'dim')],
						),
						...files.slice(0, height).map(file => row(cut(` ${file}`, columns))),
					]),
		],
		height,
	);
};

const titles = {
	start: ' Plan a session',
	edit: ' Change the plan',
	add: ' Add an agent',
} as const;

/** Returns the left and the right part of the title: the purpose of the plan, its file, and its target. */
export const planTitle = ({place}: PlanView): readonly [Row, Row] => {
	const {desk, file, composition} = place;
	const target = composition.target.trim() || desk.branch;
	const title = desk.instead === undefined ? titles[desk.purpose] : ` In place of ${desk.instead}`;
	return [
		[span(' delegate-tui ', 'selected'), span(title, 'strong')],
		[
			...(file === undefined ? [] : [span(`${cut(file.path, 30)} `, 'info')]),
			isUnsaved(place)
				? span('not saved', 'warn')
				: span(file === undefined ? 'new' : 'saved', 'dim'),
			span(target === undefined ? ' ' : `  → ${cut(target, 24)} `, 'info'),
		],
	];
};

/** Returns the progress of a planner. */
export const planningRows = (
	{desk}: PlanPlace,
	{progress}: Extract<Dialog, {kind: 'proposing'}>,
	columns: number,
): readonly Row[] => {
	const title = ` ${desk.planner} looks at the repository and plans, for ${formatDuration(progress?.elapsedMs ?? 0)} so far`;
	return [
		row(cut(title, columns), 'strong'),
		...(progress?.lines ?? []).slice(-5).map(line => row(cut(`   ${line}`, columns), 'dim')),
	];
};

const labelColumns = 12;

/** Returns the keys that start a task that is not divided yet. */
const waysRows = ({table, view}: Form, columns: number): readonly Row[] => {
	const {place} = view;
	if (startedBy(place, 'one-agent').length === 0) {
		return isUndivided(place)
			? wrapped(nobodyReady, columns - 1).map(line => row(` ${line}`, 'warn'))
			: [];
	}

	const several = startedBy(place, 'same-to-several');
	const ways = [
		`${actionKey({table}, 'one-agent')}: ${firstAgent(place.desk)} does it all`,
		...(several.length === 0
			? []
			: [
					`${actionKey({table}, 'same-to-several')}: ${several.join(', ')} each do it, you take the best`,
				]),
	].join(' · ');
	const said = `${view.dialog.kind === 'field' ? 'Esc, then ' : ''}${ways}`;
	return wrapped(said, columns - 1).map(line => row(` ${line}`, 'info'));
};

/** Returns the rows of the form, the first and last of the current field, and that of the cursor. */
const formRows = (form: Form, columns: number) => {
	const {view} = form;
	const {desk, composition, cursor} = view.place;
	const before = desk.lastEnd?.split('\n') ?? [];
	const rows: Row[] = before.flatMap(line =>
		wrapped(line, columns - 1).map(part => row(` ${part}`, 'dim')),
	);
	rows.push(...waysRows(form, columns));
	let focused = {first: 0, last: 0, writing: 0};
	for (const [index, field] of fieldsOf(composition).entries()) {
		if (field.part === 'subtask') {
			rows.push(
				...(rows.length === 0 || field.agent === 0 ? [] : [blank]),
				headingRow(form, field.agent, columns),
			);
		}

		const first = rows.length;
		const {lines, at} = fieldLines(form, field, index, columns - labelColumns - 3);
		rows.push(...lines.map((line, number) => fieldRow(field, index === cursor, number, line)));
		if (index === cursor) {
			focused = {first, last: rows.length - 1, writing: first + at};
		}
	}

	return {
		rows: [...rows, ...plannerRows(form, columns), ...hiddenRows(form, columns)],
		...focused,
	};
};

/** Returns a hint at the planner, as long as no subtask is written. */
const plannerRows = ({table, view}: Form, columns: number): readonly Row[] => {
	const {desk, composition} = view.place;
	const key = actionKey({table}, 'propose-plan');
	const keys = view.dialog.kind === 'field' ? `Esc, then ${key}` : key;
	return desk.purpose === 'add' || whyNoPlanner(desk) !== undefined || isDivided(composition)
		? []
		: [
				blank,
				row(`  ${keys} has ${desk.planner} read the repository and propose all of this`, 'dim'),
				...startedRows(programNamed(desk.planner, desk.profiles), columns - 2).map(line => [
					span('  '),
					...line,
				]),
			];
};

const hiddenRows = ({table, view}: Form, columns: number): readonly Row[] => {
	const {composition} = view.place;
	const shown = new Set(fieldsOf(composition).map(({part}) => part));
	const hidden = fieldsOf({...composition, all: true}).map(({part}) => part);
	const names = [
		...new Set(hidden.filter(part => !shown.has(part)).map(part => knownFields[part].label)),
	];
	return names.length === 0 || view.dialog.kind !== 'none'
		? []
		: [
				blank,
				...wrapped(
					`${actionKey({table}, 'all-fields')} shows more: ${names.join(', ')}`,
					columns - 2,
				).map(line => row(`  ${line}`, 'dim')),
			];
};

const fieldLines = (
	form: Form,
	field: Field,
	index: number,
	columns: number,
): {readonly lines: readonly Row[]; readonly at: number} => {
	const {dialog, place} = form.view;
	const programs = programRows(form, field, columns);
	const text = writtenIn(place.composition, field);
	if (index === place.cursor && dialog.kind === 'field') {
		const {lines, row: at, index: cursor} = draftLines(dialog.draft, columns);
		const written = lines.map((line, row) => writtenRow(line, row === at ? cursor : undefined));
		return {lines: [...written, ...programs], at};
	}

	return text.trim() === ''
		? {lines: [row(blankText(field, place.desk), 'dim')], at: 0}
		: {
				lines: [...draftLines(draftOf(text), columns).lines.map(line => row(line)), ...programs],
				at: 0,
			};
};

/** Returns the programs of a field, since a profile's name may stand for any program. */
const programRows = ({judgement}: Form, {part, agent}: Field, columns: number): readonly Row[] =>
	agent === undefined || (part !== 'agent' && part !== 'best_of')
		? []
		: (judgement.programs[agent] ?? []).flatMap(program =>
				startedRows(program, columns, judgement.sets[program.id] ?? {}),
			);

/** Returns a program as rows, unless it is built in. */
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

const fieldRow = ({part}: Field, isHere: boolean, number: number, line: Row): Row => {
	const label = number === 0 ? knownFields[part].label : '';
	return [
		span(isHere && number === 0 ? '▸ ' : '  ', 'key'),
		span(label.padEnd(labelColumns), isHere ? 'strong' : 'dim'),
		...line,
	];
};

const headingRow = (form: Form, agent: number, columns: number): Row => {
	const {judgement, view} = form;
	const id = view.place.composition.subtasks[agent]?.id ?? '';
	const reach = judgement.reach[agent];
	return ruleRow(
		columns,
		[span(id, 'strong')],
		reach === undefined ? [] : [reachSpan(view.place, agent, reach.length)],
	);
};

const reachSpan = ({desk, composition}: PlanPlace, agent: number, files: number): Span => {
	if (composition.subtasks[agent]?.allowed.trim() === '') {
		return span('read-only', 'dim');
	}

	return files > desk.filesLimit
		? span(`! ${counted(files, 'file')}, more than ${desk.filesLimit}`, 'warn')
		: span(files === 0 ? 'no file yet' : counted(files, 'file'), files === 0 ? 'dim' : 'good');
};

/** Returns the findings: those of the current part first, errors before warnings. */
const findingRows = ({view, judgement}: Form, columns: number): readonly Row[] => {
	const here = fieldAt(view.place).agent;
	return judgement.findings
		.toSorted((a, b) => weight(a, here) - weight(b, here))
		.flatMap(finding => rowsOf(view.place, finding, columns));
};

const weight = ({level, agent}: JudgedFinding, here: number | undefined): number =>
	(agent === here ? 0 : 2) + (level === 'warning' ? 1 : 0);

const findingsTitle = ({view, judgement}: Form): Row => {
	const count = (level: JudgedFinding['level']) =>
		judgement.findings.filter(finding => finding.level === level).length;
	const [errors, open, warnings] = [count('error'), count('open'), count('warning')];
	if (errors + open + warnings === 0) {
		const what = view.place.desk.purpose === 'add' ? 'it' : 'this plan';
		return [span(`✓ nothing is wrong with ${what}`, 'good')];
	}

	return [
		...(errors === 0 ? [] : [span(`✗ ${errors} to fix before it can run`, 'bad')]),
		...(open === 0 ? [] : [span(`… ${open} to write before it can run`, 'info')]),
		...(warnings === 0 ? [] : [span(`! ${counted(warnings, 'warning')}`, 'warn')]),
	].flatMap((part, at) => (at === 0 ? [part] : [span(' · ', 'dim'), part]));
};

const signs = {error: ['✗', 'bad'], open: ['…', 'info'], warning: ['!', 'warn']} as const;

/** Returns a finding as rows, with its agent's name in front if the message lacks it. */
const rowsOf = (
	{composition}: PlanPlace,
	finding: JudgedFinding,
	columns: number,
): readonly Row[] => {
	const {level, message, hint, agent} = finding;
	const id = agent === undefined ? '' : (composition.subtasks[agent]?.id ?? '');
	const named = id === '' || message.includes(id) ? message : `${id}: ${message}`;
	const [sign, tone] = signs[level];
	const lines = wrapped(named, columns - 4);
	const hints = hint === undefined ? [] : wrapped(hint, columns - 4);
	return [
		...lines.map((line, index): Row => [span(index === 0 ? ` ${sign} ` : '   ', tone), span(line)]),
		...hints.map((line): Row => [span('   '), span(line, 'dim')]),
	];
};
