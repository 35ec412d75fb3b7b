import {randomUUID} from 'node:crypto';
import {execa} from 'execa';
import type {AgentOrder} from '../../events/agent-order.ts';
import {withoutLocations} from '../../git/process/with-terminal.ts';
import {lendVisitorGit, type VisitorGit} from '../../git/store/visitor-git.ts';
import {changes} from '../../git/tree/changes.ts';
import {defined} from '../../lib/defined.ts';
import {asFailure, Failure} from '../../lib/failure.ts';
import {findContainment} from '../../lib/process/containment.ts';
import {whyNoProgram} from '../../lib/process/find-program.ts';
import {lendTerminal} from '../../lib/process/lend-terminal.ts';
import type {Agent, Snapshot} from '../../state/agent/agent.ts';
import {isLive, lastSnapshot} from '../../state/select.ts';
import type {AgentFolder} from '../../supervisor/folder.ts';
import {visitorEnvironment} from '../../supervisor/requests/require-person.ts';
import type {Visit} from '../../tui/model/view.ts';
import {requireGoodEnd} from '../edit-file.ts';
import {eventIn} from '../event-in.ts';
import {type Here, requireActiveSession, requireAgent} from '../here.ts';
import {print} from '../output.ts';
import {askSupervisor} from '../reach-supervisor.ts';
import {carriedOut} from './carried-out.ts';
import {type VisitChanges, visitText} from './visit-text.ts';
import {
	editorProgram,
	isStillOpen,
	ownProgram,
	type Program,
	shellProgram,
} from './visiting-program.ts';

/**
Lends a person the worktree of an agent; the agent is paused meanwhile, and told afterwards what they changed. Returns in a sentence what came of it.

Where this command is killed in the middle, the agent stays paused until they let it go on.
*/
export const visit = async (here: Here, id: string, how: Visit): Promise<string> => {
	const agent = await agentIn(here, id);
	const {folder} = await requireActiveSession(here);
	const program = programFor(how, agent, folder.agent(id).launch);
	const name = randomUUID();
	await steer(here, id, {verb: 'pause', visit: name});
	const {said, ended} = await stay(here, id, program, name).catch(async (error: unknown) => {
		// Whatever kept the person from it must not keep the agent from its work.
		await steer(here, id, {verb: 'resume', visit: name}).catch(() => {});
		throw error;
	});
	if (ended.status === 'rejected') {
		const {kind, message, hint} = asFailure(ended.reason);
		throw new Failure(kind, `${message} ${said}`, defined({hint}));
	}

	return said;
};

/** What came of a visit, and how its program ended. */
type Stay = {readonly said: string; readonly ended: PromiseSettledResult<void>};

const programFor = (how: Visit, agent: Agent, launch: string): Program => {
	switch (how) {
		case 'shell':
			return shellProgram();
		case 'editor':
			return editorProgram();
		case 'attach':
			return ownProgram(agent, launch);
	}
};

/** However the program ended, the agent is told what was changed until then. */
const stay = async (here: Here, id: string, program: Program, name: string): Promise<Stay> => {
	const {from, folder} = await enter(here, id);
	const git = await lendVisitorGit(here.repository, {
		gitDir: folder.hub,
		tree: folder.tree,
		folder: folder.visit(name),
	});
	print(
		`You are in the worktree of ${id}; it is paused while you are in this ${program.name}. What you change outside its scope is reverted. Git goes by your own settings here and by none of the agent’s, without hooks and submodules; nothing that is started here can decide anything.`,
	);
	const began = performance.now();
	const [ended] = await Promise.allSettled([runIn(folder.tree, id, program, git)]);
	const tookMs = performance.now() - began;
	await git.giveBack();
	await askSupervisor(here, {do: 'capture', agent: id});
	const did = await changesSince(here, await agentIn(here, id), from);
	const changed = did.changed.length + did.reverted.length;
	if (ended.status === 'fulfilled' && isStillOpen(program, {tookMs, changed})) {
		const said = `Your editor ended at once, so it may be open in another window: ${id} stays paused until delegate-tui agent ${id} resume. An editor that is waited for, such as VISUAL='code --wait', lets it go on by itself.`;
		return {said, ended};
	}

	const text = wordsOf(did.changed);
	await steer(here, id, {verb: 'resume', visit: name, ...defined({text})});
	return {said: visitText(await agentIn(here, id), did), ended};
};

/** A snapshot tells what it found outside the scope, before that is reverted. */
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
	const agent = requireAgent(await requireActiveSession(here), id);
	if (agent.workspace.phase === 'wanted') {
		throw new Failure('refused', `${id} has no worktree yet.`);
	}

	return agent;
};

const steer = async (here: Here, id: string, order: AgentOrder): Promise<void> => {
	const answer = await askSupervisor(here, {do: 'steer', agent: id, order});
	await carriedOut(here, await requireActiveSession(here), id, order, eventIn(answer).seq);
};

/** What the agent did until now is pinned, so that it is told apart from what the person does. */
const enter = async (here: Here, id: string): Promise<{from: Snapshot; folder: AgentFolder}> => {
	await askSupervisor(here, {do: 'capture', agent: id});
	const {folder} = await requireActiveSession(here);
	const agent = await agentIn(here, id);
	const from = lastSnapshot(agent);
	if (isLive(agent) || from === undefined) {
		throw new Failure('refused', `${id} has not come to rest yet; it is being paused.`, {
			hint: 'try again in a moment',
		});
	}

	return {from, folder: folder.agent(id)};
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
Returns the words that start a program with process ids of its own, where that can be: what it leaves behind ends with it, and is known until then however it hides.

A shell in there can't give the terminal back to a process group that it doesn't see, so another one around it does.
*/
const keptTogether = async (): Promise<readonly string[]> => {
	const {prefix} = await findContainment(process.env.DELEGATE_TUI_PROCESSES);
	const giving = ['/bin/sh', '-mc', '"$@"\nexit $?', 'sh'];
	return [...(prefix.length > 0 && process.stdin.isTTY ? giving : []), ...prefix];
};

/** Whoever ends this command, or closes its terminal, ends the visit: the agent must not stay paused for nobody. It is listened for before the program is there, which may be ended as soon as it shows itself. */
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

/** Most paths that are named; git can tell the agent the rest. */
const mostPaths = 50;

const wordsOf = (paths: readonly string[]): string | undefined =>
	paths.length === 0
		? undefined
		: `A person changed in your worktree: ${paths.slice(0, mostPaths).join(', ')}${paths.length > mostPaths ? `, and ${paths.length - mostPaths} more` : ''}.`;
