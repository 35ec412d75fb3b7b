import {readdirSync} from 'node:fs';
import {homedir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {worktreePath} from '../git/store/worktree-path.ts';
import {attempt} from '../lib/failure.ts';

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
export type RepositoryFolder = ReturnType<typeof repositoryFolder>;

export const repositoryFolder = (state: string, repositoryId: string) => {
	const path = join(state, repositoryId);
	return {
		path,
		lock: join(path, 'lock.sqlite'),
		/** The supervisor's own git repository. */
		store: join(path, 'store.git'),
		/** Holds the path of the supervisor's socket, which depends on the environment it was started in. */
		socket: join(path, 'socket'),
		/** Tells in which namespace of processes the repository was supervised last. */
		namespace: join(path, 'namespace'),
		/** The person's answers about settings of the repository's config. */
		trust: join(path, 'trust.json'),
		/** Output of a background supervisor, with the error if it can't start. */
		log: join(path, 'supervisor.log'),
		session: (id: string) => sessionFolder(join(path, id)),
		/** Caches of package managers inside the sandbox. */
		caches: join(path, 'caches'),
		/** Folder of all planners that are at work, and that of one of them by its name. */
		planners: join(path, 'planners'),
		planner: (name: string) => agentFolder(join(path, 'planners', name)),
	} as const;
};

/** Returns the sessions of a repository, the first one first. */
export const sessionsOf = (folder: RepositoryFolder): readonly string[] => {
	const names = attempt(() => readdirSync(folder.path)) ?? [];
	return names.filter(name => name.startsWith('DEL-')).sort();
};

/** Where everything of one session lies. */
export type SessionFolder = ReturnType<typeof sessionFolder>;

const sessionFolder = (path: string) =>
	({
		path,
		journal: join(path, 'journal'),
		/** The state that the journal tells up to a place in it; see `readStateCheckpoint`. */
		checkpoint: join(path, 'checkpoint.json'),
		/** Is there once a person has given the session up because its journal is damaged. */
		setAside: join(path, 'set-aside.json'),
		/** Values of agents' environments, which no event holds; readable by their owner only. */
		environments: join(path, 'environments.json'),
		/** Telemetry of agents, one JSON object a line. */
		telemetry: join(path, 'telemetry.ndjson'),
		/** Findings of all agents, one JSON object a line. */
		findings: join(path, 'SHARED_FINDINGS.jsonl'),
		/** What a person has seen of agents' work on the screen. */
		seen: join(path, 'seen.json'),
		/** Work that agents were told to skip. */
		skipped: join(path, 'SKIPPED_ITEMS.md'),
		agent: (id: string) => agentFolder(join(path, id)),
		/** Holds a folder for each agent, with files of questions and answers that no other agent sees. */
		questions: join(path, 'questions'),
		/** Where a conflict is resolved by hand. */
		resolution: (conflict: string) => join(path, 'resolutions', conflict),
		/** Folder of the logs of commands that people had run in agents' worktrees. */
		commands: join(path, 'commands'),
		caches: join(dirname(path), 'caches'),
		/** Folder of all checks. */
		checks: join(path, 'verify'),
		/** Where the plan's check looks at trees of work that isn't a result yet; nothing in it outlasts a supervisor. */
		scratch: join(path, 'scratch'),
		/** A check's worktree and log. */
		verify: (name: number | string) => ({
			path: join(path, 'verify', `${name}`),
			log: join(path, 'verify', `${name}.log`),
		}),
	}) as const;

/** Where everything of one agent lies. */
export type AgentFolder = ReturnType<typeof agentFolder>;

const agentFolder = (path: string) =>
	({
		path,
		/** The worktree; its name depends on what is there. */
		get tree() {
			return worktreePath(path);
		},
		/** The repository that it hangs off. */
		hub: join(path, 'hub.git'),
		/** The supervisor's index of the worktree. */
		index: join(path, 'index'),
		/** Is there while the worktree is recreated or changed by us; see `noteUnfinished`. */
		unfinished: join(path, 'unfinished'),
		/** Launch files of its program, outside the worktree. */
		launch: join(path, 'launch'),
		/** Git settings for a person's visit to the worktree. */
		visit: (name: string) => join(path, 'visits', name),
		/** Transcript of the conversation that it goes on from. */
		conversation: join(path, 'conversation.md'),
		/** Its `/tmp` inside the sandbox. */
		temporary: join(path, 'tmp'),
		setupLog: join(path, 'setup.log'),
		/** Trace2 events of each git that it starts, until its turn is over. */
		gitTrace: join(path, 'git-trace.ndjson'),
		/** Programs that refuse, first in its `PATH`. */
		refused: join(path, 'refused'),
		transcript: (turn: number) => join(path, 'transcript', `${turn}.txt`),
		prompt: (turn: number) => join(path, 'prompts', `${turn}.txt`),
		/** Where the patch of a change that left the scope is kept. */
		aside: (number: number) => join(path, 'aside', `${number}.patch`),
		/** Where what stood in the place of its `.git` is kept. */
		gitAside: (number: number) => join(path, 'aside', `${number}.git`),
	}) as const;

/** Returns the name of an agent's branch in its hub. */
export const branchOf = (agent: string): string => `agent/${agent}`;
