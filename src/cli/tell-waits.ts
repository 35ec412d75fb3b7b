import {setTimeout as wait} from 'node:timers/promises';
import type {SlowGit} from '../events/kinds/machine-event.ts';
import {sanitize} from '../lib/text/sanitize.ts';
import {waitingText} from '../rules/notices.ts';
import {lastMerged} from '../supervisor/undo/last-merged.ts';
import type {Here} from './here.ts';

/** How often it is looked what the supervisor waits for, in milliseconds. */
const lookEveryMs = 1000;

/** While the supervisor moves the target, tells on stderr what of the person's it waits for. */
export const tellingWaits = async <Answer>(
	{folder}: Here,
	answer: Promise<Answer>,
): Promise<Answer> => {
	const over = new AbortController();
	const tell = createWaitTeller();
	const look = async (): Promise<void> => {
		while (!over.signal.aborted) {
			await wait(lookEveryMs, undefined, over);
			tell((await lastMerged(folder))?.state.waiting ?? null);
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

/** Returns what tells on stderr what git waits for, once as long as it is the same. */
export const createWaitTeller = (): ((waiting: SlowGit | null) => void) => {
	let told: string | undefined;
	return waiting => {
		const text = waiting === null ? undefined : waitingText(waiting);
		if (text !== undefined && text !== told) {
			process.stderr.write(`${sanitize(text)}\n`);
		}

		told = text;
	};
};
