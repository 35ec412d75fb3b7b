import {yieldToEventLoop} from '../../src/lib/yield-to-event-loop.ts';
import {createParser} from '../../src/signals/parser/parser.ts';

type Stream = AsyncIterable<Uint8Array>;

/** Parses a stream like the program; returns the number of signals. */
export const understand = async (stream: Stream): Promise<number> => {
	const parser = createParser();
	let found = 0;
	for await (const piece of yieldToEventLoop(stream)) {
		found += parser.push(piece).length;
	}

	return found + parser.end().length;
};

/** Does the minimum of any line reader: decodes a stream and splits it; returns the number of lines. */
export const splitOnly = async (stream: Stream): Promise<number> => {
	const decoder = new TextDecoder();
	let rest = '';
	let found = 0;
	for await (const chunk of stream) {
		const lines = decoder.decode(chunk, {stream: true}).split('\n');
		lines[0] = rest + (lines[0] ?? '');
		// An endless line can't be kept in full.
		rest = (lines.pop() ?? '').slice(-chunk.length);
		found += lines.length;
	}

	return found;
};
