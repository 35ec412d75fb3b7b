import {keepStream} from './streams.ts';

/** Longest end of what an agent wrote that is looked at for its last line, in characters. */
const tailLength = 2000;

/** Keeps what an agent writes on stderr in a file, and returns its last line at the end. */
export const keepComplaints = async (
	stderr: AsyncIterable<Uint8Array>,
	path: string,
): Promise<string | undefined> => {
	let tail = '';
	await keepStream(stderr, path, piece => {
		tail = (tail + Buffer.from(piece).toString()).slice(-tailLength);
	});
	return tail.trimEnd().split('\n').at(-1)?.trim() || undefined;
};
