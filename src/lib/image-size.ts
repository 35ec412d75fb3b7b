/** Format and size of an image, in pixels. */
export type ImageSize = {
	readonly format: 'PNG' | 'GIF' | 'JPEG' | 'WebP';
	readonly width: number;
	readonly height: number;
};

/** Reads the format and the size in pixels from the beginning of a file; `undefined` if it isn't such an image, or is cut within its header. */
export const imageSize = (bytes: Buffer): ImageSize | undefined => {
	const reader = readers.find(({begins}) => begins.test(bytes.toString('latin1', 0, 16)));
	try {
		const [width, height] = reader?.size(bytes) ?? [];
		return reader === undefined || width === undefined || height === undefined
			? undefined
			: {format: reader.format, width, height};
	} catch {
		// A read beyond the end throws.
		return undefined;
	}
};

type Reader = {
	readonly format: ImageSize['format'];
	readonly begins: RegExp;
	readonly size: (bytes: Buffer) => readonly [number, number] | undefined;
};

const sizeOfJpeg = (bytes: Buffer): readonly [number, number] | undefined => {
	for (let at = 2; bytes.readUInt8(at) === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
		const marker = bytes.readUInt8(at + 1);
		// A frame header has one of the markers C0 to CF; three of these have other meanings.
		if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
			return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
		}
	}

	return undefined;
};

const sizeOfWebp = (bytes: Buffer): readonly [number, number] | undefined => {
	switch (bytes.toString('latin1', 12, 16)) {
		case 'VP8 ':
			return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
		case 'VP8L': {
			const bits = bytes.readUInt32LE(21);
			return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
		}

		case 'VP8X':
			return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
		default:
			return undefined;
	}
};

const readers: readonly Reader[] = [
	{
		format: 'PNG',
		begins: /^\x89PNG\r\n\x1a\n/,
		size: bytes => [bytes.readUInt32BE(16), bytes.readUInt32BE(20)],
	},
	{
		format: 'GIF',
		begins: /^GIF8[79]a/,
		size: bytes => [bytes.readUInt16LE(6), bytes.readUInt16LE(8)],
	},
	{format: 'JPEG', begins: /^\xff\xd8\xff/, size: sizeOfJpeg},
	{format: 'WebP', begins: /^RIFF[\s\S]{4}WEBP/, size: sizeOfWebp},
];

/** Maximum number of pixels of an image for a terminal: an agent made it, and the terminal decodes it. */
export const mostPixels = 4096 * 4096;
