import type {Model} from '../../../../client/model.ts';
import {testsSaid} from '../../../../client/texts/fact-lines.ts';
import {counted} from '../../../../lib/text/counted.ts';
import {valueText} from '../../../../lib/text/value-text.ts';
import {dueCheck} from '../../../../rules/effects/checking.ts';
import type {Agent} from '../../../../state/agent/agent.ts';
import {checkText} from '../../../../state/agent/claims/check-text.ts';
import {checkOfWork} from '../../../../state/agent/claims/snapshot-check.ts';
import {measuredBy} from '../../../../state/agent/results.ts';
import {lastSnapshot} from '../../../../state/select.ts';
import type {State} from '../../../../state/state.ts';
import {violationsText} from '../../../formatting/agent-look.ts';
import {type Row, section} from '../../../rows/row.ts';
import {type Claimed, fileRows, foundFiles} from './claims.ts';
import {filesOfWork} from './work.ts';

/** What an agent says of its work as a whole, beside what was found of it. */
export const workClaims = (model: Model, agent: Agent): readonly Claimed[] => {
	const {report, subtask} = agent;
	const measured = measuredBy(agent);
	const count = filesSaid(agent).length;
	return [
		{
			about: 'Files',
			says: counted(count, report === undefined ? 'file' : 'deliverable'),
			found: foundFiles(model, agent),
			tone: (lastSnapshot(agent)?.claims ?? []).every(({holds}) => holds) ? 'good' : 'warn',
		},
		...violationClaim(violationsText(agent)),
		...(hasTests(model.state, agent) ? [testsClaim(model.state, agent)] : []),
		{
			about: 'Metrics',
			says: measured === null ? '–' : valueText(measured),
			found: subtask.metrics.length === 0 ? '–' : `wanted: ${subtask.metrics.join(' · ')}`,
			tone: 'dim',
		},
	];
};

/** What went beyond the scope is told below the fold in full, and here at first sight. */
const violationClaim = (violations: string): readonly Claimed[] =>
	violations === '' ? [] : [{about: 'Scope', says: '–', found: violations, tone: 'warn'}];

const hasTests = ({session}: State, {updates}: Agent): boolean =>
	updates.checkpoint?.tests !== undefined || (session?.plan.verify ?? []).length > 0;

/** What an agent says of its tests, beside what the plan's checks said of exactly its work. */
export const testsClaim = (state: State, agent: Agent): Claimed => {
	const check = checkOfWork(agent);
	const isRunning = dueCheck(state, agent) !== undefined;
	return {
		about: 'Tests',
		says: testsSaid(agent.updates.checkpoint?.tests) ?? '–',
		found: isRunning ? 'being run' : checkText(check),
		tone: isRunning || check === undefined ? 'dim' : check.ok ? 'good' : 'bad',
	};
};

/** The files that an agent names beside those that it changed. */
export const workFiles = (model: Model, agent: Agent, columns: number): readonly Row[] =>
	section(
		'Files',
		fileRows(filesSaid(agent), filesOfWork(model, agent.id), columns, {
			claims: lastSnapshot(agent)?.claims ?? [],
			earlier: agent.updates.files,
		}),
	);

type FileSaid = {readonly file: string; readonly description?: string | undefined};

const filesSaid = ({report, updates}: Agent): readonly FileSaid[] =>
	report === undefined
		? (updates.checkpoint?.changes ?? [])
		: report.deliverables.map(file => ({file}));
