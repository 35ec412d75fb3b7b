import {setImmediate} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {yieldToEventLoop} from '../../src/lib/yield-to-event-loop.ts';

async function* streamOf(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
	yield* chunks;
}

const bytes = (length: number): Uint8Array => Uint8Array.from({length}, (_, at) => at % 251);

test('every byte is handed on, in order and in small pieces', async () => {
	const pieces: Uint8Array[] = [];
	for await (const piece of yieldToEventLoop(streamOf(bytes(100_000), bytes(0), bytes(3)))) {
		pieces.push(piece);
	}

	expect(Buffer.concat(pieces)).toEqual(Buffer.concat([bytes(100_000), bytes(3)]));
	expect(Math.max(...pieces.map(({length}) => length))).toBe(8 * 1024);
});

test('others have their turn between the pieces of one chunk that are much work', async () => {
	let turns = 0;
	let isReading = true;
	const others = (async () => {
		while (isReading) {
			await setImmediate();
			turns += 1;
		}
	})();
	for await (const _ of yieldToEventLoop(streamOf(bytes(64 * 1024)))) {
		const startedMs = performance.now();
		while (performance.now() - startedMs < 12) {
			// This piece is much work.
		}
	}

	isReading = false;
	await others;
	expect(turns).toBeGreaterThanOrEqual(7);
});
