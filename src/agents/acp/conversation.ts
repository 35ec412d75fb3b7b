import {methods, RequestError, type StopReason} from '@agentclientprotocol/sdk';
import type {ProcessIdentity} from '../../lib/processes.ts';
import type {Spawn} from '../spawn-agent.ts';
import type {TurnOutcome} from '../turn.ts';
import {failureOf} from './cause.ts';
import {type Connection, connect, type Listener} from './connection.ts';

/** How to open a conversation with an agent. */
export type Opening = Spawn & {
	/** The agent's name for an earlier conversation that this one is to go on with. */
	readonly earlier?: string;
	/** How long it may take to start and to open, in milliseconds. */
	readonly patienceMs?: number;
	/** Aborted when nobody wants the conversation any more. */
	readonly signal?: AbortSignal;
};

/** A process of an agent, and what was said in it so far. */
export type Conversation = ProcessIdentity & {
	/** The agent's own name for it. */
	readonly id: string;
	readonly listen: (listener: Listener | undefined) => void;
	/** Prompts the agent and waits for it to stop. */
	readonly prompt: (text: string) => Promise<StopReason>;
	/** Asks the agent to stop; its prompt ends by that. */
	readonly cancel: () => void;
	readonly isGone: () => boolean;
	readonly gone: Promise<TurnOutcome>;
	/** Ends the process; settles when it and all it started are gone. */
	readonly end: () => Promise<TurnOutcome>;
};

/** The slowest agent known takes ten seconds on a machine that has nothing else to do. */
const defaultPatienceMs = 60_000;

/**
Starts an agent and opens a conversation with it: the earlier one where the agent can go on with it, else a new one.

Fails with a `Failure` that names the true cause: a missing program, no login, an end before the beginning.
*/
export const openConversation = async (opening: Opening): Promise<Conversation> => {
	const {patienceMs = defaultPatienceMs, earlier, directory} = opening;
	const signals = [AbortSignal.timeout(patienceMs), ...(opening.signal ? [opening.signal] : [])];
	const signal = AbortSignal.any(signals);
	const connection = await connect(opening, signal);
	try {
		const id = await open(connection, directory, earlier, signal);
		return conversationOf(connection, id);
	} catch (error) {
		const outcome = await connection.end();
		throw failureOf(error, {doing: 'open a conversation', signal, outcome});
	}
};

const open = async (
	connection: Connection,
	cwd: string,
	earlier: string | undefined,
	signal: AbortSignal,
): Promise<string> => {
	const options = {cancellationSignal: signal, stopWaitingOnCancel: true};
	if (earlier !== undefined) {
		for (const method of waysBack(connection)) {
			const isBack = await connection.agent
				.request(method, {cwd, mcpServers: [], sessionId: earlier}, options)
				.then(() => true, unlessForgotten);
			if (isBack) {
				return earlier;
			}
		}
	}

	const fresh = await connection.agent.request(
		methods.agent.session.new,
		{cwd, mcpServers: []},
		options,
	);
	return fresh.sessionId;
};

/** Resuming is preferred, since loading plays all that was said once more; nobody listens then. */
const waysBack = ({capabilities: {loadSession, sessionCapabilities}}: Connection) => [
	...(sessionCapabilities?.resume == null ? [] : [methods.agent.session.resume]),
	...(loadSession ? [methods.agent.session.load] : []),
];

const notLoggedIn = -32000;

/** A conversation that the agent no longer knows is given up; any other trouble would meet a new one, too. */
const unlessForgotten = (error: unknown): false => {
	if (error instanceof RequestError && error.code !== notLoggedIn && error.code !== cancelledCode) {
		return false;
	}

	throw error;
};

const cancelledCode = -32800;

const conversationOf = (connection: Connection, sessionId: string): Conversation => {
	const {agent, pid, startTime, listen, isGone, gone, end} = connection;
	return {
		id: sessionId,
		pid,
		startTime,
		listen,
		isGone,
		gone,
		end,
		prompt: async text => {
			const {stopReason} = await agent.request(methods.agent.session.prompt, {
				sessionId,
				prompt: [{type: 'text', text}],
			});
			await updatesHandled();
			return stopReason;
		},
		cancel: () => {
			agent.notify(methods.agent.session.cancel, {sessionId}).catch(() => {});
		},
	};
};

/** Updates that came before an answer are handed on in promises that may settle after it. */
const updatesHandled = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
