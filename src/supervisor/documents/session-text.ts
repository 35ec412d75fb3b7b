import {sessionStatus} from '../../rules/status.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {globallyForbidden} from '../../state/agent/scope.ts';
import type {State} from '../../state/state.ts';
import type {HistoryRow} from './history.ts';
import {cell, inline} from './text.ts';

/** Placed where an empty section would leave a reader in doubt. */
export const none = 'None.';

/** Returns what the registry says of a session, in the format of reference 5; its headings are of a given level. */
export const sessionText = (state: State, rows: readonly HistoryRow[], heading: string): string => {
	const {session} = state;
	if (!session) {
		return none;
	}

	const open = state.agents.filter(agent => !isOver(agent));
	const over = state.agents.filter(isOver);
	return [
		[
			`**Session ID**: ${session.session}`,
			`**Created**: ${session.startedAt}`,
			`**Parent Task**: ${inline(session.plan.task)}`,
			'**Parent Agent**: Main session',
			`**Status**: ${sessionStatus(state)}`,
		].join('\n'),
		[
			`${heading} Configuration`,
			`- Max Parallel Agents: ${session.settings.parallel}`,
			`- Agent Timeout: ${timeouts(state.agents)}`,
			'- Human Approval Required: Yes',
		].join('\n'),
		`${heading} Agents`,
		agentTexts(open, heading),
		[`${heading} Completed Agents`, agentTexts(over, heading)].join('\n'),
		[`${heading} Session Events Log`, eventTable(rows)].join('\n'),
	].join('\n\n');
};

const isOver = ({state}: Agent): boolean => state === 'MERGED' || state === 'ABORTED';

const timeouts = (agents: readonly Agent[]): string =>
	[...new Set(agents.map(({timeoutMs}) => `${Math.round(timeoutMs / 1000)}s`))].join(', ');

const agentTexts = (agents: readonly Agent[], heading: string): string =>
	agents.length === 0 ? none : agents.map(agent => agentText(agent, heading)).join('\n\n');

const agentText = (agent: Agent, heading: string): string => {
	const {allowed, forbidden} = agent.subtask.scope;
	return [
		`${heading}# ${agent.id}`,
		`- **Subtask**: ${inline(agent.subtask.subtask)}`,
		`- **Status**: ${agent.state}`,
		'- **Scope**:',
		`  - Allowed: ${allowed.length === 0 ? 'nothing (read-only)' : allowed.map(inline).join(', ')}`,
		`  - Forbidden: ${[...forbidden, ...globallyForbidden, '.git/**'].map(inline).join(', ')}`,
		`- **Spawned**: ${agent.startedAt ?? 'not yet'}`,
		`- **Last Activity**: ${agent.lastAt ?? 'none'}`,
		`- **Checkpoints**: ${agent.checkpoints}`,
		`- **Output**: ${outputOf(agent)}`,
	].join('\n');
};

const outputOf = (agent: Agent): string => {
	const files = agent.report?.deliverables ?? agent.updates.created;
	return files.length === 0
		? inline(agent.subtask.output ?? 'pending')
		: files.map(inline).join(', ');
};

const eventTable = (rows: readonly HistoryRow[]): string =>
	[
		'| Timestamp | Event | Agent | Details |',
		'|-----------|-------|-------|---------|',
		...rows.map(
			({at, event, agent, details}) => `| ${at} | ${event} | ${agent ?? '-'} | ${cell(details)} |`,
		),
	].join('\n');

/** The text of a session ends with the table of its events. */
const sessionEnd = /^#+ Session Events Log[ \t]*\r?\n\s*(?:^\|.*(?:\r?\n|$))*/m;

/** Returns where the text of a session ends; nothing where no whole one begins. */
export const endOfSession = (text: string): number | undefined => {
	const found = sessionEnd.exec(text);
	return found === null ? undefined : found.index + found[0].length;
};

/** Returns what in the text of a session is none of ours; an editor may have set ours in other columns. */
export const linesOfPersons = (text: string): string =>
	text
		.split('\n')
		.map(line => (ourLines.some(our => our.test(line)) ? '' : line))
		.join('\n')
		.replaceAll(/\n{3,}/g, '\n\n');

const ourLines = [
	/^\s*$/,
	/^None\.\s*$/,
	/^\*\*(?:Session ID|Created|Parent Task|Parent Agent|Status)\*\*: /,
	/^#+ (?:Session \S+|Configuration|Agents|AGT-\d+|Completed Agents|Session Events Log)\s*$/,
	/^\s*[-*+]\s+(?:Max Parallel Agents|Agent Timeout|Human Approval Required|Allowed|Forbidden): /,
	/^\s*[-*+]\s+\*\*(?:Subtask|Status|Scope|Spawned|Last Activity|Checkpoints|Output)\*\*:/,
	/^\|\s*(?:Timestamp|:?-+:?|\d{4}-\d\d-\d\dT\S+)\s*\|/,
];
