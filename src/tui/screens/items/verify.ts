import type {Model} from '../../../client/model.ts';
import {checkTail, partChecks} from '../../../client/tails.ts';
import type {ChangedBy} from '../../../events/kinds/merge-event.ts';
import {withoutColors} from '../../../lib/text/sanitize.ts';
import {shortOid} from '../../../lib/text/words.ts';
import {defined} from '../../../lib/values.ts';
import type {ItemOf} from '../../../state/item.ts';
import {attributionText, attributionWaits} from '../../../state/items/verify/attribution-detail.ts';
import type {Verdict} from '../../../state/merge/attribution.ts';
import {partName} from '../../../state/merge/attribution-text.ts';
import {portsText} from '../../../state/merge/checked-result.ts';
import type {PartRun, Verified} from '../../../state/merge/merge.ts';
import {attributed} from '../../../state/merge/parts.ts';
import {type TestConflict, testConflicts} from '../../../state/merge/test-conflict.ts';
import {fact, paragraph, type Row, row, section, span, type Tone} from '../../rows/row.ts';
import {wrapRow} from '../../rows/wrap-row.ts';

/** Returns the command that failed on the merged result, and the end of its output. */
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

/** Returns the heading; without a commit there was no result to check. */
const headingOf = ({commit, gitSettings}: ItemOf<'verify'>): string => {
	if (commit !== '') {
		return 'The check of the merged result failed';
	}

	return gitSettings === undefined ? 'There is no merged result' : 'There is no result yet';
};

/** Returns a command with its result. */
export const commandRow = ({command, code, ports}: Verified['commands'][number]): Row =>
	code === 0
		? [
				span(ports === undefined ? '✓ ' : '! ', ports === undefined ? 'good' : 'warn'),
				span(command),
				span(portsText({commands: [{command, code, ...defined({ports})}]}), 'warn'),
			]
		: [
				span('✗ ', 'bad'),
				span(command),
				span(`  ${code === null ? 'was ended' : `exit code ${code}`}`, 'bad'),
			];

/** Returns the agents whose work fails the check, the place of the failure, the checked parts, and those still being checked. */
const attributionRows = (model: Model, columns: number): readonly Row[] => {
	const {state} = model;
	const {merge} = state;
	const verdict = attributed(state)?.verdict;
	if (merge.phase !== 'verified' || verdict === undefined) {
		return [];
	}

	const {places = [], parts} = merge.verified;
	const target = state.session?.target ?? '';
	return [
		...section('Whose work it is', [
			...testConflicts(verdict, parts?.runs ?? [], places).flatMap(conflict => [
				conflictRow(conflict),
				...conflict.changed.flatMap(line => changedRows(line, columns)),
			]),
			...paragraph(attributionText(state) ?? '', columns, tones[verdict.kind]).filter(hasWords),
			...(parts?.runs ?? []).flatMap(run =>
				wrapRow(runRow(run, partName(run.agents, merge.built.agents, target)), columns),
			),
			...waitingRows(model, columns),
		]),
		...section(
			'Where it fails',
			places.flatMap(({path, line, text}) => [
				...wrapRow([span(`${path}:${line}`, 'strong')], columns),
				...paragraph(withoutColors(text), columns, 'dim'),
			]),
		),
	];
};

const tones: Readonly<Record<Verdict['kind'], Tone>> = {
	open: 'plain',
	flaky: 'warn',
	target: 'warn',
	unclear: 'warn',
	agents: 'bad',
};

/** Returns a test conflict with the same signs and words as one found by comparison. */
const conflictRow = ({type, rule, agents}: TestConflict): Row => [
	span('✗ blocks', 'bad'),
	span(`  ${type} ${rule}`, 'strong'),
	span(`  ${agents.join(' + ')}`),
];

const changedRows = (
	{agent, path, line, text, removed}: ChangedBy,
	columns: number,
): readonly Row[] =>
	wrapRow(
		[
			span(`  ${agent} ${removed ? 'took out' : 'changed'} `, 'dim'),
			span(line === undefined ? path : `${path}:${line}`, 'strong'),
			span(text === undefined ? '' : `  ${text.trim()}`),
		],
		columns,
	);

const hasWords = (shown: Row): boolean => shown.some(({text}) => text !== '');

const runRow = ({outcome, why}: PartRun, name: string): Row => {
	switch (outcome) {
		case 'green':
			return [span('✓ ', 'good'), span(name), span('  green', 'good')];
		case 'red':
			return [span('✗ ', 'bad'), span(name), span('  red', 'bad')];
		case 'unclear':
			return [span('? ', 'warn'), span(name), span(`  could not be checked: ${why ?? ''}`, 'warn')];
	}
};

/** Maximum lines of a running check. */
const shownLines = 5;

const waitingRows = (model: Model, columns: number): readonly Row[] => {
	const waits = attributionWaits(model.state);
	if (waits === undefined) {
		return [];
	}

	const lines = partChecks(model.state).flatMap(name =>
		(model.tails[name] ?? [])
			.slice(-shownLines)
			.map(line => row(`  ${withoutColors(line)}`, 'dim')),
	);
	return [
		...wrapRow([span('● ', 'info'), span(waits, 'info')], columns),
		...lines.flatMap(line => wrapRow(line, columns)),
		row('You can decide meanwhile; that ends the check.', 'dim'),
	];
};
