import {errorCode} from '../lib/files/disk-failure.ts';

/** Settles when a chunk was written. */
export const written = (stream: NodeJS.WritableStream, chunk: Uint8Array): Promise<void> =>
	new Promise((resolve, reject) => {
		stream.write(chunk, error => (error ? reject(error) : resolve()));
	});

/** Settles when a stream was written to its end. */
export const closed = (stream: NodeJS.WritableStream): Promise<void> =>
	new Promise(resolve => {
		stream.end(() => resolve());
	});

/** Returns whether reading ended because we closed a pipe that a survivor kept open. */
export const isClosedEarly = (error: unknown): boolean =>
	errorCode(error) === 'ERR_STREAM_PREMATURE_CLOSE';
