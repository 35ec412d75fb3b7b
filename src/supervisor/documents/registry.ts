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

The format is that of reference 5. What a person wrote stays: before the title, below the session under way, and anywhere among the archived sessions but within the text of this one.
*/
export const renderRegistry = (
	state: State,
	rows: readonly HistoryRow[],
	existing: string,
): string => {
	const {before, active, archive} = takeApart(existing);
	const ended = state.session?.ended !== undefined;
	const sections = [
		'# Delegation Registry',
		'## Active Session',
		ended ? none : sessionText(state, rows, '###'),
		belowActive(active),
		archiveHeading,
		archiveWith(
			`${abandoned(active, state)}${archive}`,
			state.session?.session ?? '',
			ended ? sessionText(state, rows, '####') : undefined,
		),
	];
	return `${before}${sections.filter(text => text !== '').join('\n\n')}\n`;
};

type Parts = {readonly before: string; readonly active: string; readonly archive: string};

const takeApart = (existing: string): Parts => {
	const title = existing.search(/^# Delegation Registry[ \t]*$/m);
	const before = title === -1 ? existing : existing.slice(0, title);
	const own = title === -1 ? '' : existing.slice(title);
	const archive = own.indexOf(`\n${archiveHeading}`);
	return {
		before: title === -1 && before !== '' ? `${before.trimEnd()}\n\n` : before,
		active: archive === -1 ? own : own.slice(0, archive),
		archive: archive === -1 ? '' : own.slice(archive + archiveHeading.length + 1).trim(),
	};
};

/** The text of a session ends with the table of its events. */
const sessionEnd = /^#+ Session Events Log[ \t]*\r?\n\s*(?:^\|.*(?:\r?\n|$))*/m;

/** Returns where the text of a session ends; nothing where no whole one begins. */
const endOfSession = (text: string): number | undefined => {
	const found = sessionEnd.exec(text);
	return found === null ? undefined : found.index + found[0].length;
};

const belowActive = (active: string): string => {
	const found = /^## Active Session\s+None\.[ \t]*$/m.exec(active);
	const end = found === null ? endOfSession(active) : found.index + found[0].length;
	return end === undefined ? '' : active.slice(end).trim();
};

/** Returns, for the archive, what stands as under way although another session is: one whose end nobody wrote down here. */
const abandoned = (active: string, {session}: State): string => {
	const found = /^\*\*Session ID\*\*: (\S+)/m.exec(active);
	if (found === null || found[1] === session?.session) {
		return '';
	}

	const text = active.slice(found.index, endOfSession(active)).trimEnd();
	return `### Session ${found[1]}\n\n${text.replaceAll(/^(?=###)/gm, '#')}\n\n`;
};

/** A session that is archived once more replaces what was written of it before, and nothing below. */
const archiveWith = (archive: string, session: string, text: string | undefined): string => {
	const own = text === undefined ? '' : `### Session ${session}\n\n${text}\n\n`;
	const parts = archive.split(/^(?=### Session )/m);
	const isOwn = (part: string) =>
		/^### Session (\S+)/.exec(part)?.[1] === session && endOfSession(part) !== undefined;
	const isThere = parts.some(isOwn);
	const kept = parts.map(part =>
		isOwn(part) ? `${own}${part.slice(endOfSession(part)).trimStart()}` : part,
	);
	return [...(isThere ? [] : [own]), ...kept].join('').trim();
};

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
