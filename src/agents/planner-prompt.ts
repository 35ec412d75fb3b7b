import {oneLine} from './turn.ts';

export type Planning = {
	readonly task: string;
	/** The planner's copy of the repository. */
	readonly directory: string;
	/** Keys of a plan, one per line. */
	readonly format: string;
	/** Names of the agents to which the plan can assign subtasks. */
	readonly profiles: readonly string[];
	/** Command that most likely checks the project, if one is known. */
	readonly check?: string;
	/** Path of the project's guide for agents. */
	readonly guide?: string;
};

/** Returns the prompt that asks an agent to propose a plan without working on it. */
export const plannerPrompt = ({
	task,
	directory,
	format,
	profiles,
	check,
	guide,
}: Planning): string =>
	[
		[
			'PLANNING',
			'You plan work that one to three coding agents will do at the same time, each in a copy of this repository of its own. You do none of it yourself.',
			`Your directory is ${directory}, a copy of the repository. Read what you need in it; change nothing, for what you write there is thrown away, and start no agents.`,
			'Nobody answers questions meanwhile. Where something is open, decide what is likeliest, and say so in a comment of the plan.',
			...(guide === undefined ? [] : [`The project tells agents about itself in ${guide}.`]),
		].join('\n'),
		`TASK\n${task.trim()}`,
		[
			'A GOOD PLAN',
			'- splits the task only where the parts can be worked on apart; one subtask is right where they can’t.',
			'- has disjoint scopes: no file, there already or yet to be made, that two agents may write. What several need belongs to one of them, with its tests.',
			'- has narrow scopes: globs from the top of the repository; * stands for any part of one name, ** for any folders and all that is in them.',
			'- says in each goal what done means, and in each metric what a person or a command can check.',
			'- lists as inputs only files that are there, or that another subtask makes.',
			'- lets a subtask wait (after) only where it can’t begin without the other’s result.',
			'- has its agents in the order in which their work is merged best, with a comment above each that says why it is cut so and merged there.',
		].join('\n'),
		[
			'THE FORMAT',
			'Plans are YAML. These are the keys, those of an entry of agents below it:',
			format,
			`agent is one of: ${profiles.map(oneLine).join(', ')}.`,
			check === undefined
				? 'verify: only commands that the project itself names; none where it names none.'
				: `verify: most likely [${oneLine(check)}].`,
		].join('\n'),
		'End your answer with the whole plan in one fenced block that begins with ```yaml, and nothing after it.',
	].join('\n\n');

/** Returns the prompt about a faulty plan; an agent without memory needs the first prompt before it. */
export const correctionPrompt = (plan: string | undefined, problems: readonly string[]): string =>
	[
		...(plan === undefined ? [] : [`YOUR PLAN\n\`\`\`yaml\n${plan.trimEnd()}\n\`\`\``]),
		[
			'CORRECTION',
			plan === undefined
				? 'Your answer can’t be used:'
				: 'It can’t be used. Line and column stand in front:',
			...problems.map(problem => `- ${oneLine(problem)}`),
			'Print the whole plan again, corrected, in one fenced block that begins with ```yaml.',
		].join('\n'),
	].join('\n\n');
