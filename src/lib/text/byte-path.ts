const strict = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true});
const encoder = new TextEncoder();

/** A byte 0x80–0xff is escaped as U+DC80 to U+DCFF. */
const escapeBase = 0xdc00;

/**
Decodes a file name losslessly; `encodePath` returns the same bytes.

Names on Linux are bytes, and not all of them are UTF-8. An invalid byte becomes a lone low surrogate, which valid text can't contain. Several names separated by NUL may be decoded at once.
*/
export const decodePath = (bytes: Uint8Array): string => {
	try {
		return strict.decode(bytes);
	} catch {
		return decodeMixed(bytes);
	}
};

/** Encodes a name from `decodePath`, or any well-formed string. */
export const encodePath = (path: string): Uint8Array => {
	if (path.isWellFormed()) {
		return encoder.encode(path);
	}

	const bytes: number[] = [];
	for (const character of path) {
		const escaped = character.charCodeAt(0) - escapeBase;
		if (character.length === 1 && escaped >= 0x80 && escaped <= 0xff) {
			bytes.push(escaped);
		} else {
			bytes.push(...encoder.encode(character));
		}
	}

	return Uint8Array.from(bytes);
};

const decodeMixed = (bytes: Uint8Array): string => {
	let path = '';
	let position = 0;
	while (position < bytes.length) {
		const character = characterAt(bytes, position);
		path += character ?? String.fromCharCode(escapeBase + (bytes[position] ?? 0));
		position += character === undefined ? 1 : encoder.encode(character).length;
	}

	return path;
};

const characterAt = (bytes: Uint8Array, position: number): string | undefined => {
	try {
		const length = sequenceLength(bytes[position] ?? 0);
		return strict.decode(bytes.subarray(position, position + length));
	} catch {
		return undefined;
	}
};

const sequenceLength = (firstByte: number): number => {
	if (firstByte < 0xc0) {
		return 1;
	}

	if (firstByte < 0xe0) {
		return 2;
	}

	return firstByte < 0xf0 ? 3 : 4;
};
