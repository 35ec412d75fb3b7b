/** Takes a stream apart into lines; see `createLineSplitter`. */
export type LineSplitter = {
	push(chunk: Uint8Array | string): void;
	/** Ends the stream: what is left after the last newline is a line too. */
	end(): void;
};

type LineSplitterOptions = {
	/** The most of a line that is kept, in UTF-16 units. */
	readonly maxLength: number;
	/** Takes a line, without its end; `number` counts from 1, `cut` tells that the line was longer than `maxLength`. */
	readonly onLine: (text: string, number: number, cut: boolean) => void;
	/** Whether the line that starts at `from` can be counted and passed over unread; saves cutting it out. */
	readonly skip?: (text: string, from: number) => boolean;
};

/**
Splits a stream of bytes or text into lines, in memory that doesn't grow with the length of a line.

Only a newline ends a line, as editors and `wc` count; carriage returns before it are dropped. Chunks may be cut anywhere, also inside a UTF-8 sequence. A line longer than `maxLength` is handed over once, cut to that length; the rest of it is let go as it arrives. `skip` is asked only about lines that lie whole in a chunk, so it must make no difference to what is found.
*/
export const createLineSplitter = ({
	maxLength,
	onLine,
	skip = () => false,
}: LineSplitterOptions): LineSplitter => {
	const decode = createDecoder();
	let rest = '';
	let cut = false;
	let number = 0;

	const keep = (piece: string): void => {
		const room = maxLength - rest.length;
		cut ||= piece.length > room;
		rest += piece.length > room ? piece.slice(0, room) : piece;
	};

	const finish = (): void => {
		const line = rest;
		const wasCut = cut;
		rest = '';
		cut = false;
		number += 1;
		onLine(withoutCarriageReturns(line), number, wasCut);
	};

	const split = (text: string): void => {
		let from = 0;
		for (let to = text.indexOf('\n'); to !== -1; to = text.indexOf('\n', from)) {
			if (rest === '' && !cut && skip(text, from)) {
				number += 1;
			} else {
				keep(text.slice(from, to));
				finish();
			}

			from = to + 1;
		}

		keep(text.slice(from));
	};

	return {
		push: chunk => split(decode(chunk)),
		end: () => {
			split(decode(undefined));
			if (rest !== '' || cut) {
				finish();
			}
		},
	};
};

/** A decoder that also lets text through, after whatever bytes were still incomplete. */
const createDecoder = (): ((chunk: Uint8Array | string | undefined) => string) => {
	const decoder = new TextDecoder('utf-8', {ignoreBOM: true});
	let sawBytes = false;

	return chunk => {
		if (chunk instanceof Uint8Array) {
			sawBytes = true;
			return decoder.decode(chunk, {stream: true});
		}

		const pending = sawBytes ? decoder.decode() : '';
		sawBytes = false;
		return pending + (chunk ?? '');
	};
};

const withoutCarriageReturns = (line: string): string => {
	let end = line.length;
	while (end > 0 && line[end - 1] === '\r') {
		end -= 1;
	}

	return end === line.length ? line : line.slice(0, end);
};
