import {setImmediate} from 'node:timers/promises';

/** Number of bytes that are processed without interruption. */
const PIECE_LENGTH = 8 * 1024;

/** Time between two turns of the event loop, in milliseconds. */
const turnMs = 10;

/** Yields a stream in small pieces, with turns of the event loop in between, so that screen and timers keep working during a flood of output. */
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
