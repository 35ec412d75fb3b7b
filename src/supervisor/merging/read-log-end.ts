import {open} from 'node:fs/promises';

/** As much of an output as is read again, in bytes: what failed stands near its end. */
const mostBytes = 2 ** 20;

/** Returns the end of a log. */
export const readLogEnd = async (log: string): Promise<string> => {
	const file = await open(log);
	try {
		const {size} = await file.stat();
		const bytes = new Uint8Array(Math.min(size, mostBytes));
		const {bytesRead} = await file.read(bytes, 0, bytes.length, size - bytes.length);
		return Buffer.from(bytes.buffer, 0, bytesRead).toString('utf8');
	} finally {
		await file.close();
	}
};
