import type {AgentProfile} from '../../rules/plan/fields.ts';
import type {MissingProgram} from '../../rules/plan/missing-among.ts';

/** What is known of the repository that a plan is composed for. */
export type Desk = {
	/** What the plan is for: a session to start, in place of a plan that waits for its approval, or one more agent of a session under way. */
	readonly purpose: 'start' | 'edit' | 'add';
	/** The agent that is dropped for the one that is added, if one is. */
	readonly instead?: string;
	/** The tracked files. */
	readonly files: readonly string[];
	/** The agents of the config by name. */
	readonly profiles: Readonly<Record<string, AgentProfile>>;
	/** Returns whether a path of the repository leads to something. */
	readonly isThere: (path: string) => boolean;
	/** Returns why an agent can't be started here, if so. */
	readonly missingProgram: (agent: AgentProfile) => MissingProgram | undefined;
	/** How long an agent may work that does not say, in milliseconds. */
	readonly timeoutMs: number;
	/** Name of the agent that proposes plans. */
	readonly planner: string;
	/** How many files an agent may reach without a warning. */
	readonly filesLimit: number;
	/** The branch that is checked out, if any. */
	readonly branch?: string;
	/** How the last session ended, in one line. */
	readonly lastEnd?: string;
};

/** Returns the agent that a new subtask begins with: the one that plans take without being told, else the first there is. */
export const firstAgent = ({profiles}: Desk): string => {
	const names = Object.keys(profiles);
	return names.includes('claude') ? 'claude' : (names[0] ?? '');
};
