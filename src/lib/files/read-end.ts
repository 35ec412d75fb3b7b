import type {FileHandle} from 'node:fs/promises';

/** Returns the end of a file's text, from at most so many bytes. */
export const readEnd = async (file: FileHandle, mostBytes: number): Promise<string> => {
	const {size} = await file.stat();
	const bytes = Buffer.alloc(Math.min(size, mostBytes));
	const {bytesRead} = await file.read(bytes, 0, bytes.length, size - bytes.length);
	return bytes.toString('utf8', 0, bytesRead);
};
