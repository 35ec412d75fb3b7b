import {counted} from '../../lib/text/counted.ts';
import {formatDuration} from '../../lib/text/duration.ts';
import {enumerated} from '../../lib/text/enumerated.ts';
import {printTable} from '../../lib/text/markdown-table.ts';
import {sanitize} from '../../lib/text/sanitize.ts';
import {shortOid} from '../../lib/text/short-oid.ts';
import {elapsedMs} from '../../lib/time.ts';
import type {AgentReport} from '../../rules/report/agent-report.ts';
import type {MergeReport, Report} from '../../rules/report/report.ts';

/** Returns the report of a session as Markdown. */
export const reportText = (report: Report): string =>
	[
		headText(report),
		section('Result', report.merges.map(mergeText), 'Nothing was merged.'),
		`## Agents\n\n${agentsTable(report.agents)}`,
		`## Results\n\n${resultsTable(report.agents)}`,
		...report.agents.map(agentText),
		table('Decisions', ['when', 'item', 'decision', 'who', 'note'], decisionRows(report)),
		table('Skipped', ['when', 'agent', 'what', 'why', 'note'], skippedRows(report)),
		table('Checks', ['when', 'result', 'outcome', 'commands'], checkRows(report)),
		table('Timeline', ['when', 'agent', 'state', 'why'], timelineRows(report)),
	]
		.filter(part => part !== '')
		.join('\n');

const headText = ({session}: Report): string => {
	const {id, task, target, status, why, success, startedAt, endedAt} = session;
	return `# ${inline(task)}

- Session ${id}, into ${inline(target)}
- ${status}${why === undefined ? '' : `: ${inline(why)}`}
- Started ${moment(startedAt)} UTC${endedAt === undefined ? ', not ended yet' : `, ended ${moment(endedAt)}, after ${formatDuration(elapsedMs(startedAt, endedAt))}`}
${success.map(criterion => `- Done when: ${inline(criterion)}\n`).join('')}`;
};

const mergeText = ({at, what, commit, tree, checked, agents = []}: MergeReport): string =>
	what === 'taken back'
		? `- ${moment(at)} took back ${shortOid(commit)}`
		: [
				`- ${moment(at)} merged ${shortOid(commit)} (${agents.join(', ')})`,
				...(tree === undefined ? [] : [`tree ${shortOid(tree)}, ${checkedText(checked)}`]),
			].join(': ');

/** Returns what is said of the tree that was merged. */
export const checkedText = (checked: boolean | undefined): string =>
	checked === undefined ? 'not checked' : checked ? 'checked' : 'whose check failed';

const agentsTable = (agents: readonly AgentReport[]): string =>
	printTable([
		['agent', 'subtask', 'state', 'files', 'turns', 'worked', 'waited for you', 'spent'],
		...agents.map(agent => [
			agent.id,
			inline(agent.subtask),
			agent.state,
			`${agent.files}`,
			`${agent.turns}`,
			formatDuration(agent.workedMs),
			formatDuration(agent.waitedMs),
			spentText(agent),
		]),
	]);

/** Returns what all agents bring, a row for each result. */
export const resultsTable = (agents: readonly Pick<AgentReport, 'id' | 'results'>[]): string =>
	printTable([
		['Agent', 'Topic', 'Status', 'Path', 'Summary'],
		...agents.flatMap(({id, results}) =>
			results.map(({topic, status, path, summary}) =>
				[id, topic, status, path, summary].map(inline),
			),
		),
	]);

/** Returns what an agent has used up in words, or nothing where it told nothing. */
export const spentText = ({tokens, cost = {}}: Pick<AgentReport, 'tokens' | 'cost'>): string =>
	[
		...(tokens === undefined ? [] : [counted(tokens, 'token')]),
		...Object.entries(cost).map(([currency, amount]) => `${amount.toFixed(2)} ${inline(currency)}`),
	].join(', ');

const agentText = (agent: AgentReport): string =>
	`### ${agent.id} ${inline(agent.subtask)}\n\n${factsOf(agent)
		.map(fact => `- ${fact}\n`)
		.join('')}`;

const factsOf = (agent: AgentReport): readonly string[] => [
	`${agent.state}: ${inline(agent.why)}`,
	agent.scope.length === 0
		? 'Only read.'
		: `Could write ${agent.scope.map(glob => code(glob)).join(', ')}`,
	...(agent.rivals === undefined
		? []
		: [`Did the same as ${enumerated(agent.rivals)}, so that the best was taken`]),
	...(agent.goal === undefined ? [] : [`Goal: ${inline(agent.goal)}`]),
	...(agent.summary === undefined ? [] : [`Summary: ${inline(agent.summary)}`]),
	...agent.deliverables.map(
		({path, holds}) => `${holds ? 'Delivered' : 'Claimed, and not there:'} ${code(path)}`,
	),
	...agent.metrics.map(metric => `Measured by: ${inline(metric)}`),
	...(agent.metricsAchieved === undefined
		? []
		: [`Says of that: ${inline(asWords(agent.metricsAchieved))}`]),
	...agent.findings.map(words => `Found out: ${inline(words)}`),
	...agent.wrong.map(words => `Does not hold: ${inline(words)}`),
	...agent.recommendations.map(words => `Recommends: ${inline(words)}`),
	`${counted(agent.checkpoints, 'checkpoint')}, ${counted(agent.questions, 'question')}, ${counted(agent.errors, 'error')}`,
	...(agent.reverted + agent.blocked === 0
		? []
		: [`Outside its scope: ${agent.reverted} reverted, ${agent.blocked} blocked`]),
];

const asWords = (value: unknown): string =>
	typeof value === 'string' ? value : JSON.stringify(value);

const decisionRows = ({decisions}: Report): readonly (readonly string[])[] =>
	decisions.map(({at, item, title, choice, by, note = ''}) => [
		moment(at),
		title === undefined ? item : `${item}: ${inline(title)}`,
		inline(choice),
		by === 'user' ? 'a person' : by,
		inline(note),
	]);

const skippedRows = ({skipped}: Report): readonly (readonly string[])[] =>
	skipped.map(({at, agent, what, why, note = ''}) => [
		...[moment(at), agent, inline(what), inline(why), inline(note)],
	]);

const checkRows = ({checks}: Report): readonly (readonly string[])[] =>
	checks.map(({at, commit, ok, commands}) => [
		moment(at),
		shortOid(commit),
		ok ? 'passed' : 'failed',
		commands.map(({command, code: exit}) => `${code(command)} ${exit ?? 'did not end'}`).join(', '),
	]);

const timelineRows = ({agents}: Report): readonly (readonly string[])[] =>
	agents
		.flatMap(({id, moves}) => moves.map(({at, to, why}) => [at, id, to, inline(why)]))
		.toSorted(([one = ''], [other = '']) => (one < other ? -1 : one > other ? 1 : 0))
		.map(([at = '', ...cells]) => [moment(at), ...cells]);

const section = (heading: string, lines: readonly string[], none: string): string =>
	`## ${heading}\n\n${lines.length === 0 ? none : lines.join('\n')}\n`;

const table = (
	heading: string,
	head: readonly string[],
	rows: readonly (readonly string[])[],
): string => (rows.length === 0 ? '' : `## ${heading}\n\n${printTable([head, ...rows])}`);

/** Words of others on one line, where none of them is Markdown or HTML. */
const inline = (text: string): string =>
	sanitize(text.replaceAll(/\s*\n\s*/g, ' ')).replaceAll(/[\\`*_<>[\]#&]/g, '\\$&');

/** In code nothing has a meaning but the mark around it. */
const code = (text: string): string =>
	text.includes('`') ? inline(text) : `\`${sanitize(text)}\``;

/** To the second; what comes at once stands in the order in which it came. */
const moment = (at: string): string => at.slice(0, 19).replace('T', ' ');
