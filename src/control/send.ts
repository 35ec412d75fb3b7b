import {closeSync, openSync} from 'node:fs';
import {createConnection, type Socket} from 'node:net';
import {Failure} from '../lib/failure.ts';
import {errorCode} from '../lib/files/reading.ts';
import type {Guard} from '../lib/values.ts';
import {
	type Answer,
	encodeFrame,
	failureOf,
	frameReader,
	type Hello,
	isAnswer,
	isHello,
	type RequestId,
	type WireFrame,
} from './wire.ts';

export type Control = {
	readonly hello: Hello;
	/**
	Sends a request and returns the value of its answer.

	Throws the `Failure` in the server's answer, or one for a lost connection; in that case the request may have been carried out or not.
	*/
	readonly request: (
		body: {readonly [key: string]: unknown; readonly id?: never},
		onPart?: (part: unknown) => void,
	) => Promise<unknown>;
	readonly closed: Promise<void>;
	readonly close: () => void;
};

type Pending = {
	readonly resolve: (value: unknown) => void;
	readonly reject: (failure: Failure) => void;
	readonly onPart: ((part: unknown) => void) | undefined;
};

/**
Connects to a server and waits for its hello.

@throws `Failure` of kind `missing` when no server listens
*/
export const connect = async (
	path: string,
	{timeoutMs = 5000}: {readonly timeoutMs?: number} = {},
): Promise<Control> => {
	const socket = createConnection(path);
	const greeting = Promise.withResolvers<Hello>();
	const closed = Promise.withResolvers<void>();
	const pending = new Map<RequestId, Pending>();
	let ending: Failure | undefined;
	let lastId = 0;
	let letGo = (): void => {};

	const end = (failure: Failure): void => {
		ending ??= failure;
		socket.destroy();
	};

	let take = (value: unknown): void => {
		const said = readAs(isHello, value);
		if (said.hold !== undefined) {
			letGo = holdToken(said.hold);
		}

		greeting.resolve(said);
		take = later => settle(pending, readAs(isAnswer, later));
	};

	receive(socket, value => take(value), end);
	const timer = setTimeout(() => end(silent(path)), timeoutMs);
	socket.on('error', error => end(isNobody(error) ? nobody(path, error) : lost(error)));
	socket.on('close', () => {
		letGo();
		ending ??= lost();
		greeting.reject(ending);
		for (const {reject} of pending.values()) {
			reject(ending);
		}

		closed.resolve();
	});

	return {
		hello: await greeting.promise.finally(() => clearTimeout(timer)),
		request: async (body, onPart) => {
			if (ending !== undefined) {
				throw ending;
			}

			lastId++;
			const text = encodeFrame({...body, id: lastId});
			if (text === undefined) {
				throw new Failure('usage', 'The request is larger than 1 MiB.');
			}

			const answered = Promise.withResolvers<unknown>();
			pending.set(lastId, {...answered, onPart});
			socket.write(text);
			return answered.promise;
		},
		closed: closed.promise,
		close: () => end(new Failure('internal', 'The connection was closed on this side.')),
	};
};

/** Opens a token; returns a function that closes it. */
const holdToken = (path: string): (() => void) => {
	try {
		const descriptor = openSync(path, 'r');
		return () => closeSync(descriptor);
	} catch {
		return () => {};
	}
};

/** Passes on each frame's value; closes the connection at a malformed one. */
const receive = (
	socket: Socket,
	take: (value: unknown) => void,
	end: (failure: Failure) => void,
): void => {
	const read = frameReader();
	const takeFrame = (frame: WireFrame): void => {
		if (frame.frame !== 'value') {
			end(garbled(frame.frame));
			return;
		}

		try {
			take(frame.value);
		} catch (error) {
			end(error instanceof Failure ? error : garbled(error));
		}
	};

	socket.on('data', chunk => {
		for (const frame of read(chunk)) {
			takeFrame(frame);
		}
	});
};

const settle = (pending: Map<RequestId, Pending>, message: Answer): void => {
	if ('part' in message) {
		pending.get(message.id)?.onPart?.(message.part);
	} else if (message.ok) {
		pending.get(message.id)?.resolve(message.value);
		pending.delete(message.id);
	} else if (message.id === null) {
		throw failureOf(message);
	} else {
		pending.get(message.id)?.reject(failureOf(message));
		pending.delete(message.id);
	}
};

const readAs = <T>(guard: Guard<T>, value: unknown): T => {
	if (guard(value)) {
		return value;
	}

	throw garbled('unknown');
};

const isNobody = (error: Error): boolean =>
	['ENOENT', 'ECONNREFUSED', 'ENOTSOCK'].includes(errorCode(error) ?? '');

const nobody = (path: string, cause: unknown): Failure =>
	new Failure('missing', `No program listens at ${path}.`, {hint: 'Start a session first.', cause});

const silent = (path: string): Failure =>
	new Failure('missing', `The program that listens at ${path} does not answer.`, {
		hint: 'It may be busy or stopped; try again.',
	});

const lostWords = 'The connection was lost before the answer came.';

/** Returns whether a request failed because its connection was lost; it may have been carried out. */
export const isLost = (error: unknown): boolean =>
	error instanceof Failure && error.message === lostWords;

const lost = (cause?: unknown): Failure =>
	new Failure('missing', lostWords, {
		hint: 'The request may have been carried out; look before you ask again.',
		cause,
	});

const garbled = (cause: unknown): Failure =>
	new Failure('internal', 'The other side sent an answer that this version can’t read.', {cause});
