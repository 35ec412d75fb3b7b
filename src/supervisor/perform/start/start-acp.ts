import {readFile} from 'node:fs/promises';
import {homedir} from 'node:os';
import {setTimeout} from 'node:timers/promises';
import type {McpServer as AcpServer} from '@agentclientprotocol/sdk';
import {untilMinuteAfter} from '../../../agents/acp/clock-minute.ts';
import {
	type Conversation,
	type ConversationOpening,
	type Image,
	openConversation,
} from '../../../agents/acp/conversation.ts';
import type {Request, Ruling} from '../../../agents/acp/permission/gate.ts';
import type {OnDetail} from '../../../agents/acp/speech/activity.ts';
import {startAcpTurn} from '../../../agents/acp/turn.ts';
import {profileOf} from '../../../agents/profiles/profiles.ts';
import {playerName} from '../../../agents/scripted/scene.ts';
import type {TextTurnOptions} from '../../../agents/text-turn.ts';
import type {AgentTurn} from '../../../agents/turn.ts';
import type {SlashCommand} from '../../../events/agent-order.ts';
import type {Body, TurnEnd} from '../../../events/event.ts';
import type {LoginWay} from '../../../events/model-trouble.ts';
import type {McpServer, Subtask} from '../../../events/plan.ts';
import {type AgentVendor, vendors} from '../../../events/vendors.ts';
import {blobSizes, readBlob} from '../../../git/tree/blobs.ts';
import {entriesAt} from '../../../git/tree/entry.ts';
import {type SearchContext, whyNoProgram} from '../../../lib/process/find-program.ts';
import {bytesText} from '../../../lib/text/sanitize.ts';
import {defined, isSame} from '../../../lib/values.ts';
import {passesByItself} from '../../../rules/effects/model-retry.ts';
import {imageTypeOf} from '../../../rules/plan/acp-options/check-acp-options.ts';
import {meaningOf} from '../../../signals/meaning.ts';
import type {Agent} from '../../../state/agent/agent.ts';
import {allowancesOf} from '../../../state/agent/allowance.ts';
import {type Response, respondedBy, withResponse} from '../../../state/agent/updates.ts';
import {agentOf} from '../../../state/select.ts';
import {reportSurvivors} from '../../machine/survivors.ts';
import {isAllowed, type StoppedCommands} from '../../requests/allowed-command.ts';
import {refusalText, ruleOn} from '../../requests/permission.ts';
import {marks, sizeOf} from '../../tools.ts';
import type {World} from '../../world.ts';
import {begunElsewhere, readBegunElsewhere} from './begun-elsewhere.ts';
import {fromTree, type LaunchConfig} from './launch-config.ts';
import type {Prompt} from './prompt-for.ts';
import {missingTools, serverMark, watchServers, watchTools} from './watch-tools.ts';

/** Parameters of a turn, for every protocol. */
export type TurnParts = Omit<TextTurnOptions, 'keepInput' | 'prompt' | 'stream'> &
	Pick<ConversationOpening, 'quirks'> &
	Pick<LaunchConfig, 'warning'> & {
		readonly onDetail: OnDetail;
		readonly stopped: StoppedCommands;
	};

/** A started turn, and further events about it. */
export type Started = {readonly turn: AgentTurn; readonly opened: readonly Body[]};

/** Starts a turn over ACP, in the agent's kept process or in a new one that resumes its conversation. */
export const startAcp = async (
	world: World,
	agent: Agent,
	number: number,
	{prompt, ...parts}: TurnParts & {readonly prompt: Prompt},
): Promise<Started> => {
	const tools = [await ownServer(world, agent, parts.environment)];
	const servers = serversFor(agent.subtask, parts);
	const mode = modeFor(agent.subtask);
	const onLoginWanted = (ways: readonly LoginWay[]): void =>
		world.report({kind: 'login.wanted', agent: agent.id, ways});
	const onUnmet = (what: string): void => parts.onDetail({kind: 'unmet', what}, 0);
	let isNew = false;
	const conversation = await world.conversations.open(agent.id, async signal => {
		isNew = true;
		world.tools.servers.expect(agent.id);
		const {environment} = parts;
		const opening = {
			...parts,
			complaints: `${parts.transcript}.err`,
			...defined({loginBy: agent.loginBy}),
			onLoginWanted,
			onCommands: announcements(world, agent.id),
			signal,
		};
		await readBegunElsewhere(world, agent, opening);
		await readyToGoOn(agent, {now: world.now(), environment, signal});
		const opened = await openConversation({
			...opening,
			tools,
			servers: servers.available,
			...wishOf(agent),
			onUnmet,
			...defined({earlier: agent.conversation, toldLast: await toldLast(world, agent)}),
		});
		[
			...servers.unmet,
			...mode.unmet,
			...(parts.warning === undefined ? [] : [parts.warning]),
		].forEach(onUnmet);
		if (opened.introduction !== undefined) {
			parts.onDetail({kind: 'introduction', ...opened.introduction}, 0);
		}

		void opened.gone.then(({survivors}) => {
			world.limits?.releaseKept(agent.id);
			reportSurvivors(world, agent.id, survivors);
		});
		return opened;
	});
	const missing = await missingTools(world, agent, isNew);
	const said: {concludes: boolean; response?: Response} = {concludes: false};
	const isConcluded = () =>
		said.concludes ||
		respondedBy(said.response) !== undefined ||
		agentOf(world.state(), agent.id)?.outcome !== undefined;
	const fromStart = async () => {
		const {available, unmet} = await imagesFor(world, agent);
		const unseen =
			available.length > 0 && !conversation.seesImages
				? ['It takes no pictures; it is only given their paths.']
				: [];
		[...unmet, ...unseen].forEach(onUnmet);
		const whole = [prompt.whole, ...(await begunElsewhere(world, agent)), ...missing].join('\n\n');
		return {prompt: whole, images: conversation.seesImages ? available : []};
	};
	const turn = startAcpTurn(conversation, {
		...parts,
		commands: agent.replies.flatMap(({command, text}) => (command ? [text] : [])),
		...(remembers(agent, conversation)
			? {prompt: [withReminder(prompt.words, conversation), ...missing].join('\n\n')}
			: await fromStart()),
		onBegunAnew: () => {
			const of = {agent: agent.id, turn: number};
			const {id} = conversation;
			world.report({kind: 'conversation.opened', ...of, conversation: id, because: 'forgotten'});
			return fromStart();
		},
		onSignal: (signal, offset) => {
			said.concludes ||= meaningOf(signal).kind === 'concludes';
			said.response = withResponse(said.response, signal);
			parts.onSignal(signal, offset);
		},
		onRefused: ({title, why}) => world.notices.add(agent.id, {kind: 'refused', what: title, why}),
		onExplained: told => world.notices.explained(agent.id, told),
		onRequest: request => {
			parts.stopped.asked(request);
			return ruleRequest(world, agent.id, number, request);
		},
	});
	const own = (agent.subtask.mcpServers ?? []).filter(server => !('url' in server));
	const {mark} = parts;
	void watchServers(
		own.map(({name}) => name),
		{mark, isNew, ended: turn.ended},
		onUnmet,
	);
	// A player of scenes starts a new server for each call.
	if (conversation.introduction?.name !== playerName) {
		void watchTools(world, agent, {number, ended: turn.ended}, async what =>
			parts.onDetail({kind: 'unmet', what}, await sizeOf(parts.transcript)),
		);
	}

	return {
		turn: {
			...turn,
			ended: resting(world, agent.id, turn, () => conversation.isGone() || isConcluded()),
		},
		opened: openedBy(agent, number, conversation),
	};
};

const wishOf = ({subtask}: Agent) =>
	defined({mode: modeFor(subtask).available[0], model: subtask.agent.model});

/** Returns whether an agent's kept process can take its next turn. */
export const suits = ({tools}: World, agent: Agent, kept: Conversation): boolean => {
	const {mode, model} = wishOf(agent);
	return kept.model === model && kept.mode === mode && !tools.servers.areLost(agent.id);
};

/** Appends the instructions again, since the agent may have compacted the conversation without notice. */
const withReminder = (words: string, {reminder}: Conversation): string =>
	reminder === undefined ? words : `${words}\n\nHOW YOU ARE HEARD\n${reminder}`;

/** Returns whether a conversation remembers its first prompt; if its model never answered, that is unknown. */
const remembers = (
	{conversation, conversationTurn = 0, troubled}: Agent,
	{id, hasGap}: Conversation,
): boolean =>
	id === conversation && !hasGap && (troubled === undefined || conversationTurn < troubled.first);

/** Returns the prompt of an agent's last turn, unless that turn failed. */
const toldLast = async (
	{folder}: World,
	{id, turn, troubled}: Agent,
): Promise<string | undefined> =>
	turn.phase === 'ended' && troubled === undefined
		? readFile(folder.agent(id).prompt(turn.number), 'utf8').catch(() => undefined)
		: undefined;

const openedBy = (agent: Agent, turn: number, {id}: Conversation): readonly Body[] =>
	id === agent.conversation
		? []
		: [{kind: 'conversation.opened', agent: agent.id, turn, conversation: id}];

/** Waits for the end of a turn. Keeps the process of an agent that may continue soon; otherwise ends it first, so that the worktree can't change. */
const resting = async (
	world: World,
	agent: string,
	turn: AgentTurn,
	isDone: () => boolean,
): AgentTurn['ended'] => {
	const outcome = await turn.ended;
	const quickMs = world.state().session?.settings.quickMs ?? 0;
	if (maySoonGoOn(outcome.end) && !isDone() && quickMs > 0) {
		world.conversations.keep(agent, quickMs);
	} else {
		await world.conversations.end(agent);
	}

	return outcome;
};

const maySoonGoOn = (end: TurnEnd): boolean =>
	end.by === 'exit' ||
	end.by === 'stopped' ||
	(end.by === 'error' && end.trouble !== undefined && passesByItself(end.trouble));

/** Rules on a permission request: a scope or a session-wide allowance decides at once, and a refusal is recorded; any other request becomes an item of the inbox. */
const ruleRequest = async (
	world: World,
	agent: string,
	turn: number,
	{number, ...wanted}: Request,
): Promise<Ruling> => {
	const of = agentOf(world.state(), agent);
	const scope = of?.subtask.scope ?? {allowed: [], forbidden: []};
	const {tree} = world.folder.agent(agent);
	const verdict = await ruleOn(scope, tree, wanted);
	switch (verdict.kind) {
		case 'allow':
			return verdict;
		case 'refuse':
			for (const {what, why} of verdict.refused) {
				world.report({kind: 'scope.left', agent, path: what, change: 'refused', why, patch: ''});
			}

			return {kind: 'refuse', why: refusalText(verdict)};
		case 'ask': {
			const whyNot = of && profileOf(of.subtask.agent)?.whyNotRun?.(wanted.command ?? '');
			if (whyNot !== undefined) {
				return {kind: 'refuse', why: whyNot};
			}

			const allowances = allowancesOf(world.state().allowances, agent);
			if (await isAllowed(allowances, scope, tree, wanted)) {
				return {kind: 'allow'};
			}

			const request = `${agent}/${turn}/${number}`;
			const {title, paths, command} = wanted;
			world.report({
				kind: 'permission.asked',
				agent,
				turn,
				request,
				title,
				...defined({command}),
				paths: paths.map(fromTree(tree)),
			});
			return {kind: 'ask', request};
		}
	}
};

/** Returns the tool server of an agent, as its program can connect to it. */
const ownServer = (
	{tools}: World,
	{id, subtask: {agent}}: Agent,
	environment: Readonly<Record<string, string>>,
): Promise<AcpServer> =>
	agent.protocol === 'acp' && agent.tools === 'http'
		? tools.httpFor(id)
		: tools.serverFor(id, environment);

/** Environment and start time of an agent's next process. */
export type GoingOn = {
	readonly now: string;
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly signal: AbortSignal;
};

/**
Resolves when an agent's conversation may be resumed; rejects when `signal` aborts before.

Some agents destroy a conversation that is resumed too soon, or twice.
*/
export const readyToGoOn = async (
	{
		subtask,
		conversation,
		conversationSince,
	}: Pick<Agent, 'subtask' | 'conversation' | 'conversationSince'>,
	{now, environment, signal}: GoingOn,
): Promise<void> => {
	const profile = profileOf(subtask.agent);
	if (conversationSince !== undefined && profile?.waitsForMinute) {
		await setTimeout(untilMinuteAfter(conversationSince, now), undefined, {signal});
	}

	if (conversation !== undefined) {
		await profile?.beforeTakingUp?.(conversation, {
			home: environment.HOME || homedir(),
			environment,
		});
	}
};

/** Settings of the plan that the agent supports, and a sentence for each that it doesn't. */
export type Available<What> = {
	readonly available: readonly What[];
	readonly unmet: readonly string[];
};

/**
Returns the launch settings of the tool servers that the plan names for an agent.

Agents start servers with a bare environment, so each gets the marks of the agent's processes, and the variables that the plan names.
*/
export const serversFor = (
	{mcpServers: servers = [], agent}: Pick<Subtask, 'mcpServers' | 'agent'>,
	{environment, directory}: SearchContext & Pick<TurnParts, 'environment'>,
): Available<AcpServer> => {
	const vendor = agent.protocol === 'acp' ? agent.vendor : undefined;
	const dollar = vendor === undefined ? 'kept' : vendors[vendor].dollar;
	return {
		available: servers.map(server => asHanded(server, {environment, dollar})),
		unmet: servers.flatMap(server => [
			...variablesOf(server)
				.filter(variable => environment[variable] === undefined)
				.map(variable => `${variable} is not set, so the server ${server.name} does not get it.`),
			...programsOf(server)
				.filter(program => whyNoProgram(program, {directory, environment}) !== undefined)
				.map(program => `Its server ${server.name} can’t start, since ${program} can’t be run.`),
		]),
	};
};

type Handing = {
	readonly environment: Readonly<Record<string, string>>;
	readonly dollar: (typeof vendors)[AgentVendor]['dollar'];
};

/** Maximum number of command lists to record per process of an agent: each is an event. */
const mostAnnouncements = 20;

/** Returns a function that records the commands an agent announces, if they differ from the last ones. */
const announcements = (
	world: World,
	agent: string,
): ((commands: readonly SlashCommand[]) => void) => {
	let told = 0;
	return commands => {
		const isNews = !isSame(agentOf(world.state(), agent)?.commands, commands);
		if (isNews && told < mostAnnouncements) {
			told += 1;
			world.report({kind: 'commands.announced', agent, commands});
		}
	};
};

const asHanded = (server: McpServer, {environment, dollar}: Handing): AcpServer => {
	if ('url' in server) {
		const {name, type, url, headers} = server;
		const had = Object.entries(headers).flatMap(([header, variable]) =>
			valued(header, environment[variable]),
		);
		return {name, type, url, headers: had};
	}

	const {
		name,
		command: [command = '', ...args],
		env,
	} = server;
	const handed = (variable: string) => {
		const value = environment[variable];
		return valued(variable, value && written[dollar](variable, value));
	};
	const turn = environment.DELEGATE_TURN;
	const own = valued(serverMark, turn && `${turn}/${name}`);
	return {name, command, args, env: [...[...marks, ...env].flatMap(handed), ...own]};
};

const written: Readonly<Record<Handing['dollar'], (variable: string, value: string) => string>> = {
	kept: (_, value) => value,
	named: (variable, value) => (value.includes('$') ? `\${${variable}}` : value),
	escaped: (_, value) => value.replaceAll('$', '\\$'),
};

const valued = (name: string, value: string | undefined) =>
	value === undefined ? [] : [{name, value}];

/** Returns the program of a server, to check that it exists: few agents report a server that did not start. */
const programsOf = (server: McpServer): readonly string[] =>
	'url' in server ? [] : server.command.slice(0, 1);

const variablesOf = (server: McpServer): readonly string[] =>
	'url' in server ? Object.values(server.headers) : server.env;

/** Returns the mode for an agent. Its program may have changed since the plan was checked, so a mode in which the vendor isn't known to ask for permission is unavailable. */
export const modeFor = ({mode, agent}: Pick<Subtask, 'mode' | 'agent'>): Available<string> => {
	if (mode === undefined) {
		return {available: [], unmet: []};
	}

	const vendor = agent.protocol === 'acp' ? agent.vendor : undefined;
	return vendor === undefined || vendors[vendor].askingModes.includes(mode)
		? {available: [mode], unmet: []}
		: {
				available: [],
				unmet: [`It is not known to ask in the mode ${mode}; it works in its usual one.`],
			};
};

/** Size limit of models, in bytes. */
const mostBytes = 5 * 2 ** 20;

/** Returns the pictures for an agent, from the commit on which its work is based: no agent can have changed them there. */
export const imagesFor = async (
	{store}: Pick<World, 'store'>,
	{subtask: {images = []}, workspace}: Pick<Agent, 'subtask' | 'workspace'>,
): Promise<Available<Image>> => {
	if (images.length === 0 || workspace.phase !== 'ready') {
		return {available: [], unmet: []};
	}

	const entries = await entriesAt(store, workspace.base, images);
	const sizes = await blobSizes(
		store,
		[...entries.values()].map(({oid}) => oid),
	);
	const available: Image[] = [];
	const unmet: string[] = [];
	for (const path of images) {
		const entry = entries.get(path);
		const mimeType = imageTypeOf(path);
		const size = sizes.get(entry?.oid ?? '') ?? 0;
		if (entry === undefined || mimeType === undefined || !entry.mode.startsWith('100')) {
			unmet.push(`It is not shown ${path}, which is not a file in the commit that it began on.`);
		} else if (size > mostBytes) {
			unmet.push(`It is not shown ${path}, which is larger than ${bytesText(mostBytes)}.`);
		} else {
			available.push({mimeType, data: (await readBlob(store, entry.oid)).toString('base64')});
		}
	}

	return {available, unmet};
};
