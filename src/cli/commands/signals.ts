import {createReadStream} from 'node:fs';
import {stat} from 'node:fs/promises';
import type {Command} from 'commander';
import {Failure} from '../../lib/failure.ts';
import {yieldToEventLoop} from '../../lib/yield-to-event-loop.ts';
import type {Signal} from '../../signals/index.ts';
import {signalText} from '../../signals/meaning.ts';
import {createParser} from '../../signals/parser/parser.ts';
import {printBarred, printJson} from '../output.ts';

type Options = {readonly json?: boolean; readonly expect?: readonly string[]};

/** Adds the command `signals`: the signals in a transcript, for a person who wonders why an agent was not understood. */
export const addSignals = (program: Command): void => {
	program
		.command('signals [file]')
		.description('what a transcript says; from standard input without a file, or for "-"')
		.option('--json', 'one JSON object a line')
		.option('--expect <names...>', 'extra line signals, as in a plan')
		.action(async (file: string | undefined, {json = false, expect = []}: Options) => {
			const parser = createParser({expect});
			const print = (signals: readonly Signal[]): void => {
				for (const signal of signals) {
					printOne(signal, json);
				}
			};

			for await (const piece of yieldToEventLoop(await open(file))) {
				print(parser.push(piece));
			}

			print(parser.end());
		});
};

const open = async (file = '-'): Promise<AsyncIterable<Uint8Array>> => {
	if (file === '-') {
		return process.stdin;
	}

	const found = await stat(file).catch(() => undefined);
	if (!found || found.isDirectory()) {
		throw new Failure('usage', `The transcript ${file} can’t be read.`, {
			hint: 'give the path of a text file, or "-" for standard input',
		});
	}

	return createReadStream(file);
};

const printOne = (signal: Signal, json: boolean): void => {
	if (json) {
		printJson(signal);
	} else {
		printBarred(`${String(signal.line).padStart(6)}  ${signalText(signal)}`);
	}
};
