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
import {settles} from '../../lib/timers.ts';
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
	/** Called with the agent's commands, each time that it announces them. */
	readonly onCommands?: (commands: readonly SlashCommand[]) => void;
};

/** A running agent that speaks ACP and has announced its capabilities. */
export type Connection = ProcessIdentity & {
	readonly agent: ClientContext;
	readonly capabilities: AgentCapabilities;
	/** Its `agentInfo`. */
	readonly introduction?: Introduction;
	/** Announced ways to log in. */
	readonly loginWays: readonly LoginWay[];
	/** True if it accepts messages during its turn. */
	readonly takesWords: boolean;
	readonly listen: (listener: Listener | undefined) => void;
	/** Resolves when the process and all that it started are gone. */
	readonly gone: Promise<TurnOutcome>;
	/** Returns whether the process has ended, or no longer accepts requests. */
	readonly isGone: () => boolean;
	/** Ends it: first by end of input, which well-behaved agents understand, then by signals. */
	readonly end: () => Promise<TurnOutcome>;
};

/**
Starts an agent and initializes the connection.

It is offered no file system and no terminal: it works with its own tools in its own worktree, where the supervisor sees its changes. Rejects with the true cause if the agent exits, speaks another protocol version, or `signal` aborts first.
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
			endedBy(signal),
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

/** Options of a request that a signal ends, even if the agent doesn't answer to that. */
export const endedBy = (signal: AbortSignal) => ({
	cancellationSignal: signal,
	stopWaitingOnCancel: true,
});

/** Maximum number of an agent's commands, and maximum length of their names and descriptions, in characters. */
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

/** Maximum number of ways to log in. */
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

/** Extension of several editors that marks a way to log in as needing a terminal. */
const terminalLogin = z.object({
	'terminal-auth': z
		.object({command: z.string(), args: z.array(z.string()).default([])})
		.transform(({command, args}) => ({command: [command, ...args]})),
});

/** Time within which an agent may exit after the end of its input, in milliseconds. */
const partMs = 500;

const part = async (spawned: SpawnedAgent): Promise<void> => {
	endInput(spawned.stdin);
	await settles(spawned.exited, partMs);
	await spawned.end(killDelayMs);
};

type Introduction = {readonly name: string; readonly version: string};

/**
Refuses an agent that is older than the profile of its vendor supports.

Package managers silently install an old version if a newer one needs a newer Node.js.
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

/** Returns whether a version is older than another; an unreadable version counts as new enough. */
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

/** Adds words to the running turn with a protocol extension of Claude's and Codex's adapters; returns whether they came in time. It starts no turn. */
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
