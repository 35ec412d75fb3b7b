import {once} from 'node:events';
import type {Writable} from 'node:stream';
import {format} from 'node:util';
import manifest from '../../package.json' with {type: 'json'};
import {Failure} from '../lib/failure.ts';
import {plainJson} from '../lib/text/json.ts';
import {quotedBelow} from '../lib/text/quoted-block.ts';
import {sanitize} from '../lib/text/sanitize.ts';
import {defined} from '../lib/values.ts';
import type {LastSession} from './here.ts';

/** Prints lines for a person, sanitized so that text of agents, files or branches can't control the terminal. */
export const print = (text: string): void => {
	process.stdout.write(`${sanitize(text, {lines: true})}\n`);
};

/** Returns the terminal that this command was started at; a function, since Node.js opens stdin when it is first used. */
export const ownTerminal = () => ({
	input: process.stdin,
	output: process.stdout,
	environment: process.env,
});

/** Prints lines beside the output of a command, on stderr; sanitized like those of `print`. */
export const printAside = (text: string): void => {
	process.stderr.write(`${sanitize(text, {lines: true})}\n`);
};

/** Number of columns of the terminal; undefined without one. */
export const columnsHere = (): number | undefined =>
	process.stdout.isTTY ? process.stdout.columns : undefined;

/** Prints a line with text of others; its further lines are behind bars, so that they can't be mistaken for ours. */
export const printBarred = (line: string): void => {
	print(quotedBelow(line, {indent: '          ', columns: columnsHere()}));
};

export const printJson = (value: unknown): void => {
	process.stdout.write(`${plainJson(value)}\n`);
};

/** Prints the outcome of a command: all of it for a program, a text for a person. */
export const printAs = (
	{json}: {readonly json?: boolean | undefined},
	value: unknown,
	words: string,
): void => {
	if (json) {
		printJson(value);
	} else {
		print(words);
	}
};

/** Waits until the reader has taken the output: a slow reader slows the printing down, and does not fill the memory. */
export const drained = async (output: Writable = process.stdout): Promise<void> => {
	if (output.writableNeedDrain) {
		await once(output, 'drain');
	}
};

/** Prints a failure: as JSON on stdout for a program, as text on stderr for a person. */
export const reportFailure = ({kind, message, hint}: Failure, json: boolean): void => {
	if (json) {
		printJson({error: {kind, message, ...defined({hint})}});
		return;
	}

	printAside(message);
	if (hint !== undefined) {
		printAside(`Hint: ${hint}`);
	}
};

/** Field about a damaged journal, or one of a later version. */
export type FaultField = {readonly fault?: Pick<Failure, 'message' | 'hint'>};

/** Returns the reason why a session is incomplete, for programs; empty if it is complete. */
export const faultField = (session: LastSession | undefined): FaultField => {
	const {message, hint} = session?.fault ?? {};
	return message === undefined ? {} : {fault: {message, hint}};
};

/** Returns the same as a line for people; every command prints the cause and advice on stderr. */
export const faultLines = ({id, fault, state}: LastSession): readonly string[] => {
	if (fault === undefined) {
		return [];
	}

	return state.session === null
		? [`${id}: this session’s journal can’t be read at all.`]
		: [
				`${id}: this session’s journal can’t be read to its end; what follows was true before that.`,
			];
};

/** Redirects the console to a log, since libraries print complaints about agents' messages there. */
export const redirectConsole = (log: (message: string) => void): void => {
	for (const level of ['debug', 'error', 'info', 'log', 'warn'] as const) {
		console[level] = (...words: readonly unknown[]) => log(format(...words));
	}
};

/** Version of this program; supervisors and screens compare it. */
export const version: string = manifest.version;

/** Returns a signal that aborts with a sentence when a person or the system stops this process, so that its children end and its folders are removed. */
export const untilInterrupted = (sentence: string): Disposable & {readonly signal: AbortSignal} => {
	const controller = new AbortController();
	const stop = () => controller.abort(new Failure('refused', sentence));
	for (const name of signals) {
		process.once(name, stop);
	}

	return {
		signal: controller.signal,
		[Symbol.dispose]: () => {
			for (const name of signals) {
				process.off(name, stop);
			}
		},
	};
};

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
