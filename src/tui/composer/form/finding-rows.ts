import {counted} from '../../../lib/text/counted.ts';
import {type Row, span} from '../../rows/row.ts';
import {wrapped} from '../../rows/text.ts';
import {fieldAt} from '../model/moves.ts';
import type {Context} from '../model/view.ts';
import type {Finding} from '../plan/judgement.ts';

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
