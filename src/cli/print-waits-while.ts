import {setTimeout as wait} from 'node:timers/promises';
import type {SlowGit} from '../events/kinds/machine-event.ts';
import {sanitize} from '../lib/text/sanitize.ts';
import {waitingText} from '../rules/notices.ts';
import {lastMerged} from '../supervisor/undo/last-merged.ts';
import type {Here} from './here.ts';

/** How often it is looked what the supervisor waits for, in milliseconds. */
const lookEveryMs = 1000;

/** While the supervisor moves the target, prints on stderr which program of the person it waits for. */
export const printWaitsWhile = async <Answer>(
	{folder}: Here,
	answer: Promise<Answer>,
): Promise<Answer> => {
	const over = new AbortController();
	const print = createWaitPrinter();
	const look = async (): Promise<void> => {
		while (!over.signal.aborted) {
			await wait(lookEveryMs, undefined, over);
			print((await lastMerged(folder))?.state.waiting ?? null);
		}
	};

	// A look is worth nothing beside the answer itself.
	look().catch(() => {});
	try {
		return await answer;
	} finally {
		over.abort();
	}
};

/** Returns what prints on stderr what git waits for, once as long as that stays the same. */
export const createWaitPrinter = (): ((waiting: SlowGit | null) => void) => {
	let printed: string | undefined;
	return waiting => {
		const text = waiting === null ? undefined : waitingText(waiting);
		if (text !== undefined && text !== printed) {
			process.stderr.write(`${sanitize(text)}\n`);
		}

		printed = text;
	};
};
