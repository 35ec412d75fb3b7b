import {setImmediate} from 'node:timers/promises';

/** Does something with each of many things, so many at a time, and waits for all of it. */
export const forEachConcurrent = async <Thing>(
	things: Iterable<Thing>,
	limit: number,
	act: (thing: Thing) => Promise<void>,
): Promise<void> => {
	const waiting = [...things].values();
	const worker = async (): Promise<void> => {
		for (const thing of waiting) {
			await act(thing);
		}
	};

	await Promise.all(Array.from({length: limit}, worker));
};

/** The most bytes that are handed over at a time: what is done with them is not interrupted. */
const PIECE_LENGTH = 8 * 1024;

/** How long pieces follow each other before the event loop has its turn. */
const turnMs = 10;

/**
Hands on the bytes of a stream in small pieces, and lets everything else of the process have its turn between them.

A stream is read faster than its bytes are understood, and a chunk may hold the work of many; this is what keeps a screen and timers alive while somebody floods us. Costs next to nothing where the work is light.
*/
export async function* yieldToEventLoop(
	stream: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
	let startedMs = performance.now();
	for await (const chunk of stream) {
		for (let from = 0; from < chunk.length; from += PIECE_LENGTH) {
			yield chunk.subarray(from, from + PIECE_LENGTH);
			if (performance.now() - startedMs > turnMs) {
				await setImmediate();
				startedMs = performance.now();
			}
		}
	}
}
