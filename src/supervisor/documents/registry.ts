import {sessionStatus} from '../../rules/status.ts';
import type {Agent} from '../../state/agent.ts';
import type {State} from '../../state/state.ts';
import type {HistoryRow} from './history.ts';
import {cell, inline} from './text.ts';

/** Placed where an empty section would leave a reader in doubt. */
const none = 'None.';

const archiveHeading = '## Archived Sessions';

/**
Returns the delegation registry: the session of a state, and what the file already held of earlier ones.

The format is that of reference 5. What stands before the title and below the archived sessions is kept as it is.
*/
export const renderRegistry = (
	state: State,
	rows: readonly HistoryRow[],
	existing: string,
): string => {
	const {before, archive} = takeApart(existing);
	const ended = state.session?.ended !== undefined;
	const sections = [
		'# Delegation Registry',
		'## Active Session',
		ended ? none : sessionText(state, rows, '###'),
		archiveHeading,
		...(ended ? [archived(state, rows)] : []),
		withoutSession(archive, state.session?.session),
	];
	return `${before}${sections.filter(text => text !== '').join('\n\n')}\n`;
};

const archived = (state: State, rows: readonly HistoryRow[]): string =>
	`### Session ${state.session?.session ?? ''}\n\n${sessionText(state, rows, '####')}`;

const takeApart = (existing: string): {before: string; archive: string} => {
	const title = existing.search(/^# Delegation Registry[ \t]*$/m);
	const before = title === -1 ? existing : existing.slice(0, title);
	const own = title === -1 ? '' : existing.slice(title);
	const archive = own.indexOf(`\n${archiveHeading}`);
	return {
		before: title === -1 && before !== '' ? `${before.trimEnd()}\n\n` : before,
		archive: archive === -1 ? '' : own.slice(archive + archiveHeading.length + 1).trim(),
	};
};

/** A session that is archived once more replaces what was written of it before. */
const withoutSession = (archive: string, session: string | undefined): string =>
	archive
		.split(/^(?=### Session )/m)
		.filter(part => session === undefined || !part.startsWith(`### Session ${session}\n`))
		.join('')
		.trim();

const sessionText = (state: State, rows: readonly HistoryRow[], heading: string): string => {
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
		`${heading} Configuration`,
		[
			`- Max Parallel Agents: ${session.settings.parallel}`,
			`- Agent Timeout: ${timeouts(state.agents)}`,
			'- Human Approval Required: Yes',
		].join('\n'),
		`${heading} Agents`,
		agentTexts(open, heading),
		`${heading} Completed Agents`,
		agentTexts(over, heading),
		`${heading} Session Events Log`,
		eventTable(rows),
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
		`  - Allowed: ${globs(allowed, 'nothing (read-only)')}`,
		`  - Forbidden: ${globs(forbidden, 'the global list')}`,
		`- **Spawned**: ${agent.startedAt ?? 'not yet'}`,
		`- **Last Activity**: ${agent.lastAt ?? 'none'}`,
		`- **Checkpoints**: ${agent.checkpoints}`,
		`- **Output**: ${outputOf(agent)}`,
	].join('\n');
};

const globs = (patterns: readonly string[], otherwise: string): string =>
	patterns.length === 0 ? otherwise : patterns.map(inline).join(', ');

const outputOf = (agent: Agent): string => {
	const files = agent.report?.deliverables ?? agent.told.created;
	return files.length === 0 ? (agent.subtask.output ?? 'pending') : files.map(inline).join(', ');
};

const eventTable = (rows: readonly HistoryRow[]): string =>
	[
		'| Timestamp | Event | Agent | Details |',
		'|-----------|-------|-------|---------|',
		...rows.map(
			({at, event, agent, details}) => `| ${at} | ${event} | ${agent ?? '-'} | ${cell(details)} |`,
		),
	].join('\n');
