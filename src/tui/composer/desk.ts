import type {AgentProfile} from '../../rules/plan/fields.ts';

/** What is known of the repository that a plan is composed for. */
export type Desk = {
	/** The tracked files. */
	readonly files: readonly string[];
	/** The agents of the config by name. */
	readonly profiles: Readonly<Record<string, AgentProfile>>;
	readonly timeoutMs: number;
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
