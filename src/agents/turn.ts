import {createWriteStream} from 'node:fs';
import type {McpServerStdio} from '@agentclientprotocol/sdk';
import type {TurnEnd} from '../events/event.ts';
import type {Permit, Reply} from '../events/reply.ts';
import {errorCode} from '../lib/files/reading.ts';
import type {Survivor} from '../lib/process/kill-stragglers.ts';
import type {ProcessIdentity} from '../lib/process/processes.ts';
import type {Quirks} from './acp/quirks.ts';

export type TurnOutcome = {
	readonly end: TurnEnd;
	/** The last line it wrote on stderr. */
	readonly lastError?: string;
	/** The last line it said, when it said nothing in the turn of how its work stands. */
	readonly lastWords?: string;
	/** Processes of the agent that could not be ended. */
	readonly survivors: readonly Survivor[];
};

/** An agent at work in one turn, whatever the way of talking to it. */
export type AgentTurn = ProcessIdentity & {
	/** Settles when nothing more comes of the turn and every signal was handed on. */
	readonly ended: Promise<TurnOutcome>;
	/** Set where the agent takes a person's message in its turn. */
	readonly takesWords?: true;
	/** Hands replies to an agent that takes them in its turn; settles once it has them, with `false` where the turn ended before. */
	readonly reply: (replies: readonly Reply[]) => Promise<boolean>;
	/** Ends the passage that the agent is at, since it was told something beside its prompt: what it says next begins a line. */
	readonly told: () => void;
	/** Hands decisions to an agent that asked before it acted. */
	readonly permit: (permits: readonly Permit[]) => void;
	/** Ends it from outside; the process of an agent that can go on in it lives on, if it stops when it is asked to. */
	readonly interrupt: () => Promise<void>;
	/** Ends it from outside, its process included. */
	readonly stop: () => Promise<void>;
};

/**
Returns a text as one line.

What a person or an agent wrote can't start a line of its own in a prompt, where it could pass for one of ours. Every character that some program takes for the end of a line counts.
*/
export const oneLine = (text: string): string =>
	text.replace(/\s*[\n\r\v\f\u0085\u2028\u2029]+\s*/g, ' ').trim();

/** Returns a prompt as its agent may read it: each bare `@path` stands between backticks for one that would put that file into its request. */
export const withoutMentions = (
	prompt: string,
	{expandsMentions = false}: Pick<Quirks, 'expandsMentions'> = {},
): string =>
	expandsMentions ? prompt.replace(/(?<!\S)@(?:"[^"\n]*"|[\p{L}\d_./~-])\S*/gu, '`$&`') : prompt;

/** Longest text of an agent that is passed on as one line, in characters. */
const maximumLength = 300;

/** Returns a text as one line that a person reads at a glance; a long one is cut. */
export const shortLine = (text: string): string => {
	const line = oneLine(text);
	return line.length <= maximumLength ? line : `${line.slice(0, maximumLength)}…`;
};

/** Appends a stream to a file, and hands on each piece once it was written. It reads at once: execa discards the output of a process that ended before anything reads it. */
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

/** The error a read ends with after we close a pipe that a surviving process still holds open. */
const isClosedEarly = (error: unknown): boolean =>
	errorCode(error) === 'ERR_STREAM_PREMATURE_CLOSE';

/** Name of the file that tells programs how to start the server of our tools, in the folder of a launch. */
export const toolConfigName = 'mcp.json';

/** Returns a server in the form in which most programs are told of servers in a file. */
export const toolConfig = ({name, command, args, env}: McpServerStdio) => ({
	mcpServers: {[name]: {command, args, env: serverEnvironment({env})}},
});

/** Returns the environment of a server by its names. */
export const serverEnvironment = ({
	env,
}: Pick<McpServerStdio, 'env'>): Readonly<Record<string, string>> =>
	Object.fromEntries(env.map(({name, value}) => [name, value]));
