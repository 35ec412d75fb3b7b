import {isUtf8} from 'node:buffer';
import {decodePath, encodePath} from '../../lib/text/byte-path.ts';

/** Returns the fields of an output made with `-z`, each as `decodePath` writes it. */
export const splitNul = (output: Buffer): string[] => {
	const fields = isUtf8(output) ? output.toString('utf8').split('\0') : splitBytes(output);
	if (fields.at(-1) === '') {
		fields.pop();
	}

	return fields;
};

/** Returns fields as an input for `-z`: every one ends in a NUL byte. */
export const joinNul = (fields: readonly string[]): Uint8Array =>
	encodePath(fields.map(field => `${field}\0`).join(''));

/** Field by field, so that one odd name slows down only itself. */
const splitBytes = (output: Buffer): string[] => {
	const fields: string[] = [];
	for (let start = 0; start < output.length; ) {
		const end = output.indexOf(0, start);
		const stop = end === -1 ? output.length : end;
		fields.push(decodePath(output.subarray(start, stop)));
		start = stop + 1;
	}

	return fields;
};
