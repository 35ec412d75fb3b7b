import {checkTail} from '../../../../client/files/tails.ts';
import type {Model} from '../../../../client/model.ts';
import {withoutColors} from '../../../../lib/text/sanitize.ts';
import {shortOid} from '../../../../lib/text/short-oid.ts';
import type {ItemOf} from '../../../../state/item.ts';
import {fact, paragraph, type Row, row, section, span} from '../../../rows/row.ts';
import {wrapRow} from '../../../rows/wrap-row.ts';
import {attributionRows} from './attribution.ts';

/** Which command failed on the merged result, and the end of what it printed. */
export const verifyFacts = (
	model: Model,
	item: ItemOf<'verify'>,
	columns: number,
): readonly Row[] => {
	const {state, tails, checkLog} = model;
	const {merge} = state;
	const verified = merge.phase === 'verified' ? merge.verified : undefined;
	return [
		...section(headingOf(item), paragraph(item.why, columns, 'bad')),
		...attributionRows(model, columns),
		...section('What was checked', [
			...fact('Result', shortOid(item.commit), columns),
			...fact('Work of', merge.phase === 'verified' ? merge.built.agents.join(', ') : '', columns),
			...(verified?.commands ?? []).flatMap(command => wrapRow(commandRow(command), columns)),
			...fact('Whole log', checkLog ?? verified?.log?.path, columns),
		]),
		...section(
			'The end of its output',
			(verified?.log ? (tails[checkTail] ?? []) : [])
				.slice(-200)
				.flatMap(line => wrapRow(row(withoutColors(line)), columns)),
		),
	];
};

/** Without a commit there was nothing to check yet. */
const headingOf = ({commit, gitSettings}: ItemOf<'verify'>): string => {
	if (commit !== '') {
		return 'The check of the merged result failed';
	}

	return gitSettings === undefined ? 'There is no merged result' : 'Nothing is put together yet';
};

/** Returns a command with what came of it. */
export const commandRow = ({
	command,
	code,
}: {
	readonly command: string;
	readonly code: number | null;
}): Row =>
	code === 0
		? [span('✓ ', 'good'), span(command)]
		: [
				span('✗ ', 'bad'),
				span(command),
				span(`  ${code === null ? 'was ended' : `exit code ${code}`}`, 'bad'),
			];
