import {readdir} from 'node:fs/promises';
import {homedir} from 'node:os';
import {join, resolve} from 'node:path';

/**
Returns the folder that holds the state of all repositories.

@see DESIGN §3: `$DELEGATE_TUI_STATE`, else the system's own place for state.
*/
export const stateFolder = (environment: NodeJS.ProcessEnv): string => {
	if (environment.DELEGATE_TUI_STATE) {
		return resolve(environment.DELEGATE_TUI_STATE);
	}

	if (environment.XDG_STATE_HOME) {
		return join(environment.XDG_STATE_HOME, 'delegate-tui');
	}

	return process.platform === 'darwin'
		? join(homedir(), 'Library', 'Application Support', 'delegate-tui')
		: join(homedir(), '.local', 'state', 'delegate-tui');
};

/** Where everything of one repository lies. */
export type RepositoryFolder = {
	readonly path: string;
	readonly lock: string;
	/** The supervisor's own git repository. */
	readonly store: string;
	/** Holds the path of the supervisor's socket, which depends on the environment it was started in. */
	readonly socket: string;
	/** Tells in which namespace of processes the repository was supervised last. */
	readonly namespace: string;
	/** What a supervisor in the background prints; its last words when it can't start. */
	readonly log: string;
	readonly session: (id: string) => SessionFolder;
	/** Folder of all planners that are at work, and that of one of them by its name. */
	readonly planners: string;
	readonly planner: (name: string) => AgentFolder;
};

/** Where everything of one session lies. */
export type SessionFolder = {
	readonly path: string;
	readonly journal: string;
	/** Is there once a person has given the session up because its journal is damaged. */
	readonly setAside: string;
	/** Values of agents' environments, which no event holds; readable by their owner only. */
	readonly environments: string;
	/** What agents tell of themselves besides their words, one JSON object a line. */
	readonly telemetry: string;
	/** What all agents found out, one JSON object a line. */
	readonly findings: string;
	/** What agents were told to skip. */
	readonly skipped: string;
	readonly agent: (id: string) => AgentFolder;
	/** Holds a folder for each agent, with files of questions and answers that no other agent sees. */
	readonly questions: string;
	/** Where a conflict is resolved by hand. */
	readonly resolution: (conflict: string) => string;
	/** Folder of the logs of commands that people had run in agents' worktrees. */
	readonly commands: string;
	/** Folder of all checks. */
	readonly checks: string;
	/** Where the plan's check looks at trees of work that isn't a result yet; nothing in it outlasts a supervisor. */
	readonly scratch: string;
	/** A check's worktree and log. */
	readonly verify: (name: number | string) => {readonly path: string; readonly log: string};
};

/** Where everything of one agent lies. */
export type AgentFolder = {
	readonly path: string;
	/** The worktree. */
	readonly tree: string;
	/** The repository that it hangs off. */
	readonly hub: string;
	/** The supervisor's index of the worktree. */
	readonly index: string;
	/** Is there while the worktree is recreated or changed by us; see `unfinished.ts`. */
	readonly unfinished: string;
	/** What its program is started with, beside the worktree. */
	readonly launch: string;
	readonly setupLog: string;
	/** What each git that it starts tells of itself, until its turn is over. */
	readonly gitTrace: string;
	readonly transcript: (turn: number) => string;
	readonly prompt: (turn: number) => string;
	/** Holds the number of the snapshot up to which a person has looked at its work. */
	readonly looked: string;
	/** Where the patch of a change that left the scope is kept. */
	readonly aside: (number: number) => string;
	/** Where what stood in the place of its `.git` is kept. */
	readonly gitAside: (number: number) => string;
};

export const repositoryFolder = (state: string, repositoryId: string): RepositoryFolder => {
	const path = join(state, repositoryId);
	return {
		path,
		lock: join(path, 'lock.sqlite'),
		store: join(path, 'store.git'),
		socket: join(path, 'socket'),
		namespace: join(path, 'namespace'),
		log: join(path, 'supervisor.log'),
		session: id => sessionFolder(join(path, id)),
		planners: join(path, 'planners'),
		planner: name => agentFolder(join(path, 'planners', name)),
	};
};

/** Returns the sessions of a repository, the first one first. */
export const sessionsOf = async (folder: RepositoryFolder): Promise<readonly string[]> => {
	const names = await readdir(folder.path).catch(() => []);
	return names.filter(name => name.startsWith('DEL-')).sort();
};

const sessionFolder = (path: string): SessionFolder => ({
	path,
	journal: join(path, 'journal'),
	setAside: join(path, 'set-aside.json'),
	environments: join(path, 'environments.json'),
	telemetry: join(path, 'telemetry.ndjson'),
	findings: join(path, 'SHARED_FINDINGS.jsonl'),
	skipped: join(path, 'SKIPPED_ITEMS.md'),
	agent: id => agentFolder(join(path, id)),
	questions: join(path, 'questions'),
	resolution: conflict => join(path, 'resolutions', conflict),
	commands: join(path, 'commands'),
	checks: join(path, 'verify'),
	scratch: join(path, 'scratch'),
	verify: name => ({
		path: join(path, 'verify', `${name}`),
		log: join(path, 'verify', `${name}.log`),
	}),
});

const agentFolder = (path: string): AgentFolder => ({
	path,
	tree: join(path, 'tree'),
	hub: join(path, 'hub.git'),
	index: join(path, 'index'),
	unfinished: join(path, 'unfinished'),
	launch: join(path, 'launch'),
	setupLog: join(path, 'setup.log'),
	gitTrace: join(path, 'git-trace.ndjson'),
	looked: join(path, 'looked'),
	transcript: turn => join(path, 'transcript', `${turn}.txt`),
	prompt: turn => join(path, 'prompts', `${turn}.txt`),
	aside: number => join(path, 'aside', `${number}.patch`),
	gitAside: number => join(path, 'aside', `${number}.git`),
});
