import {once} from 'node:events';
import type {Writable} from 'node:stream';
import {format} from 'node:util';
import manifest from '../../package.json' with {type: 'json'};
import {isEvent} from '../events/decode.ts';
import type {Event} from '../events/event.ts';
import {Failure} from '../lib/failure.ts';
import {plainJson} from '../lib/text/json.ts';
import {quotedBelow} from '../lib/text/quoted-block.ts';
import {sanitize} from '../lib/text/sanitize.ts';
import {asFields, defined, fieldsAre, isString} from '../lib/values.ts';
import type {LastSession} from './here.ts';

/** Prints lines for a person; whatever an agent, a file or a branch put into them can't steer the terminal. */
export const print = (text: string): void => {
	process.stdout.write(`${sanitize(text, {lines: true})}\n`);
};

/** Columns that there are to print in; none where no terminal would break a line. */
export const columnsHere = (): number | undefined =>
	process.stdout.isTTY ? process.stdout.columns : undefined;

/** Prints a line that holds what others wrote; what doesn't fit into it goes on behind bars, so that it can't pass for a line of ours. */
export const printBarred = (line: string): void => {
	print(quotedBelow(line, {indent: '          ', columns: columnsHere()}));
};

/** Prints one line of JSON for a program. */
export const printJson = (value: unknown): void => {
	process.stdout.write(`${plainJson(value)}\n`);
};

/** Prints what came of a command: for a program all of it, for a person in words. */
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

/** Waits until whoever reads has taken what was printed: a slow reader holds up the printing, and fills nobody's memory. */
export const drained = async (output: Writable = process.stdout): Promise<void> => {
	if (output.writableNeedDrain) {
		await once(output, 'drain');
	}
};

/** Tells what went wrong, where whoever asked is looking for it. */
export const reportFailure = ({kind, message, hint}: Failure, json: boolean): void => {
	if (json) {
		printJson({error: {kind, message, ...defined({hint})}});
		return;
	}

	process.stderr.write(`${sanitize(message, {lines: true})}\n`);
	if (hint !== undefined) {
		process.stderr.write(`Hint: ${sanitize(hint, {lines: true})}\n`);
	}
};

/** Returns the event that a granted command became, as the supervisor answers it. */
export const eventIn = (answer: unknown): Event => {
	const {event} = asFields(answer);
	if (isKinded(event) && isEvent(event)) {
		return event;
	}

	throw new Failure('internal', 'The supervisor gave an empty answer.');
};

const isKinded = fieldsAre({kind: isString});

/** What readers of a session say beside it where its journal is damaged, or of a later version. */
export type FaultField = {readonly fault?: Pick<Failure, 'message' | 'hint'>};

/** Returns why not all of a session is told, for programs; nothing where all is. */
export const faultField = (session: LastSession | undefined): FaultField => {
	const {message, hint} = session?.fault ?? {};
	return message === undefined ? {} : {fault: {message, hint}};
};

/** Returns the same as a line for people; the cause and the way out stand on stderr, where every command tells them. */
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

/** Libraries complain on the console about what an agent sent; that goes where `log` puts it. */
export const redirectConsole = (log: (message: string) => void): void => {
	for (const level of ['debug', 'error', 'info', 'log', 'warn'] as const) {
		console[level] = (...words: readonly unknown[]) => log(format(...words));
	}
};

/** Version of this program; supervisors and screens compare it. */
export const version: string = manifest.version;

/** Lends a signal that aborts, for the reason given in a sentence, when a person or the system stops this process, so that what it runs ends and its folders go. */
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
