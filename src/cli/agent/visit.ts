import {randomUUID} from 'node:crypto';
import {existsSync} from 'node:fs';
import {realpath} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {execa} from 'execa';
import {installCommand, printedBy} from '../../agents/profiles/profile.ts';
import {profileOf} from '../../agents/profiles/profiles.ts';
import type {AgentOrder} from '../../events/agent-order.ts';
import {withoutLocations} from '../../git/process/with-terminal.ts';
import {lendVisitorGit, repositoriesIn, type VisitorGit} from '../../git/store/visitor-git.ts';
import {changes} from '../../git/tree/changes.ts';
import {asFailure, Failure} from '../../lib/failure.ts';
import {findContainment} from '../../lib/process/containment.ts';
import {whyNoProgram} from '../../lib/process/find-program.ts';
import {lendTerminal} from '../../lib/process/lend-terminal.ts';
import {counted, enumerated} from '../../lib/text/words.ts';
import {defined} from '../../lib/values.ts';
import {type Agent, lastSnapshot, type Snapshot} from '../../state/agent/agent.ts';
import {isLive} from '../../state/select.ts';
import type {AgentFolder} from '../../supervisor/folder.ts';
import {keepEnvironments} from '../../supervisor/machine/environments.ts';
import {openSlots, slotEnvironment} from '../../supervisor/machine/slots.ts';
import {ownHomeIn, riskyFilesIn} from '../../supervisor/perform/start/launch-config.ts';
import {visitorEnvironment} from '../../supervisor/requests/visitor.ts';
import type {FileLine, Visit} from '../../tui/model/view.ts';
import {
	editorCommand,
	mayHaveWindow,
	requireEditor,
	requireGoodEnd,
	wordsForLine,
} from '../edit-file.ts';
import {type Here, requireActiveSession, requireNamedAgent} from '../here.ts';
import {print} from '../output.ts';
import {askSupervisor} from '../reach-supervisor.ts';
import {carriedOut} from './carried-out.ts';

/**
Lends a person the worktree of an agent; the agent is paused meanwhile, and told afterwards what they changed. Returns a sentence about the outcome.

If this command is killed meanwhile, the agent stays paused until the person resumes it.
*/
export const visit = async (here: Here, id: string, how: Visit, at?: FileLine): Promise<string> => {
	const agent = await agentIn(here, id);
	const {folder} = await requireActiveSession(here);
	const {launch, tree} = folder.agent(id);
	await (at && requireFileIn(tree, id, at.path));
	const program = programFor(how, agent, launch, at);
	const name = randomUUID();
	await steer(here, id, {verb: 'pause', visit: name});
	const {said, ended} = await stay(here, id, program, {name, at}).catch(async (error: unknown) => {
		// A failed visit must not stop the agent from working.
		await steer(here, id, {verb: 'resume', visit: name}).catch(() => {});
		throw error;
	});
	if (ended.status === 'rejected') {
		const {kind, message, hint} = asFailure(ended.reason);
		throw new Failure(kind, `${message} ${said}`, defined({hint}));
	}

	return said;
};

type Stay = {readonly said: string; readonly ended: PromiseSettledResult<void>};

const programFor = (how: Visit, agent: Agent, launch: string, at?: FileLine): Program => {
	switch (how) {
		case 'shell':
			return shellProgram();
		case 'editor':
			return editorProgram(at);
		case 'attach':
			return ownProgram(agent, launch);
	}
};

/**
Refuses a file that is gone, or that leads out of the worktree: an agent may have replaced it, or a folder above it, by a link.

@throws `Failure` of kind `refused`.
*/
const requireFileIn = async (tree: string, id: string, path: string): Promise<void> => {
	const [root, file] = await Promise.all([
		realpath(tree),
		realpath(join(tree, path)).catch(() => undefined),
	]);
	if (file === undefined || !path.isWellFormed()) {
		throw new Failure('refused', `${path.toWellFormed()} is not in the worktree of ${id} now.`);
	}

	if (file !== join(root, path)) {
		throw new Failure('refused', `${path} is a link, or in a linked folder: it leads to ${file}.`);
	}
};

/** Runs the program, and tells the agent the person's changes even if the program failed. */
const stay = async (
	here: Here,
	id: string,
	program: Program,
	{name, at}: {name: string; at: FileLine | undefined},
): Promise<Stay> => {
	const {from, folder} = await enter(here, id);
	// Until the agent was paused it could put a link there.
	await (at && requireFileIn(folder.tree, id, at.path));
	await (program.hasWindow ? requireNoRepositories(id, folder.tree) : undefined);
	await requireNoneObeyed(id, folder.tree, program);
	const git = await lendVisitorGit(here.repository, {
		gitDir: folder.hub,
		tree: folder.tree,
		folder: folder.visit(name),
	});
	print(
		`You are in the worktree of ${id}; it is paused while you are in this ${program.name}. What you change outside its scope is reverted. Git follows your own settings here and none of the agent’s, without hooks and submodules; nothing that you start here can decide anything.`,
	);
	const began = performance.now();
	const session = await requireActiveSession(here);
	const slot = await slotEnvironment(
		{
			slots: openSlots(dirname(here.folder.path)),
			state: () => session.state,
			environments: await keepEnvironments(session.folder.environments, () => session.state),
		},
		folder.tree,
	);
	const [ended] = await Promise.allSettled([
		runIn(folder.tree, id, {...program, environment: {...slot, ...program.environment}}, git),
	]);
	const tookMs = performance.now() - began;
	// A window may outlast its program, so the person's git is removed from the worktree only when the agent’s next turn begins.
	await (program.hasWindow ? undefined : git.giveBack());
	await askSupervisor(here, {do: 'capture', agent: id});
	const did = await changesSince(here, await agentIn(here, id), from);
	const changed = did.changed.length + did.reverted.length;
	if (ended.status === 'fulfilled' && isStillOpen(program, {tookMs, changed})) {
		const said = `Your editor ended at once, so it may be open in another window: ${id} stays paused until delegate-tui agent ${id} resume; close the window before that. With an editor that waits, such as VISUAL='code --wait', it goes on by itself.`;
		return {said, ended};
	}

	const text = wordsOf(did.changed);
	await steer(here, id, {verb: 'resume', visit: name, ...defined({text})});
	return {said: visitText(await agentIn(here, id), did), ended};
};

/** Returns the changes, including those outside the scope, which the snapshot records before they are reverted. */
const changesSince = async (
	{folder}: Here,
	{snapshots}: Agent,
	{number: from, work}: Snapshot,
): Promise<VisitChanges> => {
	const later = snapshots.filter(({number}) => number > from);
	const changed = await changes({gitDir: folder.store}, work, later.at(-1)?.work ?? work);
	const outside = later.flatMap(({outside, stuck = []}) =>
		outside.filter(path => !stuck.includes(path)),
	);
	return {changed: changed.map(({path}) => path), reverted: [...new Set(outside)]};
};

const agentIn = async (here: Here, id: string): Promise<Agent> => {
	const agent = requireNamedAgent(await requireActiveSession(here), id);
	if (agent.workspace.phase === 'wanted') {
		throw new Failure('refused', `${id} has no worktree yet.`);
	}

	return agent;
};

const steer = async (here: Here, id: string, order: AgentOrder) =>
	carriedOut(here, await requireActiveSession(here), id, order);

/** Takes a snapshot on entry, so that the agent's changes are told apart from the person's. */
const enter = async (here: Here, id: string): Promise<{from: Snapshot; folder: AgentFolder}> => {
	await askSupervisor(here, {do: 'capture', agent: id});
	const {folder} = await requireActiveSession(here);
	const agent = await agentIn(here, id);
	const from = lastSnapshot(agent);
	if (isLive(agent) || from === undefined) {
		throw new Failure('refused', `${id} has not stopped yet; it is still being paused.`, {
			hint: 'try again in a moment',
		});
	}

	return {from, folder: folder.agent(id)};
};

/**
Refuses to open a worktree in an editor with a window if it contains repositories that the agent may have made: the editor would run git in them.

Such a window usually belongs to a program that is already running, which gets neither our environment nor our git.

@throws `Failure` of kind `refused`.
*/
const requireNoRepositories = async (id: string, tree: string): Promise<void> => {
	const inside = await repositoriesIn(tree);
	if (inside.length > 0) {
		const named = inside.slice(0, mostNamed);
		const more = inside.length > named.length ? [`${inside.length - named.length} more`] : [];
		throw new Failure(
			'refused',
			`There are repositories inside the worktree of ${id}, and an editor with a window would run what their settings name: ${enumerated([...named, ...more])}.`,
			{
				hint: `delegate-tui agent ${id} shell runs nothing of theirs, nor does a terminal editor, such as VISUAL=vim`,
			},
		);
	}
};

/** Refuses to start an agent's program if it would run what a file in the worktree names: the agent may have written that. */
export const requireNoneObeyed = async (
	id: string,
	tree: string,
	{obeys = []}: Program,
): Promise<void> => {
	const [file] = await riskyFilesIn(tree, {riskyFiles: obeys});
	if (file !== undefined) {
		throw new Failure(
			'refused',
			`As you and outside the sandbox, the program of ${id} would run what ${file} in its worktree names.`,
			{
				hint: `delegate-tui agent ${id} shell opens the worktree; \`trust: project\` in the agent’s profile allows it`,
			},
		);
	}
};

const runIn = async (
	directory: string,
	id: string,
	{command, environment, hasWindow, hint, name, title}: Program,
	git: VisitorGit,
): Promise<void> => {
	const [file = ''] = command;
	const person = withoutLocations(visitorEnvironment(process.env, `the worktree of ${id}`));
	const ofGit = hasWindow ? {} : git.environment(person.PATH ?? '');
	const env = {...person, ...environment, ...ofGit};
	if (whyNoProgram(file, {directory, environment: env}) !== undefined) {
		throw new Failure('missing', `Your ${name} ${file} could not be started.`, {hint});
	}

	const [first = '', ...words] = [...(hasWindow ? [] : await keptTogether()), ...command];
	const {exitCode, signal} = await lendTerminal(() =>
		untilGone(() =>
			execa(first, words, {
				cwd: directory,
				env,
				extendEnv: false,
				stdio: 'inherit',
				reject: false,
			}),
		),
	);
	if (title !== undefined) {
		requireGoodEnd(title, exitCode, signal);
	}
};

/**
Returns the command prefix that starts a program in its own PID namespace, if possible: all its processes end with it, and can't hide before.

A shell inside can't give the terminal back to a process group outside of its namespace, so a shell around it does.
*/
const keptTogether = async (): Promise<readonly string[]> => {
	const {prefix} = await findContainment(process.env.DELEGATE_TUI_PROCESSES);
	const giving = ['/bin/sh', '-mc', '"$@"\nexit $?', 'sh'];
	return [...(prefix.length > 0 && process.stdin.isTTY ? giving : []), ...prefix];
};

/** Forwards SIGHUP and SIGTERM to the program. The handlers are installed before it starts: however this command ends, the agent must be resumed. */
const untilGone = async <Result>(start: () => Hearing & Promise<Result>): Promise<Result> => {
	let running: Hearing | undefined;
	const hangUp = (): void => {
		running?.kill('SIGHUP');
	};

	for (const signal of endings) {
		process.on(signal, hangUp);
	}

	try {
		const started = start();
		running = started;
		return await started;
	} finally {
		for (const signal of endings) {
			process.off(signal, hangUp);
		}
	}
};

type Hearing = {readonly kill: (signal: NodeJS.Signals) => boolean};

const endings = ['SIGHUP', 'SIGTERM'] as const;

/** Maximum number of named paths; the agent can get the rest from git. */
const mostPaths = 50;

const wordsOf = (paths: readonly string[]): string | undefined =>
	paths.length === 0
		? undefined
		: `A person changed in your worktree: ${paths.slice(0, mostPaths).join(', ')}${paths.length > mostPaths ? `, and ${paths.length - mostPaths} more` : ''}.`;

/** Paths that a person changed in the worktree of an agent. */
type VisitChanges = {
	readonly changed: readonly string[];
	/** Paths outside its scope, whose changes were reverted. */
	readonly reverted: readonly string[];
};

/** Returns sentences about the outcome of a visit; reverted work of the person is named, with the way to restore it. */
export const visitText = (agent: Agent, {changed, reverted}: VisitChanges): string => {
	const {id} = agent;
	const told = `You changed ${counted(changed.length, 'file')}, and ${id} is told`;
	const did =
		changed.length > 0 ? told : `You changed nothing${reverted.length > 0 ? ' in its scope' : ''}`;
	const said = `${did}; ${standingText(agent)}.`;
	if (reverted.length === 0) {
		return said;
	}

	const more = reverted.length - mostNamed;
	const named = [...reverted.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])];
	return `${said} Reverted, since outside its scope: ${enumerated(named)}. To restore some of them: delegate-tui agent ${id} grant PATH…; to see all: delegate-tui diff ${id} --reverted`;
};

/** Maximum number of paths in a sentence. */
const mostNamed = 5;

const standingText = ({id, held, visits}: Agent): string => {
	if (held === undefined) {
		return 'it goes on';
	}

	return visits === undefined
		? 'it stays paused'
		: `it stays paused, since someone else, or your editor in another window, may be in its worktree; delegate-tui agent ${id} resume resumes it anyway`;
};

/** A program that a person uses in the worktree of an agent. */
type Program = {
	readonly command: readonly string[];
	/** Variables that override the person's own. */
	readonly environment: Readonly<Record<string, string>>;
	/** True if it has, or may have, a window of its own, which can be open for other folders, too, and outlast the visit. */
	readonly hasWindow: boolean;
	/** Files of a worktree that name programs which it starts before it asks. */
	readonly obeys?: readonly string[];
	/** Kind of program, in a word. */
	readonly name: string;
	/** The person's name for it, if a shell starts it. */
	readonly title?: string;
	/** Advice if it can't be started. */
	readonly hint: string;
};

const shellProgram = (): Program => ({
	command: [process.env.SHELL || '/bin/sh'],
	environment: {},
	hasWindow: false,
	name: 'shell',
	hint: 'set SHELL to another one',
});

/** Returns the editor for a file at a line, or for the whole folder, which every editor with a file list can open. */
const editorProgram = (at: FileLine | undefined): Program => {
	const editor = requireEditor(process.env);
	return {
		command: editorCommand(
			editor,
			...(at === undefined ? ['.'] : wordsForLine(editor, `./${at.path}`, at.line)),
		),
		environment: {},
		hasWindow: mayHaveWindow(editor, process.env),
		name: 'editor',
		title: editor,
		hint: 'set VISUAL or EDITOR to one that is installed',
	};
};

/**
Returns whether an editor has probably only passed the folder to its own window, in which the person is now working.

The time is too short for reading a folder; a person who has changed something was there.
*/
export const isStillOpen = (
	{title}: Pick<Program, 'title'>,
	{tookMs, changed}: {readonly tookMs: number; readonly changed: number},
): boolean => title !== undefined && changed === 0 && tookMs < handedOverMs;

const handedOverMs = 2000;

/**
Returns the agent's own program, resuming the agent's conversation in a terminal; `launch` is the working directory in which the agent is started.

If the agent has its own home of settings, its conversation may exist only there.

@throws `Failure` of kind `refused` if there is no such program, or no conversation yet.
*/
export const ownProgram = ({id, subtask, conversation}: Agent, launch: string): Program => {
	const profile = profileOf(subtask.agent);
	const attach = subtask.agent.protocol === 'acp' ? profile?.attach : undefined;
	if (profile === undefined || attach === undefined) {
		throw new Failure('refused', `${id} has no program that can resume its conversation.`, {
			hint: `delegate-tui agent ${id} shell opens its worktree`,
		});
	}

	if (conversation === undefined) {
		throw new Failure('refused', `${id} has not opened a conversation yet.`, {
			hint: 'try again once it has begun',
		});
	}

	// The agent names its conversation, and could name an option.
	if (!/^\w[\w.:-]*$/.test(conversation)) {
		throw new Failure(
			'refused',
			`${id} calls its conversation ${conversation}, which its program may not take for one.`,
			{hint: `delegate-tui agent ${id} shell opens its worktree`},
		);
	}

	const home = ownHomeIn(launch);
	const variable = existsSync(home) ? profile.settingsHome?.variable : undefined;
	const trusted = subtask.agent.trust === 'project';
	const {command, environment} = attach(conversation, trusted);
	return {
		command,
		environment: {...environment, ...(variable === undefined ? {} : {[variable]: home})},
		obeys: trusted ? [] : profile.riskyFiles,
		hasWindow: false,
		name: 'program',
		hint: `it comes with ${profile.title}: ${installCommand(printedBy(profile))}`,
	};
};
