import {expect, test} from 'vitest';
import {imageSize} from '../../src/lib/image-size.ts';

const bytes = (...parts: readonly (string | readonly number[])[]): Buffer =>
	Buffer.concat(
		parts.map(part => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
	);

const heads = {
	PNG: bytes('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 1, 0, 0, 0, 0, 40]),
	GIF: bytes('GIF89a', [0, 1, 40, 0]),
	JPEG: bytes(
		[0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1],
		[0xff, 0xc4, 0, 3, 0],
		[0xff, 0xc2, 0, 11, 8, 0, 40, 1, 0],
	),
	'WebP, lossy': bytes(
		'RIFF\0\0\0\0WEBPVP8 ',
		Array.from({length: 10}, () => 0),
		[0, 1, 40, 0],
	),
	'WebP, lossless': bytes('RIFF\0\0\0\0WEBPVP8L', [0, 0, 0, 0, 0x2f], [0xff, 0xc0, 0x09, 0]),
	'WebP, extended': bytes(
		'RIFF\0\0\0\0WEBPVP8X',
		Array.from({length: 8}, () => 0),
		[255, 0, 0, 39, 0, 0],
	),
};

test.each(Object.entries(heads))('the size of a %s is read from its head', (name, head) => {
	expect(imageSize(head)).toEqual({format: name.split(',')[0], width: 256, height: 40});
});

test.each(Object.entries(heads))('a %s that ends within its head has none', (_, head) => {
	for (let end = 0; end < head.length; end++) {
		expect(imageSize(head.subarray(0, end))).toBeUndefined();
	}
});

test('what is no image has none', () => {
	expect(imageSize(Buffer.from('just text, and more of it'))).toBeUndefined();
	expect(imageSize(Buffer.alloc(0))).toBeUndefined();
});
