import type {Model} from '../../../client/model.ts';
import {counted} from '../../../lib/text/counted.ts';
import type {Agent} from '../../../state/agent/agent.ts';
import {workNotes} from '../../../state/agent/work-notes.ts';
import type {ItemOf} from '../../../state/item.ts';
import {agentOf, lastSnapshot} from '../../../state/select.ts';
import {violationsText} from '../../formatting/agent-look.ts';
import {surfaceRows} from '../../formatting/surface-look.ts';
import {quoted} from '../../rows/quoted.ts';
import {bullets, fact, paragraph, type Row, row, section} from '../../rows/row.ts';
import {type Claimed, claimsTable, fileRows, foundFiles, outsideRows} from './claims.ts';
import {endOf} from './turn-end.ts';
import {filesOfWork} from './work.ts';

/** What a finished agent delivered: its report beside what git found, and what it left outside. */
export const reviewFacts = (
	model: Model,
	{agent: id, trouble}: ItemOf<'review'>,
	columns: number,
): readonly Row[] => {
	const agent = agentOf(model.state, id);
	if (agent === undefined) {
		return [];
	}

	const {report} = agent;
	const snapshot = lastSnapshot(agent);
	const delivered = (report?.deliverables ?? []).map(file => ({file}));
	return [
		...section('Open again', trouble === undefined ? [] : paragraph(trouble, columns, 'warn')),
		...surfaceRows(snapshot?.surface, columns),
		...fact('Subtask', agent.subtask.subtask, columns, 'strong'),
		...fact('Goal', agent.subtask.goal, columns),
		row(''),
		...claimsTable(
			[
				{
					about: 'Ended',
					says: report?.status ?? agent.why,
					found: endOf(agent) ?? '–',
					tone: 'plain',
				},
				{
					about: 'Files',
					says: counted(delivered.length, 'deliverable'),
					found: foundFiles(model, agent),
					tone: snapshot?.claims.every(({holds}) => holds) === false ? 'warn' : 'good',
				},
				...strayed(violationsText(agent)),
				{
					about: 'Metrics',
					says: words(report?.metrics_achieved),
					found: measure(agent),
					tone: 'dim',
				},
			],
			columns,
		),
		...section(
			'Files',
			fileRows(delivered, filesOfWork(model, id), columns, {
				missing: missing(agent),
				earlier: agent.told.files,
			}),
		),
		...section('Worth a look', bullets(workNotes(agent), columns, 'warn')),
		...outsideRows(agent, snapshot, columns),
		...section('It recommends', bullets(report?.recommendations ?? [], columns)),
		...section('Summary', agent.told.summary ? quoted(agent.told.summary.value, columns) : []),
	];
};

/** What went beyond the scope is told below the fold in full, and here at first sight. */
const strayed = (violations: string): readonly Claimed[] =>
	violations === '' ? [] : [{about: 'Scope', says: '–', found: violations, tone: 'warn'}];

const words = (value: unknown): string => {
	if (value === undefined || value === null) {
		return '–';
	}

	return typeof value === 'string' ? value : JSON.stringify(value);
};

const measure = ({subtask}: Agent): string =>
	subtask.metrics.length === 0 ? '–' : `wanted: ${subtask.metrics.join(' · ')}`;

/** What it says it delivered and is not there, even unchanged. */
const missing = (agent: Agent): readonly string[] =>
	(lastSnapshot(agent)?.claims ?? []).filter(({holds}) => !holds).map(({claim}) => claim);
