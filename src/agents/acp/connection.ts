import {Readable} from 'node:stream';
import {
	type AgentCapabilities,
	type AuthMethod,
	type AvailableCommand,
	type ClientContext,
	client,
	methods,
	ndJsonStream,
	PROTOCOL_VERSION,
	type RequestPermissionResponse,
	type SessionUpdate,
} from '@agentclientprotocol/sdk';
import {z} from 'zod';
import type {SlashCommand} from '../../events/agent-order.ts';
import type {LoginWay} from '../../events/model-trouble.ts';
import {Failure} from '../../lib/failure.ts';
import {endInput, webInput} from '../../lib/process/pipe.ts';
import type {ProcessIdentity} from '../../lib/process/processes.ts';
import {withoutStop} from '../../lib/text/words.ts';
import {defined} from '../../lib/values.ts';
import {killDelayMs, type Spawn, type SpawnedAgent, spawnAgent} from '../spawn-agent.ts';
import {oneLine, shortLine, type TurnOutcome} from '../turn.ts';
import {openingFailure} from './cause.ts';
import {type AskedPermission, readAskedPermission} from './permission/permission-request.ts';
import type {Quirks} from './quirks.ts';

/** Handlers of an agent's updates and permission requests; without them updates are dropped and requests cancelled. */
export type Listener = {
	readonly update: (update: SessionUpdate) => void;
	readonly permission: (asked: AskedPermission) => Promise<RequestPermissionResponse>;
};

export type ConnectionOpening = Spawn & {
	/** Told the commands of its own that the agent announces, each time that it does. */
	readonly onCommands?: (commands: readonly SlashCommand[]) => void;
};

/** A running agent that speaks ACP and has said what it can do. */
export type Connection = ProcessIdentity & {
	readonly agent: ClientContext;
	readonly capabilities: AgentCapabilities;
	/** Its `agentInfo`. */
	readonly introduction?: Introduction;
	/** The ways to log in that it announced. */
	readonly loginWays: readonly LoginWay[];
	/** Whether it takes words in its turn. */
	readonly takesWords: boolean;
	readonly listen: (listener: Listener | undefined) => void;
	/** Settles when the process and all it started are gone. */
	readonly gone: Promise<TurnOutcome>;
	/** Whether the process has ended, or nothing can be asked of it any more. */
	readonly isGone: () => boolean;
	/** Ends it: end of input first, which well-kept agents understand, then signals. */
	readonly end: () => Promise<TurnOutcome>;
};

/**
Starts an agent and shakes hands with it.

No file system and no terminal is offered to it: it works with its own tools in its own worktree, where the supervisor sees what it did. Fails with the true cause when the agent ends, speaks another protocol, or `signal` aborts first.
*/
export const connectAgent = async (
	spawn: ConnectionOpening,
	signal: AbortSignal,
): Promise<Connection> => {
	const spawned = await spawnAgent(spawn);
	const heard: {listener?: Listener | undefined} = {};
	const connection = client({name: 'delegate-tui'})
		.onNotification(methods.client.session.update, ({params: {update}}) => {
			if (update.sessionUpdate === 'available_commands_update') {
				spawn.onCommands?.(commandsIn(update.availableCommands));
			}

			heard.listener?.update(update);
		})
		.onRequest(methods.client.session.requestPermission, readAskedPermission, ({params}) =>
			heard.listener === undefined
				? {outcome: {outcome: 'cancelled' as const}}
				: heard.listener.permission(params),
		)
		.connect(ndJsonStream(webInput(spawned.stdin), Readable.toWeb(spawned.stdout)));
	const gone = spawned.cleared(connection.closed);
	const end = async (): Promise<TurnOutcome> => {
		await part(spawned);
		connection.close();
		return gone;
	};

	try {
		const {
			agentCapabilities = {},
			agentInfo,
			authMethods = [],
			protocolVersion,
			_meta,
		} = await connection.agent.request(
			methods.agent.initialize,
			{
				protocolVersion: PROTOCOL_VERSION,
				clientInfo: {name: 'delegate-tui', version: '1'},
				clientCapabilities: {fs: {readTextFile: false, writeTextFile: false}, terminal: false},
			},
			{cancellationSignal: signal, stopWaitingOnCancel: true},
		);
		requireVersion(protocolVersion);
		return {
			pid: spawned.pid,
			startTime: spawned.startTime,
			agent: connection.agent,
			capabilities: agentCapabilities,
			takesWords: steeringOffer.safeParse(_meta).success,
			...(agentInfo == null
				? {}
				: {introduction: {name: agentInfo.name, version: agentInfo.version}}),
			loginWays: authMethods.slice(0, mostLogins).map(method => loginWay(method, spawn.command)),
			listen: listener => {
				heard.listener = listener;
			},
			gone,
			isGone: () => connection.signal.aborted,
			end,
		};
	} catch (error) {
		const outcome = await end();
		throw openingFailure(error, {doing: 'introduce itself', signal, outcome});
	}
};

/** Most commands that are taken from an agent, and the longest name and description, in characters. */
const [mostCommands, longestName, longestDescription] = [200, 60, 120];

const commandsIn = (announced: readonly AvailableCommand[]): readonly SlashCommand[] =>
	announced
		.filter(({name}) => name.length <= longestName)
		.slice(0, mostCommands)
		.map(({name, description}) => ({
			name: oneLine(name),
			description: oneLine(description.slice(0, 2 * longestDescription)).slice(
				0,
				longestDescription,
			),
		}));

const requireVersion = (version: number): void => {
	if (version !== PROTOCOL_VERSION) {
		throw new Failure(
			'missing',
			`The agent speaks version ${version} of the Agent Client Protocol, and only ${PROTOCOL_VERSION} is known here.`,
			{hint: 'install a version of the agent that speaks it'},
		);
	}
};

/** Most ways to log in that are told. */
const mostLogins = 5;

const loginWay = (method: AuthMethod, program: readonly string[]): LoginWay => {
	const {id, name, description, _meta} = method;
	const terminal =
		'type' in method
			? {command: [...program, ...(method.args ?? [])]}
			: terminalLogin.safeParse(_meta).data?.['terminal-auth'];
	return {
		id,
		title: `"${shortLine(name)}"${description ? ` (${withoutStop(shortLine(description))})` : ''}`,
		...defined({command: terminal && shortLine(terminal.command.join(' '))}),
	};
};

/** Says in the words of several editors that a way to log in takes a terminal. */
const terminalLogin = z.object({
	'terminal-auth': z
		.object({command: z.string(), args: z.array(z.string()).default([])})
		.transform(({command, args}) => ({command: [command, ...args]})),
});

/** How long an agent may take to end by itself at the end of its input, in milliseconds. */
const partMs = 500;

const part = async (spawned: SpawnedAgent): Promise<void> => {
	endInput(spawned.stdin);
	const waiting = Promise.withResolvers<void>();
	const timer = setTimeout(waiting.resolve, partMs);
	await Promise.race([spawned.exited, waiting.promise]);
	clearTimeout(timer);
	await spawned.end(killDelayMs);
};

type Introduction = {readonly name: string; readonly version: string};

/**
Refuses an agent that is older than what is known of its vendor’s agents.

Package managers install an old version without a word where a newer one would need a newer Node.js.
*/
export const requireOldest = (
	{name, version}: Introduction,
	oldest: NonNullable<Quirks['oldest']>,
): void => {
	if (isOlder(version, oldest.version)) {
		throw new Failure(
			'missing',
			`${name} is ${version} here, and only ${oldest.version} and newer can be kept from running programs that a project names; to install that: ${oldest.install}`,
			{hint: oldest.install},
		);
	}
};

/** Returns whether one version is older than another; one that can't be read is not held against an agent. */
export const isOlder = (version: string, than: string): boolean => {
	const parts = numbersOf(version);
	const wanted = numbersOf(than);
	const index = wanted.findIndex((number, at) => parts[at] !== number);
	return index !== -1 && (parts[index] ?? Number.POSITIVE_INFINITY) < (wanted[index] ?? 0);
};

const numbersOf = (version: string): readonly number[] =>
	(/^\d+(?:\.\d+)*/.exec(version)?.[0] ?? '')
		.split('.')
		.filter(part => part !== '')
		.map(Number);

const steeringOffer = z.object({steering: z.object({supported: z.literal(true)})});
const steered = z.object({outcome: z.literal('injected')});

/** Adds words to the turn under way by an extension of the protocol that Claude's and Codex's adapters offer; returns whether they came in time. It begins no turn. */
export const steer = async (
	agent: ClientContext,
	sessionId: string,
	text: string,
): Promise<boolean> => {
	const answer = await agent
		.request<unknown>('_session/steering', {
			sessionId,
			prompt: [{type: 'text', text}],
			_meta: {steering: {idleBehavior: 'promptRequired'}},
		})
		.catch(() => undefined);
	return steered.safeParse(answer).success;
};
