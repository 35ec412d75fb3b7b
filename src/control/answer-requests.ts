import type {Socket} from 'node:net';
import {asFailure, Failure} from '../lib/failure.ts';
import type {Caller} from './caller.ts';
import {encodeFrame, type Frame, frameReader} from './frames.ts';
import {type Answer, failureAnswer, type Hello, request} from './wire.ts';

/**
Does what a request asks and returns the answer.

@param reply sends a part of the answer ahead of it
@param gone aborts when nobody waits for the answer any more
@param caller finds out who asks
*/
export type Handle = (
	request: unknown,
	reply: (part: unknown) => void,
	gone: AbortSignal,
	caller: () => Caller,
) => Promise<unknown>;

/** What may wait for a client that doesn't read before it is dropped. */
const backlogLimitBytes = 8 * 1024 ** 2;

const malformed = new Failure('usage', 'A request must be one line of JSON, an object with an id.');
const oversized = new Failure('usage', 'A request can’t be larger than 1 MiB.');

/** Greets a client and answers its requests, whatever it sends, until it leaves. */
export const answerRequests = (
	socket: Socket,
	hello: Hello,
	handle: Handle,
	caller: () => Caller,
): void => {
	const gone = new AbortController();
	const send = (message: Answer | Hello): void => {
		const text = encodeFrame(message);
		if (text === undefined) {
			throw new Failure('internal', 'The answer is larger than 1 MiB.', {
				hint: 'Ask for a smaller part.',
			});
		}

		if (socket.writable) {
			socket.write(text);
		}

		if (socket.writableLength > backlogLimitBytes) {
			socket.destroy();
		}
	};

	const answer = async (value: unknown): Promise<void> => {
		const parsed = request.safeParse(value);
		if (!parsed.success) {
			send(failureAnswer(null, malformed));
			return;
		}

		const {id, ...body} = parsed.data;
		try {
			const value = await handle(body, part => send({id, part}), gone.signal, caller);
			send({id, ok: true, value});
		} catch (error) {
			send(failureAnswer(id, asFailure(error)));
		}
	};

	const take = (frame: Frame): void => {
		if (frame.frame === 'value') {
			void answer(frame.value);
		} else if (frame.frame === 'malformed') {
			send(failureAnswer(null, malformed));
		} else {
			send(failureAnswer(null, oversized));
			socket.end();
		}
	};

	const read = frameReader();
	socket.on('error', () => socket.destroy());
	socket.on('close', () => gone.abort());
	socket.on('data', chunk => read(chunk).forEach(take));
	send(hello);
};
