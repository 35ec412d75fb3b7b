import {inMarkdown, inMarkdownCell} from '../../lib/text/in-markdown.ts';
import {sessionStatus} from '../../rules/status.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {filesNamed} from '../../state/agent/claimed.ts';
import {globallyForbidden} from '../../state/agent/scope.ts';
import type {State} from '../../state/state.ts';
import type {HistoryRow} from './history.ts';

/**
Returns the delegation registry: the existing text, updated with the state's session.

Only our own text is replaced: the active session, and the same session in the archive. All other text stays in its place; text that a person wrote inside a session moves below it.
*/
export const renderRegistry = (
	state: State,
	rows: readonly HistoryRow[],
	existing: string,
): string => {
	const {session} = state;
	const isEnded = session?.ended !== undefined;
	const whole = withHeadings(existing);
	const {text, abandoned} = withActive(
		whole,
		session?.session,
		isEnded ? none : sessionText(state, rows, '###'),
	);
	const known = abandoned === undefined ? text : withArchived(text, abandoned);
	return isEnded
		? withArchived(known, {id: session.session, text: sessionText(state, rows, '####')})
		: known;
};

type ArchivedSession = {readonly id: string; readonly text: string};

/** Updates the active section. Also returns a session that was listed as active and never ended, for the archive. */
const withActive = (
	text: string,
	session: string | undefined,
	wanted: string,
): {readonly text: string; readonly abandoned: ArchivedSession | undefined} => {
	const {start, end} = sectionOf(text, headingsOf(text).active);
	const {above, own, below} = takeApart(text.slice(start, end));
	const id = /^\*\*Session ID\*\*: (\S+)/.exec(own)?.[1];
	const isAbandoned = id !== undefined && id !== session;
	const section = paragraphs(above, wanted, isAbandoned ? '' : linesOfPersons(own), below);
	return {
		text: [text.slice(0, start), section, text.slice(end)].filter(part => part !== '').join('\n\n'),
		abandoned: isAbandoned ? {id, text: own.replaceAll(/^(?=###)/gm, '#')} : undefined,
	};
};

type ActiveParts = {readonly above: string; readonly own: string; readonly below: string};

const takeApart = (section: string): ActiveParts => {
	const found = /^(?:\*\*Session ID\*\*: |None\.[ \t]*$)/m.exec(section);
	if (found === null) {
		return {above: section, own: '', below: ''};
	}

	const rest = section.slice(found.index);
	const end = rest.startsWith(none) ? none.length : (endOfSession(rest) ?? rest.length);
	return {above: section.slice(0, found.index), own: rest.slice(0, end), below: rest.slice(end)};
};

/** Adds a session before the others in the archive, or replaces the text of the same session. */
const withArchived = (text: string, {id, text: session}: ArchivedSession): string => {
	const {start} = sectionOf(text, headingsOf(text).archive);
	const [above = '', ...parts] = text.slice(start).split(/^(?=### Session |#{1,2} )/m);
	const isOwn = (part: string) =>
		/^### Session (\S+)/.exec(part)?.[1] === id && endOfSession(part) !== undefined;
	const own = paragraphs(`### Session ${id}`, session);
	const kept = parts.map(part => {
		const end = isOwn(part) ? endOfSession(part) : undefined;
		return end === undefined
			? part
			: paragraphs(own, linesOfPersons(part.slice(0, end)), part.slice(end));
	});
	const all = parts.some(isOwn) ? kept : [own, ...kept];
	return `${paragraphs(text.slice(0, start), above, ...all)}\n`;
};

/** Joins texts with an empty line between them; keeps the indentation of their first lines. */
const paragraphs = (...texts: readonly string[]): string =>
	texts
		.map(text => text.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd())
		.filter(text => text !== '')
		.join('\n\n');

const title = '# Delegation Registry';
const active = '## Active Session';
const archive = '## Archived Sessions';

/** Offsets of the headings of our sections; -1 for a missing one. */
export type Headings = {
	readonly title: number;
	readonly active: number;
	readonly archive: number;
};

/** Finds the headings of the registry: from its title on, and outside fenced code blocks. */
const headingsOf = (text: string): Headings => {
	const prose = text.replaceAll(/^(```|~~~).*?^\1/gms, block => block.replaceAll(/[^\n]/g, ' '));
	const from = Math.max(0, lineIn(prose, title));
	return {
		title: lineIn(prose, title),
		active: lineIn(prose, active, from),
		archive: lineIn(prose, archive, from),
	};
};

const lineIn = (text: string, line: string, from = 0): number => {
	const found = new RegExp(`^${line}[ \\t]*$`, 'm').exec(text.slice(from));
	return found === null ? -1 : from + found.index;
};

/** Returns the text below a heading, up to the next heading of its level; `start` is the end of the heading's line. */
const sectionOf = (
	text: string,
	heading: number,
): {readonly start: number; readonly end: number} => {
	const start = heading + (/$/m.exec(text.slice(heading))?.index ?? 0);
	const next = text.slice(start).search(/^#{1,2} /m);
	return {start, end: next === -1 ? text.length : start + next};
};

/** Returns a text with its missing headings added: ours before the archive, the archive at the end. */
const withHeadings = (existing: string): string => {
	const found = headingsOf(existing);
	const added = [
		...(found.title === -1 && found.active === -1 ? [title] : []),
		...(found.active === -1 ? [active, none] : []),
	];
	const at = found.archive === -1 || added.length === 0 ? existing.length : found.archive;
	return [
		existing.slice(0, at).trimEnd(),
		...added,
		existing.slice(at).trimEnd(),
		...(found.archive === -1 ? [archive] : []),
	]
		.filter(part => part !== '')
		.join('\n\n');
};

/** Text of an empty section, so that readers know that it isn't missing. */
const none = 'None.';

/** Returns the registry's text about a session, in the format of reference 5, with headings of the given level. */
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
			`**Parent Task**: ${inMarkdown(session.plan.task)}`,
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
		agentTexts(open, rows, heading),
		[`${heading} Completed Agents`, agentTexts(over, rows, heading)].join('\n'),
		[`${heading} Session Events Log`, eventTable(rows)].join('\n'),
	].join('\n\n');
};

const isOver = ({state}: Agent): boolean => state === 'MERGED' || state === 'ABORTED';

const timeouts = (agents: readonly Agent[]): string =>
	[...new Set(agents.map(({timeoutMs}) => `${Math.round(timeoutMs / 1000)}s`))].join(', ');

const agentTexts = (
	agents: readonly Agent[],
	rows: readonly HistoryRow[],
	heading: string,
): string =>
	agents.length === 0 ? none : agents.map(agent => agentText(agent, rows, heading)).join('\n\n');

const agentText = (agent: Agent, rows: readonly HistoryRow[], heading: string): string => {
	const spawned = rows.find(row => row.event === 'SPAWNED' && row.agent === agent.id);
	const {allowed, forbidden} = agent.subtask.scope;
	return [
		`${heading}# ${agent.id}`,
		`- **Subtask**: ${inMarkdown(agent.subtask.subtask)}`,
		`- **Status**: ${agent.state}`,
		'- **Scope**:',
		`  - Allowed: ${allowed.length === 0 ? 'nothing (read-only)' : allowed.map(path => inMarkdown(path, {globs: true})).join(', ')}`,
		`  - Forbidden: ${[...forbidden, ...globallyForbidden, '.git/**'].map(path => inMarkdown(path, {globs: true})).join(', ')}`,
		`- **Spawned**: ${spawned?.at ?? agent.startedAt ?? 'not yet'}`,
		`- **Last Activity**: ${agent.lastAt ?? 'none'}`,
		`- **Checkpoints**: ${agent.checkpoints}`,
		`- **Output**: ${outputOf(agent)}`,
	].join('\n');
};

const outputOf = (agent: Agent): string => {
	const files = filesNamed(agent);
	return files.length === 0
		? inMarkdown(agent.subtask.output ?? 'pending')
		: files.map(path => inMarkdown(path, {globs: true})).join(', ');
};

const eventTable = (rows: readonly HistoryRow[]): string =>
	[
		'| Timestamp | Event | Agent | Details |',
		'|-----------|-------|-------|---------|',
		...rows.map(
			({at, event, agent, details}) =>
				`| ${at} | ${event} | ${agent ?? '-'} | ${inMarkdownCell(details)} |`,
		),
	].join('\n');

/** End of a session's text: the table of its events. */
const sessionEnd = /^#+ Session Events Log[ \t]*\r?\n\s*(?:^\|.*(?:\r?\n|$))*/m;

/** Returns the end of a session's text; `undefined` if the text has no complete session. */
const endOfSession = (text: string): number | undefined => {
	const found = sessionEnd.exec(text);
	return found === null ? undefined : found.index + found[0].length;
};

/** Returns the lines of a session's text that aren't ours; an editor may have realigned ours. */
const linesOfPersons = (text: string): string =>
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
