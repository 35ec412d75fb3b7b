import type {Plan, Subtask} from '../events/plan.ts';
import {instructions} from '../signals/instructions.ts';
import {oneLine} from './one-line.ts';

/** What a launch prompt is printed from. */
export type Launch = {
	readonly plan: Plan;
	readonly subtask: Subtask;
	/** The agent's worktree. */
	readonly directory: string;
	/** What the agents said whom this one waited for. */
	readonly results: readonly string[];
};

/** Returns the first prompt of an agent: who it is, what to do, where it may write, how to speak. */
export const launchPrompt = ({plan, subtask, directory, results}: Launch): string =>
	[
		behavior(subtask),
		identity(subtask, directory),
		task(plan, subtask, results),
		constraints(subtask),
		expected(subtask),
		instructions(),
	]
		.filter(section => section !== '')
		.join('\n\n');

const behavior = ({behavior}: Subtask): string =>
	behavior === undefined ? '' : `Read and follow: ${behavior}`;

const identity = ({id}: Subtask, directory: string): string =>
	[
		'EXECUTION CONTEXT',
		`You are ${id}, one of several agents that work on one task at the same time.`,
		`Your directory is ${directory}, a git worktree of your own. A supervisor takes snapshots of it and merges your work; you need not commit, and you can't push.`,
		'You may not start other agents; ask for one with DELEGATE_WORK. A person reads what you say and answers your questions. The person decides over you, then the supervisor, then you.',
	].join('\n');

const task = (plan: Plan, subtask: Subtask, results: readonly string[]): string =>
	lines('TASK CONTEXT', [
		['Whole task', plan.task],
		['Context', plan.context],
		['Your subtask', oneLine(subtask.subtask)],
		['Goal', subtask.goal],
		['Input resources', list(subtask.inputs)],
		['Success metrics', list([...subtask.metrics, ...plan.success])],
		['Results of the agents before you', list(results.map(oneLine))],
	]);

const constraints = (subtask: Subtask): string => {
	const {allowed, forbidden} = subtask.scope;
	return lines('CONSTRAINTS', [
		['You may write', allowed.length === 0 ? 'nothing; you are read-only' : allowed.join(', ')],
		['You may not write', list(forbidden)],
		[
			'Outside your scope',
			'what you change there is put back and shown to the person; ask with SCOPE_REQUEST',
		],
		['Time budget', `${Math.round(subtask.timeoutMs / 60_000)} minutes`],
		['Token budget', subtask.tokens?.toString()],
		['Thinking mode', subtask.thinking],
	]);
};

const expected = ({output, expect}: Subtask): string =>
	lines('EXPECTED OUTPUT', [
		['Output path', output],
		['Lines to print', expect.length === 0 ? undefined : expect.join(', ')],
		['At the end', 'a COMPLETION_REPORT'],
		[
			'Checkpoints',
			'at milestones, at least every 30 minutes, before anything risky, when you are blocked',
		],
	]);

const list = (words: readonly string[]): string | undefined =>
	words.length === 0 ? undefined : words.join('; ');

const lines = (title: string, rows: readonly (readonly [string, string | undefined])[]): string =>
	[
		title,
		...rows.flatMap(([name, value]) => (value === undefined ? [] : [`- ${name}: ${value}`])),
	].join('\n');
