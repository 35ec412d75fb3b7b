import * as z from 'zod/mini';
import {Failure} from '../lib/failure.ts';
import {defined} from '../lib/values.ts';

/**
Messages on the socket: one JSON object a line.

The server says hello first. Then each request `{id, …}` is answered by any number of `{id, part}` and one `{id, ok, …}`, in any order.
*/
export const hello = z.object({
	version: z.string(),
	session: z.optional(z.string()),
	/** A file that the client holds open to show who it is. */
	hold: z.optional(z.string()),
});
export type Hello = z.infer<typeof hello>;

const id = z.union([z.string().check(z.maxLength(100)), z.number()]);

export const request = z.looseObject({id});

const error = z.object({
	kind: z.enum(['refused', 'usage', 'missing', 'internal']),
	message: z.string(),
	hint: z.optional(z.string()),
});

export const answer = z.union([
	z.object({id, ok: z.literal(true), value: z.optional(z.unknown())}),
	/** Without an id for an unreadable request. */
	z.object({id: z.nullable(id), ok: z.literal(false), error}),
	z.object({id, part: z.unknown()}),
]);
export type Answer = z.infer<typeof answer>;
export type RequestId = z.infer<typeof id>;

/** An error must fit into a frame. */
const longestMessage = 10_000;

export const failureAnswer = (requestId: RequestId | null, failure: Failure): Answer => {
	const {kind, message, hint} = failure;
	const cut = (text: string) => text.slice(0, longestMessage);
	const error = {kind, message: cut(message), hint: hint === undefined ? undefined : cut(hint)};
	return {id: requestId, ok: false, error};
};

/** Returns the failure of such an answer. */
export const failureOf = ({
	error: {kind, message, hint},
}: {
	error: z.infer<typeof error>;
}): Failure => new Failure(kind, message, defined({hint}));

/** Longest frame, without its newline. */
export const frameLimitBytes = 1024 ** 2;

/** One line from the other side. */
export type WireFrame =
	| {readonly frame: 'value'; readonly value: unknown}
	| {readonly frame: 'malformed'}
	| {readonly frame: 'oversized'};

/** Encodes a value as a frame, or returns nothing when it is too large. */
export const encodeFrame = (value: unknown): string | undefined => {
	const text = JSON.stringify(value);
	return Buffer.byteLength(text) > frameLimitBytes ? undefined : `${text}\n`;
};

/** Returns a function that takes chunks and returns the frames that they complete. */
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
