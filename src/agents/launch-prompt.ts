import type {AgentCommand, Plan, Subtask} from '../events/plan.ts';
import {
	besideTools,
	instructions,
	toolInstructions,
	toolReminder,
	whereToolsAre,
} from '../signals/instructions.ts';
import {oneLine} from './turn.ts';

export type Launch = {
	readonly plan: Plan;
	readonly subtask: Subtask;
	/** The agent's worktree. */
	readonly directory: string;
	/** Results of the agents on whose work this one builds, as `resultsBlock` prints them. */
	readonly results?: string;
	/** The agent that requested this one, and the agreement that both need, in its words. */
	readonly requester?: {readonly by: string; readonly coordination?: string};
	/** Globs of paths that no agent may write, regardless of its scope. */
	readonly forbidden: readonly string[];
	/** Maximum time without a checkpoint, in milliseconds; default: half an hour. */
	readonly checkpointMs?: number;
	/** Whether it gets our tools; default: according to its protocol. */
	readonly tools?: KnownTools;
	/** The project's guide, for an agent that doesn't load it itself. */
	readonly guide?: Guide;
};

/** `sure`: it gets and uses them; `maybe`: it gets them, but its behavior is unknown; `told`: it is told where to find them. */
export type KnownTools = 'sure' | 'maybe' | 'told' | 'none';

/** Returns whether an agent gets our tools, according to its command. */
export const toolsOf = (agent: AgentCommand): KnownTools => {
	if (agent.protocol === 'text') {
		return agent.stream === undefined ? 'told' : 'maybe';
	}

	return agent.vendor === undefined ? 'maybe' : 'sure';
};

/** A project's instructions for agents. */
export type Guide = {
	readonly path: string;
	readonly text: string;
	/** Files that it refers to, and guides in subfolders. */
	readonly further?: readonly string[];
};

/** Returns the first prompt of an agent: its role, who decides, its task, its scope, and how to signal. */
export const launchPrompt = ({
	plan,
	subtask,
	directory,
	results = '',
	requester,
	forbidden,
	checkpointMs,
	guide,
	tools = toolsOf(subtask.agent),
}: Launch): string =>
	[
		behavior(subtask),
		identity(subtask, directory),
		authority,
		task(plan, subtask, requester),
		results,
		others(plan, subtask),
		constraints(subtask, forbidden),
		expected(subtask, checkpointMs),
		projectGuide(guide),
		...heard(tools, subtask.expect),
	]
		.filter(section => section !== '')
		.join('\n\n');

/** Returns how to signal, without descriptions that come with the tools. */
const heard = (tools: KnownTools, expect: readonly string[]): readonly string[] => {
	switch (tools) {
		case 'sure':
			return [toolInstructions(), instructions(expect, besideTools())];
		case 'maybe':
			return [toolInstructions(), instructions(expect)];
		case 'told':
			return [instructions(expect), whereToolsAre];
		case 'none':
			return [instructions(expect)];
	}
};

const behavior = ({behavior}: Subtask): string =>
	behavior === undefined ? '' : `Read and follow: ${behavior}`;

const identity = ({id, checkout}: Subtask, directory: string): string =>
	[
		'EXECUTION CONTEXT',
		`You are ${id}, one of several agents that work on one task at the same time.`,
		`Your directory is ${directory}, a git worktree of your own.`,
		...(checkout === undefined
			? []
			: [
					`It is a sparse checkout: of the repository it has only ${checkout.join(', ')} and the files of the folders above.`,
				]),
		'Ports $DELEGATE_PORTS (first: $DELEGATE_PORT) are yours alone; name databases and containers by $DELEGATE_SLOT.',
		'The supervisor commits: it takes snapshots of your worktree and merges your work. You need not commit, and you may not push.',
	].join('\n');

const authority = [
	'AUTHORITY',
	'1. The person reads what you say, answers your questions, and approves every merge.',
	'2. The supervisor hands you your task and keeps you to your scope. You may not overrule or bypass it.',
	'3. You decide on everything else within your scope.',
	'4. Agents of your own are forbidden: you may not start any. Ask for one with DELEGATE_WORK.',
].join('\n');

const task = (plan: Plan, subtask: Subtask, requester: Launch['requester']): string =>
	lines('TASK CONTEXT', [
		['Whole task', plan.task],
		['Context', plan.context],
		['Your subtask', oneLine(subtask.subtask)],
		['Goal', subtask.goal],
		['Input resources', list(subtask.inputs)],
		['Pictures', list((subtask.images ?? []).map(oneLine))],
		['Success metrics', list([...new Set([...subtask.metrics, ...plan.success])])],
		['Not committed', subtask.uncommitted && uncommitted],
		['Requested by', requester?.by],
		['To agree on with it', requester?.coordination && oneLine(requester.coordination)],
	]);

const uncommitted =
	'changes of the person in your directory, which count as yours only in files that you change';

/** Maximum number of other agents to name. */
const mostOthers = 20;

/** Lists other agents, so that this one leaves their work to them; rivals have the same task, so they are left out. */
const others = ({agents}: Plan, own: Subtask): string => {
	const rest = agents
		.filter(({id, bestOf}) => id !== own.id && (bestOf === undefined || bestOf !== own.bestOf))
		.slice(0, mostOthers);
	return rest.length === 0
		? ''
		: lines(
				'OTHER AGENTS',
				rest.map(({id, subtask, scope}) => [
					id,
					`${oneLine(subtask)} (${scope.allowed.length === 0 ? 'writes nothing' : `writes ${scope.allowed.join(', ')}`})`,
				]),
			);
};

const constraints = ({scope, ...subtask}: Subtask, forbidden: readonly string[]): string => {
	const isReadOnly = scope.allowed.length === 0;
	return lines('CONSTRAINTS', [
		['You may read', 'everything in your directory'],
		['You may write', isReadOnly ? 'nothing; you are read-only' : scope.allowed.join(', ')],
		['You may not write', list(scope.forbidden)],
		['No agent may write', [...forbidden, '.git'].join(', ')],
		[
			'How these patterns are meant',
			'from your directory on; * stands for any part of one name, ** for any folders and all that is in them; a pattern that forbids wins over one that allows',
		],
		[
			'Outside your scope',
			'what you change there is reverted and shown to the person; ask with SCOPE_REQUEST',
		],
		['Time budget', `${Math.round(subtask.timeoutMs / 60_000)} minutes`],
		['Token budget', subtask.tokens === undefined ? undefined : `${subtask.tokens} tokens`],
		['Budget', typeof subtask.budget === 'number' ? `${subtask.budget} tokens` : subtask.budget],
		['Thinking mode', subtask.thinking],
	]);
};

const expected = ({output, expect}: Subtask, checkpointMs = 30 * 60_000): string =>
	lines('EXPECTED OUTPUT', [
		['Output path', output],
		['Lines to print', expect.length === 0 ? undefined : expect.join(', ')],
		['At the end', 'a COMPLETION_REPORT'],
		[
			'Checkpoints',
			`at every milestone, at least every ${minutes(checkpointMs)}, before anything risky, when you reach the border of your scope, when you are blocked`,
		],
	]);

const minutes = (ms: number): string => {
	const count = Math.round(ms / 60_000);
	return count === 1 ? 'minute' : `${count} minutes`;
};

/** Maximum length of a guide in the prompt, in characters; the agent can read the rest in the file. */
const maximumGuide = 32 * 1024;

const projectGuide = (guide: Guide | undefined): string =>
	guide === undefined
		? ''
		: [
				'PROJECT GUIDE',
				`What ${oneLine(guide.path)} of this project tells agents; where it differs from the above, the above holds:`,
				guide.text.slice(0, maximumGuide).trimEnd(),
				...(guide.text.length > maximumGuide
					? [`(cut here; read the rest in ${oneLine(guide.path)})`]
					: []),
				...(guide.further === undefined
					? []
					: [
							`Read as well, where it concerns your work: ${guide.further.map(oneLine).join(', ')}`,
						]),
			].join('\n');

const list = (words: readonly string[]): string | undefined =>
	words.length === 0 ? undefined : words.join('; ');

const lines = (title: string, rows: readonly (readonly [string, string | undefined])[]): string =>
	[
		title,
		...rows.flatMap(([name, value]) => (value === undefined ? [] : [`- ${name}: ${value}`])),
	].join('\n');

/** An action of an agent that was refused or reverted, with the reason. */
export type AgentNotice = {
	readonly kind: 'refused' | 'reverted';
	readonly what: string;
	readonly why: string;
};

/** Maximum number of notices at a time. */
const maximumNotices = 20;

/** Words for an agent, by a path's verdict in events. */
const whyWords: Readonly<Record<string, string>> = {
	'not allowed': 'your scope does not allow it',
	forbidden: 'your scope forbids it',
	global: 'no agent may write it',
};

/** Returns a block of a prompt about refused and reverted actions. */
export const noticeBlock = (notices: readonly AgentNotice[]): string =>
	[
		'NOT DONE',
		...notices
			.slice(0, maximumNotices)
			.map(
				({kind, what, why}) =>
					`- ${kind}: ${oneLine(what)}, because: ${oneLine(whyWords[why] ?? why)}`,
			),
		...(notices.length > maximumNotices ? [`- and ${notices.length - maximumNotices} more`] : []),
	].join('\n');

/** Returns a block for an agent whose tools are missing although a prompt mentions them. */
export const withoutTools = (expect: readonly string[]): string =>
	`MISSING TOOLS\nYour tools are not there now. Say all of it in text.\n\n${instructions(expect)}`;

/**
Returns a reminder for a long conversation, whose beginning an agent may forget.

An agent whose first prompt was compacted away would otherwise not know how to ask or to report. An agent with our tools gets their descriptions in each request anyway.
*/
export const reminder = (hasTools: boolean): string =>
	hasTools
		? toolReminder()
		: [
				'You are one of several agents under a supervisor. Your first prompt told you your subtask and your scope; you speak to the supervisor by signals.',
				instructions(),
			].join('\n\n');
