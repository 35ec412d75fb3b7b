import type {Model} from '../../../client/model.ts';
import {counted} from '../../../lib/text/counted.ts';
import {valueText} from '../../../lib/text/value-text.ts';
import type {Signal} from '../../../signals/index.ts';
import type {Agent} from '../../../state/agent/agent.ts';
import {measuredBy} from '../../../state/agent/results.ts';
import {lastSnapshot} from '../../../state/select.ts';
import {violationsText} from '../../formatting/agent-look.ts';
import {type Row, section} from '../../rows/row.ts';
import {type Claimed, fileRows, foundFiles} from './claims.ts';
import {filesOfWork} from './work.ts';

/** What an agent says of its work as a whole, beside what was found of it. */
export const workClaims = (model: Model, agent: Agent): readonly Claimed[] => {
	const {report, told, subtask} = agent;
	const measured = measuredBy(agent);
	const claims = lastSnapshot(agent)?.claims ?? [];
	const count = filesSaid(agent).length;
	return [
		{
			about: 'Files',
			says: counted(count, report === undefined ? 'file' : 'deliverable'),
			found: foundFiles(model, agent),
			tone: claims.every(({holds}) => holds) ? 'good' : 'warn',
		},
		...strayedClaim(violationsText(agent)),
		...(told.checkpoint?.tests === undefined ? [] : [testsClaim(told.checkpoint)]),
		{
			about: 'Metrics',
			says: measured === null ? '–' : valueText(measured),
			found: subtask.metrics.length === 0 ? '–' : `wanted: ${subtask.metrics.join(' · ')}`,
			tone: 'dim',
		},
	];
};

/** What went beyond the scope is told below the fold in full, and here at first sight. */
const strayedClaim = (violations: string): readonly Claimed[] =>
	violations === '' ? [] : [{about: 'Scope', says: '–', found: violations, tone: 'warn'}];

/** Returns what a checkpoint says of tests. */
export const testsClaim = ({tests}: Extract<Signal, {kind: 'checkpoint'}>): Claimed => ({
	about: 'Tests',
	says: testsSaid(tests),
	found: 'not run by us yet',
	tone: 'dim',
});

const testsSaid = (tests: Extract<Signal, {kind: 'checkpoint'}>['tests']): string => {
	if (tests === undefined) {
		return '–';
	}

	const failed = tests.failed.length === 0 ? '' : `, failed: ${tests.failed.join(', ')}`;
	return `${tests.executed ? 'run' : 'not run'}${tests.result === undefined ? '' : `, ${tests.result}`}${failed}`;
};

/** The files that an agent names beside those that it changed. */
export const workFiles = (model: Model, agent: Agent, columns: number): readonly Row[] =>
	section(
		'Files',
		fileRows(filesSaid(agent), filesOfWork(model, agent.id), columns, {
			claims: lastSnapshot(agent)?.claims ?? [],
			earlier: agent.told.files,
		}),
	);

type FileSaid = {readonly file: string; readonly description?: string | undefined};

const filesSaid = ({report, told}: Agent): readonly FileSaid[] =>
	report === undefined
		? (told.checkpoint?.changes ?? [])
		: report.deliverables.map(file => ({file}));
