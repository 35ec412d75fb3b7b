import {createWriteStream} from 'node:fs';
import {errorCode} from '../lib/files/disk-failure.ts';

/** Keeps a stream in a file, and hands on each piece once it was written. */
export const keepStream = async (
	stream: AsyncIterable<Uint8Array>,
	path: string,
	onPiece: (piece: Uint8Array) => void,
): Promise<void> => {
	const file = createWriteStream(path, {flags: 'a'});
	try {
		for await (const piece of stream) {
			await written(file, piece);
			onPiece(piece);
		}
	} catch (error) {
		if (!isClosedEarly(error)) {
			throw error;
		}
	} finally {
		await closed(file);
	}
};

const written = (file: NodeJS.WritableStream, piece: Uint8Array): Promise<void> =>
	new Promise((resolve, reject) => {
		file.write(piece, error => (error ? reject(error) : resolve()));
	});

const closed = (file: NodeJS.WritableStream): Promise<void> =>
	new Promise(resolve => {
		file.end(() => resolve());
	});

/** Reading ends so where we closed a pipe that a survivor kept open. */
const isClosedEarly = (error: unknown): boolean =>
	errorCode(error) === 'ERR_STREAM_PREMATURE_CLOSE';
