import {filesText} from '../../../events/kinds/machine-event.ts';
import {elapsedMs, formatDuration} from '../../../lib/text/duration.ts';
import {inMarkdown} from '../../../lib/text/in-markdown.ts';
import {printTable} from '../../../lib/text/markdown-table.ts';
import {sanitize} from '../../../lib/text/sanitize.ts';
import {counted, enumerated, shortOid, valueLines} from '../../../lib/text/words.ts';
import type {AgentReport} from '../../../rules/report/agent-report.ts';
import type {MergeReport, Report} from '../../../rules/report/report.ts';
import {signalText} from '../../../signals/meaning.ts';
import {criterionText} from '../../../state/agent/criteria.ts';
import {portsText} from '../../../state/merge/checked-result.ts';
import {withoutText} from '../../../state/merge/members.ts';
import {spentText} from '../reported-text.ts';

/** Content of a session's report, for any output format. */
type Content = {
	readonly title: string;
	readonly facts: readonly ReportFact[];
	readonly merges: readonly Words[];
	readonly agents: Table;
	readonly results: Table;
	readonly each: readonly {
		readonly id: string;
		readonly subtask: string;
		readonly facts: readonly ReportFact[];
	}[];
	readonly tables: readonly (Table & {readonly heading: string})[];
	readonly timeline: Table;
};

/** Returns the content of a session's report; `now` is the end of running periods. */
export const reportContent = (report: Report, now: string): Content => ({
	title: report.session.task,
	facts: sessionFacts(report, now),
	merges: report.merges.map(mergeWords),
	agents: agentsTable(report),
	results: {head: resultsHead, rows: resultRowsOf(report.agents)},
	each: report.agents.map(agent => ({
		id: agent.id,
		subtask: agent.subtask,
		facts: agentFacts(agent),
	})),
	tables: [decisionsTable(report), skippedTable(report), checksTable(report)].filter(
		({rows}) => rows.length > 0,
	),
	timeline: timelineTable(report),
});

const sessionFacts = ({session, spent}: Report, now: string): readonly ReportFact[] => {
	const {id, target, status, why, criteria, verify, sandbox, startedAt, endedAt} = session;
	return [
		fact('Session', `${id}, into ${target}`),
		fact('Status', why === undefined ? status : `${status}: ${why}`),
		fact('Started', `${moment(startedAt)} UTC`),
		endedAt === undefined
			? fact('Ended', `not yet, after ${formatDuration(elapsedMs(startedAt, now))}`)
			: fact(
					'Ended',
					`${moment(endedAt)} UTC, after ${formatDuration(elapsedMs(startedAt, endedAt))}`,
				),
		...(sandbox === undefined ? [] : [fact('Sandbox', filesText(sandbox))]),
		fact('Spent', spentInAll(spent)),
		fact('Done when', ...criteria.map(criterionText)),
		fact('Checked by', ...verify.map(code)),
	].filter(({values}) => values.length > 0);
};

const spentInAll = (spent: Report['spent']): string => {
	const {unreported} = spent;
	const text = spentText(spent);
	return text === ''
		? 'no agent reported any'
		: `${text}${unreported.length === 0 ? '' : `, without ${unreported.join(', ')}, which reported nothing`}`;
};

const mergeWords = ({
	at,
	what,
	commit,
	tree,
	checked,
	leftOut,
	agents = [],
	remote = '',
}: MergeReport): string => {
	switch (what) {
		case 'taken back':
			return `${moment(at)} took back ${shortOid(commit)}`;
		case 'pushed':
			return `${moment(at)} pushed ${shortOid(commit)} to ${remote}`;
		case 'merged':
			return `${moment(at)} merged ${shortOid(commit)} (${agents.join(', ')})${tree === undefined ? '' : `: tree ${shortOid(tree)}, ${checkedText(checked)}${withoutText(leftOut)}`}`;
	}
};

/** Returns whether the merged tree was checked, in words. */
export const checkedText = (checked: boolean | undefined): string =>
	checked === undefined ? 'not checked' : checked ? 'checked' : 'whose check failed';

const agentsTable = (report: Report): Table => ({
	head: ['agent', 'subtask', 'state', 'files', 'turns', 'worked', 'waited for you', 'spent'],
	rows: [
		...report.agents.map(agent => [
			agent.id,
			agent.subtask,
			agent.state,
			`${agent.files}`,
			`${agent.turns}`,
			formatDuration(agent.workedMs),
			formatDuration(agent.waitedMs),
			spentText(agent),
		]),
		...(report.agents.length > 1 ? [inAll(report)] : []),
	],
});

const inAll = ({agents, spent}: Report): readonly string[] => [
	'in all',
	counted(agents.length, 'agent'),
	'',
	'',
	`${sum(agents, 'turns')}`,
	formatDuration(sum(agents, 'workedMs')),
	formatDuration(sum(agents, 'waitedMs')),
	spentText(spent),
];

const sum = (agents: readonly AgentReport[], what: 'turns' | 'workedMs' | 'waitedMs'): number =>
	agents.reduce((total, agent) => total + agent[what], 0);

const decisionsTable = ({decisions}: Report) => ({
	heading: 'Decisions',
	head: ['when', 'item', 'decision', 'who', 'note'],
	rows: decisions.map(({at, item, title, choice, by, note = ''}) => [
		moment(at),
		title === undefined ? item : `${item}: ${title}`,
		choice,
		by === 'user' ? 'a person' : by,
		note,
	]),
});

const skippedTable = ({skipped}: Report) => ({
	heading: 'Skipped',
	head: ['when', 'agent', 'what', 'why', 'note'],
	rows: skipped.map(({at, agent, what, why, note = ''}) => [moment(at), agent, what, why, note]),
});

const checksTable = ({checks}: Report) => ({
	heading: 'Checks',
	head: ['when', 'result', 'outcome', 'commands'],
	rows: checks.map(({at, commit, ok, commands}) => [
		moment(at),
		shortOid(commit),
		commands.length === 0 ? 'no check' : ok ? `passed${portsText({commands})}` : 'failed',
		commands.flatMap(({command, code: exit}, position) => [
			...(position === 0 ? [] : [', ']),
			{code: command},
			` ${exit ?? 'did not end'}`,
		]),
	]),
});

const timelineTable = ({agents}: Report): Table => ({
	head: ['when', 'agent', 'state', 'why'],
	rows: agents
		.flatMap(({id, moves}) => moves.map(move => ({id, ...move})))
		.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
		.map(({id, at, to, why}) => [moment(at), id, to, why]),
});

/** Returns a time to the second; events of the same second keep their order. */
const moment = (at: string): string => at.slice(0, 19).replace('T', ' ');

/** Returns the facts about an agent besides its row: its subtask, its results, and its wrong claims. */
const agentFacts = (agent: AgentReport): readonly ReportFact[] =>
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
		...present(rivals).map(ids => `${enumerated(ids)}, and you took the best`),
	),
];

const workFacts = (agent: AgentReport) => [
	fact('Title', ...present(agent.title)),
	fact('Created', ...agent.created.map(code)),
	fact('Count', ...agent.counts.map(String)),
	fact('Summary', ...present(agent.summary)),
	fact('Delivered', ...agent.deliverables.filter(({holds}) => holds).map(({path}) => code(path))),
	fact('Does not hold', ...agent.wrong),
	fact('Measured by', ...agent.criteria.map(criterionText)),
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
				`${counted(agent.checkpoints, 'checkpoint')}${agent.blockers === 0 ? '' : ` (${counted(agent.blockers, 'blocker')})`}`,
				counted(agent.questions, 'question'),
				counted(agent.errors, 'error'),
				...(reverted === 0 ? [] : [`${reverted} reverted`]),
				...(blocked === 0 ? [] : [`${blocked} blocked`]),
			].join(', '),
		),
	];
};

/** Maximum number of violations listed; the counts include all. */
const mostListed = 20;

const present = <One>(value: One | undefined): readonly One[] =>
	value === undefined ? [] : [value];

type Brings = Pick<AgentReport, 'id' | 'results'>;

export const resultsTable = (agents: readonly Brings[]): string =>
	markdownTable({head: resultsHead, rows: resultRowsOf(agents)});

const resultsHead = ['Agent', 'Topic', 'Status', 'Path', 'Summary'];

const resultRowsOf = (agents: readonly Brings[]): readonly (readonly Words[])[] =>
	agents.flatMap(({id, results}) =>
		results.map(({topic, status, path, summary}) => [id, topic, status, path, summary]),
	);

/** Returns words on one line, escaped for Markdown and HTML. */
export const markdown = (words: Words): string =>
	typeof words === 'string'
		? inMarkdown(words)
		: words
				.map(part => (typeof part === 'string' ? inMarkdown(part) : codeSpan(part.code)))
				.join('');

const markdownTable = ({head, rows}: Table): string =>
	printTable([head, ...rows.map(cells => cells.map(markdown))]);

const markdownFacts = (facts: readonly ReportFact[]): string =>
	facts
		.flatMap(({name, values}) => values.map(value => `- ${name}: ${markdown(value)}\n`))
		.join('');

/** Returns a Markdown code span; a text with a backtick is escaped instead. */
const codeSpan = (text: string): string =>
	text.includes('`') ? inMarkdown(text) : `\`${sanitize(text)}\``;

/** Words of a report with code marked; no markup in them has an effect. */
export type Words = string | readonly (string | Code)[];

/** A path, a glob or a command. */
export type Code = {readonly code: string};

export type ReportFact = {readonly name: string; readonly values: readonly Words[]};

/** Rows with as many cells as the head. */
export type Table = {
	readonly head: readonly string[];
	readonly rows: readonly (readonly Words[])[];
};

const code = (text: string): readonly Code[] => [{code: text}];

const fact = (name: string, ...values: readonly Words[]): ReportFact => ({name, values});

/** Returns texts as code, separated by commas. */
const listed = (texts: readonly string[]): Words =>
	texts.flatMap((text, position) => [...(position === 0 ? [] : [', ']), {code: text}]);

/** Returns the report of a session as Markdown; `now` is the end of running periods. */
export const reportText = (report: Report, now: string): string => {
	const {title, facts, merges, agents, results, each, tables, timeline} = reportContent(
		report,
		now,
	);
	return [
		`# ${markdown(title)}\n\n${markdownFacts(facts)}`,
		`## Result\n\n${merges.length === 0 ? 'Nothing was merged.\n' : merges.map(words => `- ${markdown(words)}\n`).join('')}`,
		`## Agents\n\n${markdownTable(agents)}`,
		`## Results\n\n${markdownTable(results)}`,
		...each.map(
			({id, subtask, facts}) => `### ${id} ${markdown(subtask)}\n\n${markdownFacts(facts)}`,
		),
		...tables.map(table => `## ${table.heading}\n\n${markdownTable(table)}`),
		`## Timeline\n\n${markdownTable(timeline)}`,
	].join('\n');
};
