export type LineSplitter = {
	push(chunk: Uint8Array | string): void;
	/** Ends the stream; text after the last newline counts as a line too. */
	end(): void;
};

type LineSplitterOptions = {
	/** Maximum length of a line, in UTF-16 units; the rest is dropped. */
	readonly maxLength: number;
	/** Called with each line; `number` counts from 1, `cut` is true if the line was longer than `maxLength`, and `end` is the number of bytes up to its end. */
	readonly onLine: (text: string, number: number, cut: boolean, end: number) => void;
};

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Maximum number of bytes that encode a UTF-16 unit. */
const UNIT_LENGTH = 3;

/**
Splits a stream of bytes or text into lines, in bounded memory.

Only a newline ends a line; carriage returns before it are dropped. Chunks may be cut inside a UTF-8 sequence. A line longer than `maxLength` is cut. `skip` is not called for a cut line, so it must not affect the result.
*/
export const createLineSplitter = ({maxLength, onLine}: LineSplitterOptions): LineSplitter => {
	const encode = createEncoder();
	const rest = createRest(maxLength * UNIT_LENGTH);
	let number = 0;
	/** Number of bytes in all earlier chunks. */
	let before = 0;

	const read = (bytes: Uint8Array, isCut: boolean, end: number): void => {
		const text = decoded(bytes);
		const cut = isCut || text.length > maxLength;
		number += 1;
		onLine(
			withoutCarriageReturns(cut ? text.slice(0, maxLength) : text),
			number,
			cut,
			before + end,
		);
	};

	/** Ends a line that began in an earlier chunk. */
	const finish = (end: number): void => {
		const {bytes, isCut} = rest.take();
		read(bytes, isCut, end);
	};

	const split = (bytes: Uint8Array): void => {
		let from = 0;
		let to = bytes.indexOf(NEWLINE);
		if (to !== -1 && !rest.isEmpty()) {
			rest.add(bytes.subarray(0, to));
			finish(to + 1);
			from = to + 1;
			to = bytes.indexOf(NEWLINE, from);
		}

		for (; to !== -1; to = bytes.indexOf(NEWLINE, from)) {
			const end = Math.min(to, from + maxLength * UNIT_LENGTH);
			read(bytes.subarray(from, end), end < to, to + 1);
			from = to + 1;
		}

		if (from < bytes.length) {
			rest.add(bytes.subarray(from));
		}

		before += bytes.length;
	};

	return {
		push: chunk => split(encode(chunk)),
		end: () => {
			split(encode(NOTHING));
			if (!rest.isEmpty()) {
				finish(0);
			}
		},
	};
};

const decoder = new TextDecoder('utf-8', {ignoreBOM: true});

/** Maximum length for which a loop is faster than the decoder. */
const SHORT = 12;

const decoded = (bytes: Uint8Array): string => {
	if (bytes.length > SHORT) {
		return decoder.decode(bytes);
	}

	let text = '';
	for (const byte of bytes) {
		if (byte >= 0x80) {
			return decoder.decode(bytes);
		}

		text += String.fromCharCode(byte);
	}

	return text;
};

const NOTHING = new Uint8Array();
const HALF_A_CHARACTER = /[\uD800-\uDBFF]$/;

/** Encodes text that may be cut between two surrogates. */
const createEncoder = (): ((chunk: Uint8Array | string) => Uint8Array) => {
	const encoder = new TextEncoder();
	let half = '';

	return chunk => {
		if (half === '' && chunk instanceof Uint8Array) {
			return chunk;
		}

		if (chunk instanceof Uint8Array) {
			const before = encoder.encode(half);
			half = '';
			return Uint8Array.from([...before, ...chunk]);
		}

		const text = half + chunk;
		half = HALF_A_CHARACTER.exec(text)?.[0] ?? '';
		return encoder.encode(half === '' ? text : text.slice(0, -1));
	};
};

/** Initial size, which suffices for most lines. */
const ROOM = 4096;

/** Buffers an unfinished line, up to `limit` bytes. */
const createRest = (limit: number) => {
	let kept = new Uint8Array(ROOM);
	let length = 0;
	let isCut = false;

	const makeRoom = (needed: number): void => {
		if (needed > kept.length) {
			const grown = new Uint8Array(Math.max(needed, kept.length * 2));
			grown.set(kept.subarray(0, length));
			kept = grown;
		}
	};

	return {
		isEmpty: (): boolean => length === 0,
		add: (bytes: Uint8Array): void => {
			const part = bytes.subarray(0, limit - length);
			isCut ||= part.length < bytes.length;
			makeRoom(length + part.length);
			kept.set(part, length);
			length += part.length;
		},
		/** Returns the line, which is valid until more bytes are added. */
		take: () => {
			const taken = {bytes: kept.subarray(0, length), isCut};
			kept = kept.length > ROOM ? new Uint8Array(ROOM) : kept;
			length = 0;
			isCut = false;
			return taken;
		},
	};
};

export const withoutCarriageReturns = (line: string): string => {
	let end = line.length;
	while (end > 0 && line.charCodeAt(end - 1) === CARRIAGE_RETURN) {
		end -= 1;
	}

	return end === line.length ? line : line.slice(0, end);
};
