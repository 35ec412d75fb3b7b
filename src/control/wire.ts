import {exitCodes, Failure} from '../lib/failure.ts';
import {
	asFields,
	defined,
	fieldsAre,
	type Guarded,
	isNumber,
	isString,
	orMissing,
} from '../lib/values.ts';

/**
Messages on the socket: one JSON object per line.

The server sends hello first. Then each request `{id, …}` gets any number of `{id, part}` and one `{id, ok, …}`, in any order.
*/
export const isHello = fieldsAre({
	version: isString,
	session: orMissing(isString),
	/** File that the client holds open to identify itself. */
	hold: orMissing(isString),
});
export type Hello = Guarded<typeof isHello>;

export type RequestId = string | number;

const isId = (value: unknown): value is RequestId =>
	isNumber(value) || (isString(value) && value.length <= 100);

export const isRequest = fieldsAre({id: isId});

const isError = fieldsAre({
	kind: (value): value is Failure['kind'] => isString(value) && Object.hasOwn(exitCodes, value),
	message: isString,
	hint: orMissing(isString),
});

export type Answer =
	| {readonly id: RequestId; readonly ok: true; readonly value?: unknown}
	/** Without an id for an unreadable request. */
	| {readonly id: RequestId | null; readonly ok: false; readonly error: Guarded<typeof isError>}
	| {readonly id: RequestId; readonly part: unknown};

export const isAnswer = (value: unknown): value is Answer => {
	const {id, ok, error, ...others} = asFields(value);
	return ok === false
		? (id === null || isId(id)) && isError(error)
		: isId(id) && (ok === true || 'part' in others);
};

/** Maximum length of an error's message, which must fit into a frame. */
const longestMessage = 10_000;

export const failureAnswer = (requestId: RequestId | null, failure: Failure): Answer => {
	const {kind, message, hint} = failure;
	const cut = (text: string) => text.slice(0, longestMessage);
	const error = {kind, message: cut(message), ...defined({hint: hint && cut(hint)})};
	return {id: requestId, ok: false, error};
};

export const failureOf = ({
	error: {kind, message, hint},
}: {
	error: Guarded<typeof isError>;
}): Failure => new Failure(kind, message, defined({hint}));

/** Longest frame, without its newline. */
export const frameLimitBytes = 1024 ** 2;

/** One line from the peer. */
export type WireFrame =
	| {readonly frame: 'value'; readonly value: unknown}
	| {readonly frame: 'malformed'}
	| {readonly frame: 'oversized'};

/** Encodes a value as a frame; `undefined` if it is too large. */
export const encodeFrame = (value: unknown): string | undefined => {
	const text = JSON.stringify(value);
	return Buffer.byteLength(text) > frameLimitBytes ? undefined : `${text}\n`;
};

/** Returns a function that accepts chunks and returns the frames that they complete. */
export const frameReader = (): ((chunk: Uint8Array) => readonly WireFrame[]) => {
	let parts: Uint8Array[] = [];
	let length = 0;
	let isOver = false;

	const keep = (part: Uint8Array): void => {
		parts.push(part);
		length += part.length;
		isOver = length > frameLimitBytes;
	};

	const finish = (): WireFrame => {
		const line = Buffer.concat(parts);
		parts = [];
		length = 0;
		return decodeFrame(line);
	};

	return chunk => {
		const frames: WireFrame[] = [];
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

const decodeFrame = (line: Uint8Array): WireFrame => {
	try {
		return {frame: 'value', value: JSON.parse(utf8.decode(line))};
	} catch {
		return {frame: 'malformed'};
	}
};
