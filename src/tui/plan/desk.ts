import type {ListedConversation} from '../../events/listed-conversation.ts';
import type {WorkspacePackage} from '../../lib/workspace.ts';
import type {AgentProfile} from '../../rules/plan/fields.ts';
import type {MissingProgram} from '../../rules/plan/missing-among.ts';

/** Data and operations of the repository that a plan is written for. */
export type Desk = PlanOutside & {
	/** Purpose of the plan: start a session, replace a waiting plan, or add an agent to a running session. */
	readonly purpose: 'start' | 'edit' | 'add';
	/** Agent that the added one replaces, if any. */
	readonly instead?: string;
	/** The tracked files. */
	readonly files: readonly string[];
	/** The packages of its workspaces. */
	readonly packages: readonly WorkspacePackage[];
	readonly profiles: Readonly<Record<string, AgentProfile>>;
	/** Reason why further agents are unknown by name, if so. */
	readonly unreadRegistry?: string;
	/** Returns whether a path of the repository exists. */
	readonly isThere: (path: string) => boolean;
	/** Names of the agents that are installed and seem to be logged in. */
	readonly ready?: readonly string[];
	/** Returns the reason why an agent can't be started here, if so. */
	readonly missingProgram: (agent: AgentProfile) => MissingProgram | undefined;
	/** Default time limit of an agent, in milliseconds. */
	readonly timeoutMs: number;
	/** Name of the agent that proposes plans. */
	readonly planner: string;
	/** Number of files that an agent may reach without a warning. */
	readonly filesLimit: number;
	readonly branches: readonly string[];
	/** Branch that is checked out, if any. */
	readonly branch?: string;
	/** End of the last session, in one line or two. */
	readonly lastEnd?: string;
	/** Message for leaving without handing the plan in; absent if there is no place to return to. */
	readonly leftAs?: string;
};

/** Operations of the form outside the screen; each may throw a `Failure`. */
export type PlanOutside = {
	readonly read: (path: string) => Promise<string>;
	/** Writes a file; returns `taken` without writing if a file exists that must not be replaced. */
	readonly save: (
		file: KnownFile,
		over: KnownFile | 'anything' | undefined,
	) => Promise<'saved' | 'taken'>;
	/** Lists the person's conversations here with an agent of the config, the last one first. */
	readonly conversations: (
		name: string,
		signal: AbortSignal,
	) => Promise<readonly ListedConversation[]>;
	/** Has a planner propose a plan file's text; reports progress, and stops when the signal is aborted. */
	readonly propose: (
		task: string,
		options: {readonly signal: AbortSignal; readonly report: (progress: Progress) => void},
	) => Promise<string>;
	/** Hands in a plan file's text for the plan's purpose; returns a sentence about the outcome. */
	readonly handIn: (text: string, file: string) => Promise<string>;
};

/** A plan file as last read or written here. */
export type KnownFile = {readonly path: string; readonly text: string};

/** Progress of a planner. */
export type Progress = {
	readonly elapsedMs: number;
	/** Its last action, and the last lines of its output. */
	readonly lines: readonly string[];
};

/** Returns the agent of a new subtask: one that is ready and, among those, the default of plans. */
export const firstAgent = ({profiles, ready = []}: Pick<Desk, 'profiles' | 'ready'>): string => {
	const names = ready.length > 0 ? ready : Object.keys(profiles);
	return names.includes('claude') ? 'claude' : (names[0] ?? '');
};

export const nobodyReady =
	'No agent that asks before it acts is installed and logged in; what helps: delegate-tui doctor';

/** Returns the reason why no plan can be proposed, if so; a planner that the config names need not ask before it acts. */
export const whyNoPlanner = (desk: Desk): string | undefined => {
	const {ready, profiles, planner} = desk;
	const profile = profiles[planner];
	const isThere = profile !== undefined && desk.missingProgram(profile) === undefined;
	return ready?.length === 0 && !isThere ? nobodyReady : undefined;
};
