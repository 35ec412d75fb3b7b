import {isAbsence} from '../../lib/files/if-there.ts';
import {openRegularFile} from '../../lib/files/open-regular-file.ts';

/** What lies at a path where somebody else may have put anything. */
export type Plain =
	| {
			readonly kind: 'text';
			readonly text: string;
			readonly owner: number;
			readonly changedMs: number;
	  }
	| {readonly kind: 'nothing'}
	| {readonly kind: 'unreadable'; readonly why: string};

/** Reads a small text file; neither a link nor a pipe, nor what is too long or no UTF-8, is one. */
export const readPlain = async (path: string, maximumBytes: number): Promise<Plain> => {
	try {
		await using file = await openRegularFile(path);
		const {size, uid, mtimeMs} = await file.stat();
		if (size > maximumBytes) {
			return unreadable(`it is longer than ${maximumBytes} bytes`);
		}

		const text = decoded(await file.readFile());
		return text === undefined
			? unreadable('it is not UTF-8 text')
			: {kind: 'text', text, owner: uid, changedMs: mtimeMs};
	} catch (error) {
		return isAbsence(error) ? {kind: 'nothing'} : unreadable(reasonOf(error));
	}
};

const unreadable = (why: string): Plain => ({kind: 'unreadable', why});

const decoded = (bytes: Uint8Array): string | undefined => {
	try {
		const text = new TextDecoder('utf-8', {fatal: true}).decode(bytes);
		return text.includes('\0') ? undefined : text;
	} catch {
		return undefined;
	}
};

const reasonOf = (error: unknown): string => {
	const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
	return code === undefined ? 'it is not a file' : `it can’t be read (${code})`;
};
