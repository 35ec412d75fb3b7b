import {closeSync, openSync, writeSync} from 'node:fs';
import {setImmediate} from 'node:timers/promises';
import type {Signal} from '../../../signals/index.ts';
import {createParser, type Parser} from '../../../signals/parser/parser.ts';

/** Where an agent's words go. */
export type SpeechOptions = {
	/** File that gets all it says, in the order in which it came. */
	readonly transcript: string;
	/** Names of extra line signals. */
	readonly expect: readonly string[];
	/** Called for each signal, with the bytes of the transcript up to its end. */
	readonly onSignal: (signal: Signal, offset: number) => void;
};

export type Speech = {
	/** Takes a piece of a message, cut anywhere; `message` is the agent's name for the message, if it has one. */
	readonly hear: (text: string, message?: string | null) => void;
	/** Ends the message that has no name: what follows something else is another message. */
	readonly pause: () => void;
	/** Does so where the agent was told something, or began to use a tool: a message that has a name goes on as well, in a line of its own. */
	readonly breakLine: () => void;
	/** Ends every message, since a prompt has come to its end: what is said to the next one goes on with none of them. */
	readonly endPrompt: () => void;
	/** Returns how much of it there is by now, in bytes of the transcript. */
	readonly length: () => number;
	/** Returns the last line that was said so far, without blank ones; a long one is cut at its start. */
	readonly lastLine: () => string | undefined;
	/** Reads on after what was heard is complete. */
	readonly end: () => void;
};

/** A message that may go on. */
type Message = {
	readonly parser: Parser;
	/** Line of the transcript on which it began, from 1. */
	readonly line: number;
	/** First half of a character that was cut in two. */
	half: string;
};

/** Messages that may go on at a time; the oldest is taken as complete when there are more. */
const maximumMessages = 32;

/** How much of the last that was said is remembered, in characters. */
const maximumEnding = 300;

/**
Keeps an agent's words and finds the signals in them.

Pieces of several messages may come in turns, so each message is read for itself; a note that comes in between does not tear a signal.
*/
export const createSpeech = ({transcript, expect, onSignal}: SpeechOptions): Speech => {
	const file = openSync(transcript, 'a');
	const messages = new Map<string, Message>();
	let bytes = 0;
	let line = 1;
	let last = {message: unnamed, text: '\n'};
	let ending = '';

	/** Synchronous, so that every byte is in the file before its signals are told of, and a flood is held back. */
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

	/** No message goes on in the line of another. */
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

/** Stands for messages to which the agent gives no name. */
const unnamed = '';

/** A character outside the basic plane is two units; a piece may end between them. */
const splitHalf = (text: string): {readonly whole: string; readonly half: string} => {
	const isCut = /[\uD800-\uDBFF]$/.test(text);
	return isCut ? {whole: text.slice(0, -1), half: text.slice(-1)} : {whole: text, half: ''};
};

/** Speech whose ends are there when all that was said before has been heard. */
export type PacedSpeech = Omit<Speech, 'endPrompt' | 'end'> & {
	readonly endPrompt: () => Promise<void>;
	readonly end: () => Promise<void>;
};

/** The most that is heard at a time, in characters: hearing is not interrupted. */
const pieceLength = 8 * 1024;

/**
Hears a huge message in pieces, and lets everything else of the process have its turn between them.

What is said behind it waits until it has been heard; else words are heard at once.
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
		// `end` rejects with it.
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
