import {setImmediate} from 'node:timers/promises';
import type {Speech} from './speech.ts';

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
		// Whoever ends the speech learns of it.
		working.catch(() => {});
	};

	return {
		...speech,
		hear: (text, message) => inTurn(piecesOf(text).map(piece => () => speech.hear(piece, message))),
		pause: () => inTurn([speech.pause]),
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
