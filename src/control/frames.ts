/** The most that one frame may hold, its line end not counted. */
export const frameLimitBytes = 1024 ** 2;

/** One line from the other side. */
export type Frame =
	| {readonly frame: 'value'; readonly value: unknown}
	| {readonly frame: 'malformed'}
	/** Nothing can be read behind it. */
	| {readonly frame: 'oversized'};

/** Returns a value as a frame, or nothing when it is too large for one. */
export const encodeFrame = (value: unknown): string | undefined => {
	const text = JSON.stringify(value);
	return Buffer.byteLength(text) > frameLimitBytes ? undefined : `${text}\n`;
};

/** Returns a function that takes what comes in and returns the frames that this completes. */
export const frameReader = (): ((chunk: Uint8Array) => readonly Frame[]) => {
	let parts: Uint8Array[] = [];
	let length = 0;
	let isOver = false;

	const keep = (part: Uint8Array): void => {
		parts.push(part);
		length += part.length;
		isOver = length > frameLimitBytes;
	};

	const finish = (): Frame => {
		const line = Buffer.concat(parts);
		parts = [];
		length = 0;
		return decodeFrame(line);
	};

	return chunk => {
		const frames: Frame[] = [];
		for (let from = 0; from < chunk.length && !isOver; ) {
			const end = chunk.indexOf(newline, from);
			keep(chunk.subarray(from, end === -1 ? chunk.length : end));
			from = end === -1 ? chunk.length : end + 1;
			if (isOver) {
				parts = [];
				frames.push({frame: 'oversized'});
			} else if (end !== -1) {
				frames.push(finish());
			}
		}

		return frames;
	};
};

const newline = 0x0a;
const utf8 = new TextDecoder('utf-8', {fatal: true});

const decodeFrame = (line: Uint8Array): Frame => {
	try {
		return {frame: 'value', value: JSON.parse(utf8.decode(line))};
	} catch {
		return {frame: 'malformed'};
	}
};
