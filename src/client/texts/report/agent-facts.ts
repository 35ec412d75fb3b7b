import {counted} from '../../../lib/text/counted.ts';
import {enumerated} from '../../../lib/text/enumerated.ts';
import {valueLines} from '../../../lib/text/value-text.ts';
import type {AgentReport} from '../../../rules/report/agent-report.ts';
import {signalText} from '../signal-text.ts';
import {code, type Fact, fact, listed} from './parts.ts';

/** Returns what there is to know of an agent besides its row among the others: what it was to do, what it brings, and what of that does not hold. */
export const agentFacts = (agent: AgentReport): readonly Fact[] =>
	[...taskFacts(agent), ...workFacts(agent), ...violationFacts(agent)].filter(
		({values}) => values.length > 0,
	);

const taskFacts = ({state, why, scope, goal, requestedBy, rivals}: AgentReport) => [
	fact(state, why),
	fact('Goal', ...present(goal)),
	fact('Could write', scope.length === 0 ? 'nothing: it only read' : listed(scope)),
	fact('Asked for by', ...present(requestedBy)),
	fact(
		'Did the same as',
		...present(rivals).map(ids => `${enumerated(ids)}, so that the best was taken`),
	),
];

const workFacts = (agent: AgentReport) => [
	fact('Summary', ...present(agent.summary)),
	fact('Delivered', ...agent.deliverables.filter(({holds}) => holds).map(({path}) => code(path))),
	fact('Does not hold', ...agent.wrong),
	fact('Measured by', ...agent.metrics),
	fact('Measured, it says', ...valueLines(agent.metricsAchieved)),
	fact('Found out', ...agent.findings),
	fact('Recommends', ...agent.recommendations),
	fact('It reported', ...[...agent.phases, ...agent.reportedErrors].map(signalText)),
	fact('Worth a look', ...agent.notes),
];

const violationFacts = ({violations, reverted, blocked, ...agent}: AgentReport) => {
	const told = violations.slice(0, mostListed);
	const pathsOf = (refused: boolean) =>
		told.filter(violation => violation.refused === refused).map(({path}) => code(path));
	return [
		fact('Reverted, out of its scope', ...pathsOf(false)),
		fact('Blocked, out of its scope', ...pathsOf(true)),
		fact(
			'Counted',
			[
				counted(agent.checkpoints, 'checkpoint'),
				counted(agent.questions, 'question'),
				counted(agent.errors, 'error'),
				...(reverted === 0 ? [] : [`${reverted} reverted`]),
				...(blocked === 0 ? [] : [`${blocked} blocked`]),
			].join(', '),
		),
	];
};

/** The counts say how many there are in all. */
const mostListed = 20;

const present = <One>(value: One | undefined): readonly One[] =>
	value === undefined ? [] : [value];
