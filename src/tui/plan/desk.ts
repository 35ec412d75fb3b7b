import type {ListedConversation} from '../../events/listed-conversation.ts';
import type {WorkspacePackage} from '../../lib/workspace.ts';
import type {AgentProfile} from '../../rules/plan/fields.ts';
import type {MissingProgram} from '../../rules/plan/missing-among.ts';

/** Data and operations of the repository that a plan is written for. */
export type Desk = PlanOutside & {
	/** Purpose of the plan: start a session, replace a waiting plan, or add an agent to a running session. */
	readonly purpose: 'start' | 'edit' | 'add';
	/** The agent that is dropped for the one that is added, if one is. */
	readonly instead?: string;
	/** The tracked files. */
	readonly files: readonly string[];
	/** The packages of its workspaces. */
	readonly packages: readonly WorkspacePackage[];
	/** The agents of the config by name. */
	readonly profiles: Readonly<Record<string, AgentProfile>>;
	/** Why further agents can't be known by name, where that is so. */
	readonly unreadRegistry?: string;
	/** Returns whether a path of the repository leads to something. */
	readonly isThere: (path: string) => boolean;
	/** Names of those that are installed and, as far as can be seen, logged in. */
	readonly ready?: readonly string[];
	/** Returns why an agent can't be started here, if so. */
	readonly missingProgram: (agent: AgentProfile) => MissingProgram | undefined;
	/** How long an agent may work that does not say, in milliseconds. */
	readonly timeoutMs: number;
	/** Name of the agent that proposes plans. */
	readonly planner: string;
	/** How many files an agent may reach without a warning. */
	readonly filesLimit: number;
	readonly branches: readonly string[];
	/** The branch that is checked out, if any. */
	readonly branch?: string;
	/** How the last session ended, in one line or two. */
	readonly lastEnd?: string;
	/** Message for going back without handing the plan in; without it there is nothing to go back to. */
	readonly leftAs?: string;
};

/** Operations of the form outside the screen; each may throw a `Failure`. */
export type PlanOutside = {
	readonly read: (path: string) => Promise<string>;
	/** Writes a file; returns `taken`, and does nothing, when one stands there that may not be replaced. */
	readonly save: (
		file: KnownFile,
		over: KnownFile | 'anything' | undefined,
	) => Promise<'saved' | 'taken'>;
	/** Lists the conversations that the person began here with an agent of the config, the last one first. */
	readonly conversations: (
		name: string,
		signal: AbortSignal,
	) => Promise<readonly ListedConversation[]>;
	/** Lets a planner propose a plan file's text; tells how far it is, and stops it when the signal is aborted. */
	readonly propose: (
		task: string,
		options: {readonly signal: AbortSignal; readonly report: (progress: Progress) => void},
	) => Promise<string>;
	/** Hands over a plan file's text for what the plan is for; returns what came of it, in a sentence. */
	readonly handIn: (text: string, file: string) => Promise<string>;
};

/** A plan file as it was when it was last read or written here. */
export type KnownFile = {readonly path: string; readonly text: string};

/** How far a planner is. */
export type Progress = {
	readonly elapsedMs: number;
	/** What it did last, and the last lines that it said. */
	readonly lines: readonly string[];
};

/** Returns the agent that a new subtask begins with: one that can begin at once and, among those, the one that plans take without being told. */
export const firstAgent = ({profiles, ready = []}: Pick<Desk, 'profiles' | 'ready'>): string => {
	const names = ready.length > 0 ? ready : Object.keys(profiles);
	return names.includes('claude') ? 'claude' : (names[0] ?? '');
};

/** Says what to do where nobody can begin at once. */
export const nobodyReady =
	'No agent that asks before it acts is installed and logged in; what helps: delegate-tui doctor';

/** Returns why no plan can be proposed, if so; a planner that the config names need not be one that asks. */
export const whyNoPlanner = (desk: Desk): string | undefined => {
	const {ready, profiles, planner} = desk;
	const profile = profiles[planner];
	const isThere = profile !== undefined && desk.missingProgram(profile) === undefined;
	return ready?.length === 0 && !isThere ? nobodyReady : undefined;
};
