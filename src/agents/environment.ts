import {defined} from '../lib/defined.ts';

/** What an agent's process is told of itself. */
export type AgentEnvironment = {
	readonly session: string;
	readonly agent: string;
	readonly promptFile: string;
	readonly mark: string;
	/** Folder of the files of questions and answers, if there is one. */
	readonly questions?: string;
	/** What its profile sets. */
	readonly profile: Readonly<Record<string, string>>;
};

/** Returns the environment of an agent's process: the person's own, without what reaches beyond the worktree. */
export const agentEnvironment = (
	person: Readonly<Record<string, string | undefined>>,
	agent: AgentEnvironment,
): Record<string, string> => {
	const kept = Object.entries(fencedEnvironment(person)).filter(
		([name]) => !name.startsWith('DELEGATE_'),
	);
	return {
		...Object.fromEntries(kept),
		...agent.profile,
		DELEGATE_SESSION: agent.session,
		DELEGATE_AGENT: agent.agent,
		DELEGATE_PROMPT_FILE: agent.promptFile,
		...defined({DELEGATE_QUESTIONS: agent.questions}),
		...mark(agent.mark),
	};
};

/**
Returns a person's environment without what lets a program reach beyond the folder that it runs in.

Git variables of the person's shell would point it at another repository; the key agent would let it push. That git refuses every remote protocol is a fence, not a wall: a program can unset it, but an agent's repository has no remote either.
*/
export const fencedEnvironment = (
	person: Readonly<Record<string, string | undefined>>,
): Record<string, string> => {
	const kept = Object.entries(person).filter(
		(entry): entry is [string, string] => entry[1] !== undefined && !isWithheld(entry[0]),
	);
	return {
		...Object.fromEntries(kept),
		GIT_TERMINAL_PROMPT: '0',
		GIT_CONFIG_COUNT: '1',
		GIT_CONFIG_KEY_0: 'protocol.allow',
		GIT_CONFIG_VALUE_0: 'never',
	};
};

const isWithheld = (name: string): boolean =>
	name.startsWith('GIT_') || name === 'SSH_AUTH_SOCK' || name === 'SSH_ASKPASS';

const mark = (entry: string): Record<string, string> => {
	const equals = entry.indexOf('=');
	return {[entry.slice(0, equals)]: entry.slice(equals + 1)};
};
