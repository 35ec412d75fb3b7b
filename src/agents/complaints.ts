import {createWriteStream} from 'node:fs';
import {closed, isClosedEarly, written} from './streams.ts';

/** Longest end of what an agent wrote that is looked at for its last line, in characters. */
const tailLength = 2000;

/** Keeps what an agent writes on stderr in a file, and returns its last line at the end. */
export const keepComplaints = async (
	stderr: AsyncIterable<Uint8Array>,
	path: string,
): Promise<string | undefined> => {
	const file = createWriteStream(path, {flags: 'a'});
	let tail = '';
	try {
		for await (const chunk of stderr) {
			await written(file, chunk);
			tail = (tail + Buffer.from(chunk).toString()).slice(-tailLength);
		}
	} catch (error) {
		if (!isClosedEarly(error)) {
			throw error;
		}
	} finally {
		await closed(file);
	}

	return tail.trimEnd().split('\n').at(-1)?.trim() || undefined;
};
