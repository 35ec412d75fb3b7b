import {parentPort} from 'node:worker_threads';
import type {GrammarName} from './language-of.ts';
import {parse} from './parse.ts';

/** What a worker is asked, one file at a time. */
export type Question = {readonly grammar: GrammarName; readonly text: string};

// A grammar that fails takes the worker with it: its memory can't be trusted any more.
parentPort?.on('message', async ({grammar, text}: Question) => {
	parentPort?.postMessage(await parse(grammar, text));
});
