import {z} from 'zod';
import {defined} from '../lib/defined.ts';
import {Failure} from '../lib/failure.ts';

/**
What goes over the socket: one JSON object a line.

The server says hello first. Then each request `{id, …}` is answered by any number of `{id, part}` and one `{id, ok, …}`, in whatever order they get done.
*/
export const hello = z.object({
	version: z.string(),
	session: z.string().optional(),
	/** A file for the client to hold open, by which it is known who it is. */
	hold: z.string().optional(),
});
export type Hello = z.infer<typeof hello>;

const id = z.union([z.string().max(100), z.number()]);

export const request = z.looseObject({id});

const error = z.object({
	kind: z.enum(['refused', 'usage', 'missing', 'internal']),
	message: z.string(),
	hint: z.string().optional(),
});

export const answer = z.union([
	z.object({id, ok: z.literal(true), value: z.unknown().optional()}),
	/** Without an id it answers something that could not be read as a request. */
	z.object({id: id.nullable(), ok: z.literal(false), error}),
	z.object({id, part: z.unknown()}),
]);
export type Answer = z.infer<typeof answer>;
export type RequestId = z.infer<typeof id>;

/** An error may quote what it is about, and must still fit into a frame. */
const longestMessage = 10_000;

/** Returns the answer that says why there is no other. */
export const failureAnswer = (requestId: RequestId | null, failure: Failure): Answer => {
	const {kind, message, hint} = failure;
	const cut = (text: string) => text.slice(0, longestMessage);
	const error = {kind, message: cut(message), hint: hint === undefined ? undefined : cut(hint)};
	return {id: requestId, ok: false, error};
};

/** Returns the failure as it was thrown on the other side. */
export const failureOf = ({
	error: {kind, message, hint},
}: {
	error: z.infer<typeof error>;
}): Failure => new Failure(kind, message, defined({hint}));
