import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import type {McpServerStdio} from '@agentclientprotocol/sdk';
import {denialsIn} from '../../../agents/acp/speech/denials.ts';
import {profileOf} from '../../../agents/profiles/profiles.ts';
import {agentEnvironment} from '../../../agents/spawn-agent.ts';
import {startTextTurn} from '../../../agents/text-turn.ts';
import {type AgentTurn, toolConfig, toolConfigName} from '../../../agents/turn.ts';
import type {Body, Silence, TurnEnd} from '../../../events/event.ts';
import {leadToHub} from '../../../git/store/visitor-git.ts';
import {attempt} from '../../../lib/failure.ts';
import {readEndAt, textInFile} from '../../../lib/files/reading.ts';
import {realPath} from '../../../lib/process/box.ts';
import {defined, isSame} from '../../../lib/values.ts';
import {unreportedCollisions} from '../../../rules/collisions.ts';
import {withSendable} from '../../../rules/commands/why-not.ts';
import type {EffectOf} from '../../../rules/effects/effect.ts';
import {owed} from '../../../rules/effects/effects.ts';
import type {Agent, Denial} from '../../../state/agent/agent.ts';
import {whollyForbidden} from '../../../state/agent/scope.ts';
import {agentOf, takesReplies} from '../../../state/select.ts';
import type {LoginLimit, State} from '../../../state/state.ts';
import {accessEnvironment} from '../../../tools/access.ts';
import type {LeaveLogin, RenewableLogin} from '../../budgets.ts';
import {linkedLogin, personHome, type SandboxSpec} from '../../machine/box-for.ts';
import {inWorktree, protectsFiles} from '../../machine/sandbox.ts';
import {slotEnvironment} from '../../machine/slots.ts';
import {reportSurvivors} from '../../machine/survivors.ts';
import {type StoppedCommands, watchForStopped} from '../../requests/allowed-command.ts';
import {forgetTrace, refusing, traced, triedIn, triedName} from '../../requests/attempts.ts';
import {reportDenied, reportRefusedHost} from '../../requests/denied-access.ts';
import {rebuildIfGone} from '../../worktree/rebuild.ts';
import {requireSession, type World} from '../../world.ts';
import {inTree, launchConfig} from './launch-config.ts';
import {promptFor} from './prompt-for.ts';
import {type Started, startAcp, suits, type TurnParts} from './start-acp.ts';

/** Starts a turn of an agent when the queue of starts allows it, unless the start is no longer owed by then. */
export const start = async (world: World, effect: EffectOf<'start'>): Promise<readonly Body[]> => {
	await world.starts.turn(requireSession(world.state()).settings.staggerMs);
	const leaveLogin = await world.starts.withLogin(loginOfAgent(world, effect.agent));
	const state = world.state();
	const agent = agentOf(state, effect.agent);
	const isOwed = owed(state).effects.some(({key}) => isSame(key, effect.key));
	const met = agent && limitOfItsLogin(world, agent);
	if (agent === undefined || !isOwed || met !== undefined) {
		leaveLogin(false);
		return isOwed && met !== undefined
			? [{kind: 'limit.shared', agent: effect.agent, metBy: met.agent, until: met.until}]
			: [];
	}

	try {
		return await begin(world, state, {agent, leaveLogin}, effect);
	} catch (error) {
		leaveLogin(false);
		await world.conversations.end(agent.id);
		throw error;
	}
};

/** Returns a limit that another agent with the same login has met, even if this agent joined or switched to the login later. Limits without a known end don't count: they may be over. */
const limitOfItsLogin = (world: World, agent: Agent): LoginLimit | undefined => {
	const {loginLimits, agents} = world.state();
	return loginLimits.find(
		({holds, isUnknown, ofModel}) =>
			!isUnknown &&
			agents.some(
				other =>
					holds.includes(other.id) &&
					isSame(loginOf(world, other, ofModel), loginOf(world, agent, ofModel)),
			),
	);
};

/** Starts the turn with its prompt; the agent's output and the end of the turn are recorded as they come. */
const begin = async (
	world: World,
	state: State,
	{agent, leaveLogin}: {readonly agent: Agent; readonly leaveLogin: LeaveLogin},
	effect: EffectOf<'start'>,
): Promise<readonly Body[]> => {
	await rebuildIfGone(world, state, agent);
	// A person's visit to the worktree may have been interrupted, or still be open.
	await leadToHub(world.folder.agent(agent.id).hub);
	// Update the questions, so that the checkpoint file from which the agent resumes is complete.
	await (effect.prompt === 'resume' ? world.questions.look() : undefined);
	// The prompt mentions it if the worktree had to be recreated.
	const {rebuilt} = agentOf(world.state(), agent.id) ?? agent;
	const {sent, unsent} = withSendable(agent);
	const prompt = await promptFor(world, state, {...sent, ...defined({rebuilt})}, effect.prompt);
	// A kept process may belong to a conversation before the agent started over, or have less access than was granted.
	const isOld = agent.conversation === undefined || agent.access?.some(({isNew}) => isNew);
	// It ends before the next one is prepared, as it could put links in the place of folders that are mounted then.
	const kept = await world.conversations.takeUp(
		agent.id,
		kept => !isOld && suits(world, sent, kept),
	);
	const isInUse = kept !== undefined;
	const parts = await partsFor(world, {agent, leaveLogin, isInUse}, effect, prompt.whole);
	for (const why of unsent) {
		parts.onDetail({kind: 'unmet', what: `A command of its own was not sent: ${why}`}, 0);
	}

	await world.checkout.begin(agent.id);
	const {turn, opened} =
		agent.subtask.agent.protocol === 'acp'
			? await startAcp(world, sent, effect.turn, {...parts, prompt})
			: await startText(agent, {...parts, prompt: prompt.whole});
	const collisions =
		effect.prompt === 'launch'
			? []
			: unreportedCollisions(state, agent.id).map(({finding}) => finding.key);
	// Events are written in the order of the calls, so the agent's first signal comes after this one.
	const started = world.append([
		...opened,
		{
			kind: 'turn.started',
			agent: agent.id,
			turn: effect.turn,
			prompt: effect.prompt,
			pid: turn.pid,
			startTime: turn.startTime,
			items: effect.prompt === 'reminder' ? [] : agent.replies.map(({item}) => item),
			...(collisions.length === 0 ? {} : {collisions}),
			...defined({takesWords: turn.takesWords, access: agent.access?.length}),
		},
	]);
	const over = ending(world, agent.id, effect.turn, turn, parts);
	// A stopping supervisor can't record the end; the next one finds the turn lost.
	over.catch(() => {}).finally(() => leaveLogin(false));
	world.turns.set(agent.id, {
		...turn,
		over,
		tellTried: async () => {
			await tellTried(world, agent.id, parts.stopped);
			await world.checkout.look();
		},
	});
	await started;
	return [];
};

/** Returns the environment variable that marks the processes of an agent. */
export const turnMark = (session: string, agent: string): string =>
	`DELEGATE_TURN=${session}/${agent}`;

/** Parameters of a turn for both protocols, and callbacks for the agent's output. */
type Heard = TurnParts & {
	readonly said: ReturnType<typeof createSaid>;
	/** Handles a path to which the agent was denied access. */
	readonly denied: (denial: Denial) => void;
};

const partsFor = async (
	world: World,
	{
		agent,
		leaveLogin,
		isInUse,
	}: Pick<SandboxSpec, 'isInUse'> & {
		readonly agent: Agent;
		readonly leaveLogin: LeaveLogin;
	},
	{turn}: EffectOf<'start'>,
	prompt: string,
): Promise<Heard> => {
	const folder = world.folder.agent(agent.id);
	const promptFile = folder.prompt(turn);
	await mkdir(dirname(promptFile), {recursive: true});
	await writeFile(promptFile, prompt);
	const mark = turnMark(world.session, agent.id);
	const own = agentEnvironment(process.env, {
		session: world.session,
		agent: agent.id,
		promptFile,
		mark,
		profile: await slotEnvironment(world, folder.tree, agent.id),
		...defined({questions: world.state().session?.settings.questionsHome}),
	});
	const {environment, server} = await textTools(world, agent, {
		...own,
		...(await traced(folder.gitTrace)),
	});
	const stopped = watchForStopped(({what, why}) => {
		const refused = {path: what, change: 'refused', why, patch: ''} as const;
		world.report({kind: 'scope.left', agent: agent.id, ...refused});
	});
	const boxed = protectsFiles(world.containment, world.state().session?.settings.sandbox);
	const launch = await launchConfig(agent, folder, environment, {
		...defined({tools: server}),
		boxed,
		checkout: world.repository.root,
	});
	const profile = profileOf(agent.subtask.agent);
	const refusals = await refusing(folder.refused, launch, agent.subtask, profile);
	const login = boxed ? linkedLogin(profile, environment) : undefined;
	const said = createSaid((signal, offset) =>
		world.report({kind: 'signal.said', agent: agent.id, turn, signal, offset}),
	);
	const shutIn = await inWorktree(world, {
		name: agent.id,
		agent: agent.id,
		tree: folder.tree,
		environment: refusals.environment,
		commands: [
			refusals.command,
			...(agent.subtask.mcpServers ?? []).map(one => ('url' in one ? [] : one.command)),
		],
		forbidden: whollyForbidden(agent.subtask.scope),
		...defined({profile, isInUse}),
		onRefused: (...refused) => reportRefusedHost(world, {agent: agent.id, turn}, ...refused),
		more: [
			...[
				folder.launch,
				folder.refused,
				dirname(promptFile),
				dirname((await world.tools.open(agent.id)).socket),
			].map(path => ({path, as: 'seen'}) as const),
			...[join(folder.refused, triedName), folder.gitTrace].map(
				path => ({path, as: 'own'}) as const,
			),
		],
	});
	const containment = world.limits?.limit(agent.id, shutIn) ?? shutIn;
	const denied = (denial: Denial): void =>
		reportDenied(
			world,
			{
				containment,
				turn,
				agent: agent.id,
				...{tree: folder.tree, checkout: world.repository.root, environment: refusals.environment},
			},
			denial,
		);
	return {
		...launch,
		...defined({
			warning:
				login === undefined
					? launch.warning
					: `Its login ${login} is a link, whose target the sandbox hides, so it may not be logged in. Put the file itself there.`,
		}),
		...refusals,
		stopped,
		denied,
		directory: folder.tree,
		mark,
		containment,
		freezer: world.freezer,
		transcript: folder.transcript(turn),
		expect: agent.subtask.expect,
		said,
		onSignal: said.hear,
		onSilence: silence => reportSilence(world, {agent: agent.id, turn}, silence),
		onQuiet: () => reportSilence(world, {agent: agent.id, turn}, 'quiet'),
		onAnswer: () => leaveLogin(true),
		onDetail: (detail, offset) => {
			if (detail.kind === 'denied') {
				denied(detail);
				return;
			}

			stopped.hear(detail);
			world.telemetry.write({agent: agent.id, turn, offset, ...inTree(folder.tree, detail)});
			world.budgets.hear(agent.id, turn, detail);
		},
	};
};

/** Number of progress signals that an agent may send at once, and the interval at which it may send another one, in milliseconds. */
const [progressBurst, progressEveryMs] = [50, 1000];

/**
Forwards the signals of a turn. If progress comes faster than a person can read, it forwards only the latest of each second.

A loop that reports each step would make the journal long, and all readers slow. The transcript contains all of it.
*/
export const createSaid = (
	report: TurnParts['onSignal'],
	now: () => number = () => performance.now(),
): {readonly hear: TurnParts['onSignal']; readonly flush: () => void} => {
	let left = progressBurst;
	let since = now();
	let held: Parameters<TurnParts['onSignal']> | undefined;
	let timer: NodeJS.Timeout | undefined;
	const flush = (): void => {
		clearTimeout(timer);
		timer = undefined;
		if (held !== undefined) {
			report(...held);
			held = undefined;
		}
	};

	return {
		flush,
		hear: (signal, offset) => {
			if (signal.kind !== 'progress') {
				flush();
				report(signal, offset);
				return;
			}

			const earned = Math.floor((now() - since) / progressEveryMs);
			left = Math.min(progressBurst, left + earned);
			since += earned * progressEveryMs;
			if (left > 0) {
				left--;
				held = undefined;
				report(signal, offset);
			} else {
				held = [signal, offset];
				timer ??= setTimeout(flush, progressEveryMs);
			}
		},
	};
};

const startText = async (
	agent: Agent,
	parts: TurnParts & {readonly prompt: string},
): Promise<Started> => {
	const {agent: command} = agent.subtask;
	return {
		turn: await startTextTurn({
			...parts,
			keepInput: takesReplies(agent),
			...defined({stream: command.protocol === 'text' ? command.stream : undefined}),
		}),
		opened: [],
	};
};

const tellTried = async (
	{folder}: World,
	agent: string,
	stopped: StoppedCommands,
): Promise<void> => {
	for (const command of await triedIn(folder.agent(agent))) {
		stopped.failed(command);
	}
};

const ending = async (
	world: World,
	agent: string,
	number: number,
	turn: AgentTurn,
	{stopped, said, denied, transcript}: Pick<Heard, 'stopped' | 'said' | 'denied' | 'transcript'>,
): Promise<void> => {
	const {end, lastError, lastWords, survivors} = await turn.ended;
	said.flush();
	if (isPlain(world, agent)) {
		denialsIn(await readEndAt(`${transcript}.err`, mostComplaints)).forEach(denied);
	}

	await tellTried(world, agent, stopped);
	await forgetTrace(world.folder.agent(agent).gitTrace);
	await world.checkout.look(agent);
	// The agent may have read an answer or written a question file at the very end.
	await world.questions.look();
	world.turns.delete(agent);
	const killed = world.limits?.release(agent);
	reportSurvivors(world, agent, survivors);
	await world.append([
		{
			kind: 'turn.ended',
			agent,
			turn: number,
			end: withSharing(world, agent, end),
			...defined({lastError: killed ?? lastError, lastWords}),
		},
	]);
};

/** Returns whether an agent prints plain text, so that only the stream tells its words from errors of its tools. */
const isPlain = ({state}: World, id: string): boolean => {
	const {protocol, ...how} = agentOf(state(), id)?.subtask.agent ?? {};
	return protocol === 'text' && !('stream' in how);
};

const mostComplaints = 64 * 1024;

/** Adds the agents that share a limit: those with the same program and environment and, for a model's limit, the same model. */
const withSharing = (world: World, id: string, end: TurnEnd): TurnEnd => {
	const limit = end.by === 'error' ? end.trouble?.limit : undefined;
	if (end.by !== 'error' || end.trouble === undefined || limit === undefined) {
		return end;
	}

	const {agents} = world.state();
	const own = agentOf(world.state(), id);
	const login = own && loginOf(world, own, limit.ofModel);
	const shared = agents
		.filter(other => other.id !== id && isSame(loginOf(world, other, limit.ofModel), login))
		.map(other => other.id);
	return {...end, trouble: {...end.trouble, limit: {...limit, shared}}};
};

/** Time before its expiry from which a login counts as about to be renewed, in milliseconds: agents renew theirs up to five minutes before. */
const endingMs = 10 * 60_000;

/** Maximum length of a login file, in bytes. */
const mostLogin = 1024 ** 2;

/** Returns the login file that an agent uses and may renew, if its profile names one. */
const loginOfAgent = (
	{state, environments, now}: World,
	id: string,
): RenewableLogin | undefined => {
	const agent = agentOf(state(), id);
	const profile = agent && profileOf(agent.subtask.agent);
	const {renewals, variables = [], files} = profile?.logins ?? {};
	const environment = {...process.env, ...environments.get(id)};
	// A program that supports several logins may use its file despite the variable.
	const isApart = !profile?.loginOf && variables.some(name => environment[name]);
	if (renewals === undefined || files === undefined || isApart) {
		return undefined;
	}

	const paths = files({home: personHome(environment), environment});
	const ends = async (path: string): Promise<readonly unknown[]> => {
		// An agent may have made the file, if there was none.
		const text = textInFile(realPath(path) ?? path, mostLogin);
		return renewals(attempt(() => JSON.parse(text)));
	};
	return {
		file: paths.join(),
		endings: async () => {
			const soon = Date.parse(now()) + endingMs;
			const all = (await Promise.all(paths.map(ends))).flat();
			return all.filter(end => typeof end === 'number' && end > 0 && end < soon) as number[];
		},
	};
};

/** Returns a key of an agent's login, only for comparisons. */
const loginOf = (
	{environments}: World,
	{id, subtask: {agent}}: Agent,
	ofModel: true | undefined,
): unknown => {
	const profile = profileOf(agent);
	return [
		profile?.vendor ?? agent.command,
		profile?.loginOf?.(agent.model),
		environments.get(id),
		ofModel ? agent.model : undefined,
	];
};

/** Records once that an agent hasn't written anything yet or has fallen silent, and that it writes again. An agent that is frozen or waits in a tool call doesn't count. */
export const reportSilence = (
	world: Pick<World, 'state' | 'report'>,
	of: {readonly agent: string; readonly turn: number},
	silence: Silence | 'quiet' | undefined,
): void => {
	const {turn, listening = []} = agentOf(world.state(), of.agent) ?? {};
	if (turn?.phase !== 'live' || turn.number !== of.turn) {
		return;
	}

	const maySpeak = listening.length === 0 && turn.pausedAt === undefined;
	const isKnown = turn.silent !== undefined;
	if (silence === 'quiet') {
		if (maySpeak) {
			world.report({kind: 'turn.changed', ...of, to: 'quiet'});
		}
	} else if (silence === undefined && (isKnown || turn.quiet)) {
		world.report({kind: 'turn.changed', ...of, to: 'heard'});
	} else if (silence !== undefined && !isKnown && maySpeak) {
		world.report({kind: 'turn.changed', ...of, to: 'silent', ...silence});
	}
};

/** Launch settings that tell a text agent about our tools. */
export type TextTools = {
	/** Our tool server, for agents of known vendors. */
	readonly server?: McpServerStdio;
	/** Variables with the address of the tools, for any program of the agent. */
	readonly environment: Readonly<Record<string, string>>;
};

/** Writes the configuration with which a text agent's program starts our tool server; over ACP most agents get it when a conversation opens. */
export const textTools = async (
	{tools, folder}: Pick<World, 'tools' | 'folder'>,
	{id, subtask}: Pick<Agent, 'id' | 'subtask'>,
	environment: Readonly<Record<string, string>>,
): Promise<TextTools> => {
	if (subtask.agent.protocol === 'acp' && !profileOf(subtask.agent)?.takesToolsAtStart) {
		return {environment};
	}

	const server = await tools.serverFor(id, environment);
	const {launch} = folder.agent(id);
	const file = join(launch, toolConfigName);
	await mkdir(launch, {recursive: true});
	// The file contains the agent's token.
	await writeFile(file, JSON.stringify(toolConfig(server), undefined, '\t'), {mode: 0o600});
	return {
		server,
		environment: {
			...environment,
			...accessEnvironment(await tools.open(id)),
			DELEGATE_MCP_CONFIG: file,
		},
	};
};
