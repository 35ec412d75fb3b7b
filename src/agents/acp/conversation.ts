import {
	type ContentBlock,
	type McpServer,
	type McpServerStdio,
	methods,
	type StopReason,
} from '@agentclientprotocol/sdk';
import {defined} from '../../lib/defined.ts';
import type {Spawn} from '../spawn-agent.ts';
import {failureOf} from './cause.ts';
import {type Connection, connect} from './connection.ts';
import {keepsWords, openSession} from './open-session.ts';
import type {Quirks} from './quirks.ts';
import type {Wait} from './replay.ts';
import {type Tokens, tokensIn} from './speech/tokens.ts';
import {steer} from './steer.ts';
import {requireOldest} from './version.ts';

/** How to open a conversation with an agent. */
export type Opening = Spawn & {
	/** Servers of tools that it is handed; calls of these need no leave. */
	readonly tools?: readonly McpServerStdio[];
	/** Servers of a person's own; calls of these are asked for like any other. */
	readonly servers?: readonly McpServer[];
	/** The mode that the person wants it in, where that is not the usual one. */
	readonly mode?: string;
	/** Told what of all this the agent can't take, in a sentence each. */
	readonly onUnmet?: (what: string) => void;
	/** The agent's name for an earlier conversation that this one is to go on with. */
	readonly earlier?: string;
	/** How long it may take to start and to open, in milliseconds. */
	readonly patienceMs?: number;
	/** Aborted when nobody wants the conversation any more. */
	readonly signal?: AbortSignal;
	/** What is known of the agent's make. */
	readonly quirks?: Quirks;
	/** What is waited with for an agent to be quiet. */
	readonly wait?: Wait;
};

/** A picture, in base64. */
export type Image = {readonly mimeType: string; readonly data: string};

/** How an agent came to the end of a prompt. */
export type Stop = {readonly reason: StopReason; readonly tokens?: Tokens};

/** A process of an agent, and what was said in it so far. */
export type Conversation = Omit<Connection, 'agent' | 'capabilities' | 'takesWords'> & {
	/** The agent's own name for it. */
	readonly id: string;
	/** How a person logs in, where that is known. */
	readonly login?: string;
	/** What it is to keep in mind and may forget, since it takes no words that last: to be told with each prompt after its first. */
	readonly reminder?: string;
	/** Names of the servers of tools that it was handed. */
	readonly tools: readonly string[];
	/** Whether it can be shown pictures. */
	readonly seesImages: boolean;
	/** Prompts the agent and waits for it to stop. */
	readonly prompt: (text: string, images?: readonly Image[]) => Promise<Stop>;
	/** Says something to the agent in its turn and returns whether it came in time; absent where it takes no words there. */
	readonly say?: (text: string) => Promise<boolean>;
	/** Asks the agent to stop; its prompt ends by that. */
	readonly cancel: () => void;
};

/** The slowest agent known takes ten seconds on a machine that has nothing else to do. */
const defaultPatienceMs = 60_000;

/**
Starts an agent and opens a conversation with it: the earlier one where the agent can go on with it, else a new one.

Fails with a `Failure` that names the true cause: a missing program, no login, an end before the beginning.
*/
export const openConversation = async (opening: Opening): Promise<Conversation> => {
	const {patienceMs = defaultPatienceMs, quirks = {}} = opening;
	const timeout = opening.freezer?.timeout(patienceMs) ?? AbortSignal.timeout(patienceMs);
	const signals = [timeout, ...(opening.signal ? [opening.signal] : [])];
	const signal = AbortSignal.any(signals);
	const connection = await connect(opening, signal);
	try {
		if (quirks.oldest !== undefined && connection.introduction !== undefined) {
			requireOldest(connection.introduction, quirks.oldest);
		}

		const id = await openSession(connection, opening, signal);
		return conversationOf(connection, id, opening);
	} catch (error) {
		const outcome = await connection.end();
		const login = defined({login: quirks.login});
		throw failureOf(error, {doing: 'open a conversation', signal, outcome, ...login});
	}
};

const conversationOf = (
	connection: Connection,
	sessionId: string,
	{tools = [], quirks = {}}: Opening,
): Conversation => {
	const {agent, capabilities, takesWords, ...rest} = connection;
	return {
		...rest,
		id: sessionId,
		...defined({
			login: quirks.login,
			reminder: keepsWords(capabilities) ? undefined : quirks.reminder,
		}),
		tools: tools.map(({name}) => name),
		seesImages: capabilities.promptCapabilities?.image === true,
		prompt: async (text, images = []) => {
			const pictures = images.map((image): ContentBlock => ({type: 'image', ...image}));
			const answer = await agent.request(methods.agent.session.prompt, {
				sessionId,
				prompt: [{type: 'text', text}, ...pictures],
			});
			await updatesHandled();
			const tokens = tokensIn(answer);
			return {reason: answer.stopReason, ...defined({tokens})};
		},
		...(takesWords ? {say: text => steer(agent, sessionId, text)} : {}),
		cancel: () => {
			agent.notify(methods.agent.session.cancel, {sessionId}).catch(() => {});
		},
	};
};

/** Updates that came before an answer are handed on in promises that may settle after it. */
const updatesHandled = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
