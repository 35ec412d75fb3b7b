import {readdirSync} from 'node:fs';
import {homedir} from 'node:os';
import {dirname, isAbsolute, join, resolve} from 'node:path';
import {worktreePath} from '../git/store/worktree-path.ts';
import {attempt} from '../lib/failure.ts';

/**
Returns the folder that holds the state of all repositories.

@see DESIGN §3: `$DELEGATE_TUI_STATE`, else the system's default folder for state.
*/
export const stateFolder = (environment: NodeJS.ProcessEnv): string => {
	if (environment.DELEGATE_TUI_STATE) {
		return resolve(environment.DELEGATE_TUI_STATE);
	}

	const {XDG_STATE_HOME = ''} = environment;
	if (isAbsolute(XDG_STATE_HOME)) {
		return join(XDG_STATE_HOME, 'delegate-tui');
	}

	return process.platform === 'darwin'
		? join(homedir(), 'Library', 'Application Support', 'delegate-tui')
		: join(homedir(), '.local', 'state', 'delegate-tui');
};

export type RepositoryFolder = ReturnType<typeof repositoryFolder>;

export const repositoryFolder = (state: string, repositoryId: string) => {
	const path = join(state, repositoryId);
	return {
		path,
		lock: join(path, 'lock.sqlite'),
		/** The supervisor's own git repository. */
		store: join(path, 'store.git'),
		/** File with the path of the supervisor's socket, which depends on the environment of the supervisor. */
		socket: join(path, 'socket'),
		/** File with the process namespace of the repository's last supervisor. */
		namespace: join(path, 'namespace'),
		/** The person's answers about settings of the repository's config. */
		trust: join(path, 'trust.json'),
		/** Output of a background supervisor, with the error if it can't start. */
		log: join(path, 'supervisor.log'),
		session: (id: string) => sessionFolder(join(path, id)),
		/** Caches of package managers inside the sandbox. */
		caches: join(path, 'caches'),
		/** Folder of all planners, and the folder of one planner by its name. */
		planners: join(path, 'planners'),
		planner: (name: string) => agentFolder(join(path, 'planners', name)),
	} as const;
};

/** Returns the sessions of a repository, oldest first. */
export const sessionsOf = (folder: RepositoryFolder): readonly string[] => {
	const names = attempt(() => readdirSync(folder.path)) ?? [];
	return names.filter(name => name.startsWith('DEL-')).sort();
};

export type SessionFolder = ReturnType<typeof sessionFolder>;

const sessionFolder = (path: string) =>
	({
		path,
		journal: join(path, 'journal'),
		/** The state after part of the journal; see `readStateCheckpoint`. */
		checkpoint: join(path, 'checkpoint.json'),
		/** Exists once a person has given up the session because its journal is damaged. */
		setAside: join(path, 'set-aside.json'),
		/** Environment variables of agents, which events never hold; only their owner can read the file. */
		environments: join(path, 'environments.json'),
		/** Telemetry of agents, one JSON object per line. */
		telemetry: join(path, 'telemetry.ndjson'),
		/** Findings of all agents, one JSON object per line. */
		findings: join(path, 'SHARED_FINDINGS.jsonl'),
		/** Record of the work that a person has seen on the screen. */
		seen: join(path, 'seen.json'),
		/** Work that agents were told to skip. */
		skipped: join(path, 'SKIPPED_ITEMS.md'),
		agent: (id: string) => agentFolder(join(path, id)),
		/** Contains a folder for each agent, with files of questions and answers that other agents can't see. */
		questions: join(path, 'questions'),
		/** Folder in which a person resolves a conflict by hand. */
		resolution: (conflict: string) => join(path, 'resolutions', conflict),
		/** Folder of the logs of commands that people ran in agents' worktrees. */
		commands: join(path, 'commands'),
		caches: join(dirname(path), 'caches'),
		/** Folder of all checks. */
		checks: join(path, 'verify'),
		/** Folder in which the plan's check tests trees that aren't results yet; it is empty when a supervisor starts. */
		scratch: join(path, 'scratch'),
		/** A check's worktree and log. */
		verify: (name: number | string) => ({
			path: join(path, 'verify', `${name}`),
			log: join(path, 'verify', `${name}.log`),
		}),
	}) as const;

export type AgentFolder = ReturnType<typeof agentFolder>;

const agentFolder = (path: string) =>
	({
		path,
		/** The worktree; its name depends on which folder exists. */
		get tree() {
			return worktreePath(path);
		},
		/** The git repository of the worktree. */
		hub: join(path, 'hub.git'),
		/** The supervisor's index of the worktree. */
		index: join(path, 'index'),
		/** Exists while the supervisor recreates or changes the worktree; see `noteUnfinished`. */
		unfinished: join(path, 'unfinished'),
		/** Files that start the agent's program, outside the worktree. */
		launch: join(path, 'launch'),
		/** Git settings for a person's visit to the worktree. */
		visit: (name: string) => join(path, 'visits', name),
		/** Transcript of the conversation that the agent continues. */
		conversation: join(path, 'conversation.md'),
		/** The agent's `/tmp` inside the sandbox. */
		temporary: join(path, 'tmp'),
		setupLog: join(path, 'setup.log'),
		/** Trace2 events of all gits that the agent starts, until its turn ends. */
		gitTrace: join(path, 'git-trace.ndjson'),
		/** Programs that always refuse, first in the agent's `PATH`. */
		refused: join(path, 'refused'),
		transcript: (turn: number) => join(path, 'transcript', `${turn}.txt`),
		prompt: (turn: number) => join(path, 'prompts', `${turn}.txt`),
		/** Patch of a change that was outside the scope. */
		aside: (number: number) => join(path, 'aside', `${number}.patch`),
		/** The entry that an agent put in the place of its `.git`. */
		gitAside: (number: number) => join(path, 'aside', `${number}.git`),
	}) as const;

export const branchOf = (agent: string): string => `agent/${agent}`;
