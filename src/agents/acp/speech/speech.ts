import {closeSync, openSync, writeSync} from 'node:fs';
import {setImmediate} from 'node:timers/promises';
import type {Signal} from '../../../signals/index.ts';
import {createParser, type Parser} from '../../../signals/parser/parser.ts';

/** Options of an agent's speech. */
export type SpeechOptions = {
	/** File that gets all its words, in the order in which they came. */
	readonly transcript: string;
	/** Names of extra line signals. */
	readonly expect: readonly string[];
	/** Called for each signal, with the length of the transcript up to its end, in bytes. */
	readonly onSignal: (signal: Signal, offset: number) => void;
};

export type Speech = {
	/** Adds a piece of a message, cut anywhere; `message` is the agent's name for the message, if it has one. */
	readonly hear: (text: string, message?: string | null) => void;
	/** Ends the message without a name: words after another update belong to another message. */
	readonly pause: () => void;
	/** Ends the line, after the agent was told something or started a tool: even a message with a name continues on a new line. */
	readonly breakLine: () => void;
	/** Ends all messages at the end of a prompt: words after the next one continue none of them. */
	readonly endPrompt: () => void;
	/** Returns the current length of the transcript, in bytes. */
	readonly length: () => number;
	/** Returns the last line so far that isn't blank; a long one is cut at its start. */
	readonly lastLine: () => string | undefined;
	/** Ends the speech: all messages are complete. */
	readonly end: () => void;
};

/** A message that may continue. */
type Message = {
	readonly parser: Parser;
	/** Line of the transcript on which it began, from 1. */
	readonly line: number;
	/** First half of a character that was cut in two. */
	half: string;
};

/** Maximum number of messages that may continue; above it the oldest counts as complete. */
const maximumMessages = 32;

/** Length of the end of the words that is remembered, in characters. */
const maximumEnding = 300;

/**
Writes an agent's words to the transcript and finds the signals in them.

Pieces of several messages may alternate, so each message has its own parser; a note in between doesn't tear a signal.
*/
export const createSpeech = ({transcript, expect, onSignal}: SpeechOptions): Speech => {
	const file = openSync(transcript, 'a');
	const messages = new Map<string, Message>();
	let bytes = 0;
	let line = 1;
	let last = {message: unnamed, text: '\n'};
	let ending = '';

	/** Writes synchronously, so that all bytes are in the file before their signals are reported, and a flood is held back. */
	const write = (text: string): void => {
		bytes += writeSync(file, text);
		line += text.split('\n').length - 1;
		ending = (ending + text).slice(-maximumEnding);
	};

	const hand = (signals: readonly Signal[], {line: first}: Message): void => {
		for (const signal of signals) {
			onSignal({...signal, line: signal.line + first - 1}, bytes);
		}
	};

	const complete = (name: string): void => {
		const message = messages.get(name);
		if (message) {
			messages.delete(name);
			hand(message.parser.end(), message);
		}
	};

	const begin = (name: string): Message => {
		const [oldest] = messages.keys();
		if (oldest !== undefined && messages.size >= maximumMessages) {
			complete(oldest);
		}

		const message = {parser: createParser({expect}), line, half: ''};
		messages.set(name, message);
		return message;
	};

	/** Ends the line, so that no message continues on the line of another. */
	const endLine = (): void => {
		if (!last.text.endsWith('\n')) {
			write('\n');
			last = {...last, text: '\n'};
		}
	};

	const endPrompt = (): void => {
		for (const name of [...messages.keys()]) {
			complete(name);
		}

		endLine();
	};

	const pause = (): void => {
		complete(unnamed);
		if (last.message === unnamed) {
			endLine();
		}
	};

	return {
		hear: (piece, named) => {
			const name = named ?? unnamed;
			if (name !== last.message) {
				endLine();
			}

			const message = messages.get(name) ?? begin(name);
			const {whole, half} = splitHalf(message.half + piece);
			message.half = half;
			if (whole !== '') {
				write(whole);
				last = {message: name, text: whole};
				hand(message.parser.push(whole), message);
			}
		},
		pause,
		breakLine: () => {
			pause();
			const message = messages.get(last.message);
			if (message !== undefined && !last.text.endsWith('\n')) {
				endLine();
				hand(message.parser.push('\n'), message);
			}
		},
		endPrompt,
		lastLine: () =>
			ending
				.split('\n')
				.map(said => said.trim())
				.findLast(said => said !== ''),
		length: () => bytes,
		end: () => {
			endPrompt();
			closeSync(file);
		},
	};
};

/** Key of messages without a name. */
const unnamed = '';

/** Splits off half a character: one outside the basic plane is two units, and a piece may end between them. */
const splitHalf = (text: string): {readonly whole: string; readonly half: string} => {
	const isCut = /[\uD800-\uDBFF]$/.test(text);
	return isCut ? {whole: text.slice(0, -1), half: text.slice(-1)} : {whole: text, half: ''};
};

/** Speech whose ends resolve when all earlier words are processed. */
export type PacedSpeech = Omit<Speech, 'endPrompt' | 'end'> & {
	readonly endPrompt: () => Promise<void>;
	readonly end: () => Promise<void>;
};

/** Maximum length of a piece, in characters: processing it isn't interrupted. */
const pieceLength = 8 * 1024;

/**
Processes a huge message in pieces, with turns of the event loop in between.

Later words wait until it is processed; otherwise words are processed at once.
*/
export const pacedSpeech = (speech: Speech): PacedSpeech => {
	const waiting: (() => void)[] = [];
	let working: Promise<void> | undefined;

	const work = async (): Promise<void> => {
		for (let hear = waiting.shift(); hear !== undefined; hear = waiting.shift()) {
			hear();
			await setImmediate();
		}

		working = undefined;
	};

	const inTurn = (steps: readonly (() => void)[]): void => {
		const [only, ...others] = steps;
		if (working === undefined && others.length === 0) {
			only?.();
			return;
		}

		waiting.push(...steps);
		working ??= work();
		// `end` rejects with the error.
		working.catch(() => {});
	};

	return {
		...speech,
		hear: (text, message) => inTurn(piecesOf(text).map(piece => () => speech.hear(piece, message))),
		pause: () => inTurn([speech.pause]),
		breakLine: () => inTurn([speech.breakLine]),
		endPrompt: async () => {
			inTurn([speech.endPrompt]);
			await working;
		},
		end: async () => {
			try {
				await working;
			} finally {
				speech.end();
			}
		},
	};
};

const piecesOf = (text: string): readonly string[] =>
	Array.from({length: Math.max(1, Math.ceil(text.length / pieceLength))}, (_, index) =>
		text.slice(index * pieceLength, (index + 1) * pieceLength),
	);
