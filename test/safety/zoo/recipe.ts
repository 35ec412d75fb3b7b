import {join} from 'node:path';
import {agent, type PlannedAgent} from '../../helpers/plan-file.ts';
import {
	type Files,
	git,
	makeRepository,
	script,
	temporaryFolder,
	write,
} from '../../helpers/repository.ts';

/** A repository of an odd kind, and what has to come of a session in it. */
export type Recipe = {
	readonly name: string;
	/** Makes it, and returns the folder in which a person starts. */
	readonly make: () => string;
	/** What the person's shell has besides. */
	readonly env?: () => Readonly<Record<string, string>>;
	/** What the agent does; it writes `src/work.txt` unless said otherwise. */
	readonly agent?: () => PlannedAgent;
	/** The branch to merge into, when it is another one than `main`. */
	readonly target?: string;
	/** Paths that the merge brings. */
	readonly merged?: readonly string[];
	/** The exit code and the words with which it is refused at the start; it comes to its merge otherwise. */
	readonly refused?: {readonly code: number; readonly says: RegExp};
	/** What stands in the way of the merge, by its cause or by what git says, and how a person takes it away. */
	readonly hindered?: {readonly cause: string | RegExp; readonly clear: (root: string) => void};
	/** Files outside the repository, by path, that nobody may have made. */
	readonly canary?: string;
};

/** The agent that most recipes have. */
export const usualAgent = (): PlannedAgent => agent('edits.sh', ['src/work.txt', 'work']);

/** An agent that runs a line of shell in its worktree, and reports success. */
export const shellAgent = (line: string, allowed: readonly string[] = ['**']): PlannedAgent => {
	const path = join(temporaryFolder(), 'agent.sh');
	const report = "printf '[COMPLETION_REPORT]\\nstatus: success\\n[/COMPLETION_REPORT]\\n'";
	script(path, `${line}\n${report}`);
	return {
		subtask: 'Run the line',
		scope: {allowed},
		agent: {protocol: 'text', command: [path]},
	};
};

/** Makes a repository with one commit of these files; the program writes no documents into it. */
export const repositoryOf = (files: Files = {'readme.md': 'hello\n'}): string =>
	makeRepository({'.delegate-tui.yaml': 'docs: false\n', ...files});

/** Makes a repository, does something to it, and returns it. */
export const changed = (change: (root: string) => void, files?: Files): string => {
	const root = repositoryOf(files);
	change(root);
	return root;
};

/** Makes a branch with a commit of its own, and goes back to `main`. */
export const withBranch = (root: string, branch: string, files: Files): void => {
	git(root, 'checkout', '--quiet', '-b', branch);
	write(root, files);
	git(root, 'add', '--all');
	git(root, 'commit', '--quiet', '--message', branch);
	git(root, 'checkout', '--quiet', 'main');
};
