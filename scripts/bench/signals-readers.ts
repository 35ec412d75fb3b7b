import {yieldToEventLoop} from '../../src/lib/yield-to-event-loop.ts';
import {createParser} from '../../src/signals/parser/parser.ts';

type Stream = AsyncIterable<Uint8Array>;

/** Understands a stream as the program does; returns how many signals there are. */
export const understand = async (stream: Stream): Promise<number> => {
	const parser = createParser();
	let found = 0;
	for await (const piece of yieldToEventLoop(stream)) {
		found += parser.push(piece).length;
	}

	return found + parser.end().length;
};

/** What no reader of lines can do without: decodes a stream and splits it; returns how many lines there are. */
export const splitOnly = async (stream: Stream): Promise<number> => {
	const decoder = new TextDecoder();
	let rest = '';
	let found = 0;
	for await (const chunk of stream) {
		const lines = decoder.decode(chunk, {stream: true}).split('\n');
		lines[0] = rest + (lines[0] ?? '');
		// Nobody can keep all of an endless line.
		rest = (lines.pop() ?? '').slice(-chunk.length);
		found += lines.length;
	}

	return found;
};
