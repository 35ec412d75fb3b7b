import {createWriteStream} from 'node:fs';
import type {McpServerStdio} from '@agentclientprotocol/sdk';
import type {BodyOf} from '../events/event.ts';
import type {Permit, Reply} from '../events/reply.ts';
import {errorCode} from '../lib/files/reading.ts';
import type {Survivor} from '../lib/process/kill-stragglers.ts';
import type {ProcessIdentity} from '../lib/process/processes.ts';
import type {Quirks} from './acp/quirks.ts';

export type TurnOutcome = Pick<BodyOf<'turn.ended'>, 'end' | 'lastError' | 'lastWords'> & {
	/** Processes of the agent that could not be ended. */
	readonly survivors: readonly Survivor[];
};

/** An agent's turn, for all protocols. */
export type AgentTurn = ProcessIdentity & {
	/** Resolves when the turn is over and all its signals were passed on. */
	readonly ended: Promise<TurnOutcome>;
	/** Set if the agent accepts a person's messages during its turn. */
	readonly takesWords?: true;
	/** Sends replies to an agent that accepts them during its turn; resolves once it has them, with `false` if the turn ended before. */
	readonly reply: (replies: readonly Reply[]) => Promise<boolean>;
	/** Ends the current line, since the agent was told something besides its prompt: its next words begin a new line. */
	readonly told: () => void;
	/** Sends decisions to an agent that asked before it acted. */
	readonly permit: (permits: readonly Permit[]) => void;
	/** Ends the turn; the process of an agent that can continue in it stays alive, if the agent stops when asked. */
	readonly interrupt: () => Promise<void>;
	/** Ends the turn and its process. */
	readonly stop: () => Promise<void>;
};

/**
Returns a text as one line.

Text of a person or an agent must not begin a line in a prompt, where it could pass for one of ours. All characters that some program takes for a line end count.
*/
export const oneLine = (text: string): string =>
	text.replace(/\s*[\n\r\v\f\u0085\u2028\u2029]+\s*/g, ' ').trim();

/** Returns a prompt in which each bare `@path` is between backticks, for an agent that would add that file to its request. */
export const withoutMentions = (
	prompt: string,
	{expandsMentions = false}: Pick<Quirks, 'expandsMentions'> = {},
): string =>
	expandsMentions ? prompt.replace(/(?<!\S)@(?:"[^"\n]*"|[\p{L}\d_./~-])\S*/gu, '`$&`') : prompt;

/** Maximum length of an agent's text as one line, in characters. */
const maximumLength = 300;

/** Returns a text as one short line; a long one is cut. */
export const shortLine = (text: string): string => {
	const line = oneLine(text);
	return line.length <= maximumLength ? line : `${line.slice(0, maximumLength)}…`;
};

/** Appends a stream to a file, and passes on each piece once it is written. It starts reading at once: execa discards the output of a process that ended before it is read. */
export const keepStream = async (
	stream: AsyncIterable<Uint8Array>,
	path: string,
	onPiece: (piece: Uint8Array) => void,
): Promise<void> => {
	const file = createWriteStream(path, {flags: 'a'});
	try {
		for await (const piece of stream) {
			await written(file, piece);
			onPiece(piece);
		}
	} catch (error) {
		if (!isClosedEarly(error)) {
			throw error;
		}
	} finally {
		await closed(file);
	}
};

const written = (file: NodeJS.WritableStream, piece: Uint8Array): Promise<void> =>
	new Promise((resolve, reject) => {
		file.write(piece, error => (error ? reject(error) : resolve()));
	});

const closed = (file: NodeJS.WritableStream): Promise<void> =>
	new Promise(resolve => {
		file.end(() => resolve());
	});

/** Returns whether an error means that we closed a pipe that a surviving process still holds open. */
const isClosedEarly = (error: unknown): boolean =>
	errorCode(error) === 'ERR_STREAM_PREMATURE_CLOSE';

/** Name of the file in the launch folder from which programs learn how to start our tool server. */
export const toolConfigName = 'mcp.json';

/** Returns the configuration of a server in the form that most programs read from a file. */
export const toolConfig = ({name, command, args, env}: McpServerStdio) => ({
	mcpServers: {[name]: {command, args, env: serverEnvironment({env})}},
});

/** Returns the environment of a server as a map. */
export const serverEnvironment = ({
	env,
}: Pick<McpServerStdio, 'env'>): Readonly<Record<string, string>> =>
	Object.fromEntries(env.map(({name, value}) => [name, value]));
