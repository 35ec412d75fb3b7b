import fc from 'fast-check';
import {expect, test} from 'vitest';
import {encodeFrame, frameLimitBytes, frameReader} from '../../src/control/wire.ts';

test('values arrive as they were sent, however they are cut', () => {
	const values = fc.array(fc.jsonValue(), {maxLength: 5});
	fc.assert(
		fc.property(values, fc.array(fc.nat(40), {minLength: 1}), (sent, sizes) => {
			const bytes = Buffer.from(sent.map(encodeFrame).join(''));
			const read = frameReader();
			const received: unknown[] = [];
			for (let from = 0, turn = 0; from < bytes.length; turn++) {
				const size = 1 + (sizes[turn % sizes.length] ?? 0);
				received.push(...read(bytes.subarray(from, from + size)));
				from += size;
			}

			const expected = sent.map(value => ({
				frame: 'value',
				value: JSON.parse(JSON.stringify(value)),
			}));
			expect(received).toEqual(expected);
		}),
	);
});

test('a frame may be as large as the limit, and no larger', () => {
	const largest = 'x'.repeat(frameLimitBytes - 2);
	const frame = encodeFrame(largest);
	expect(frame?.length).toBe(frameLimitBytes + 1);
	expect(encodeFrame(`${largest}x`)).toBeUndefined();
	expect(encodeFrame('é'.repeat(frameLimitBytes / 2))).toBeUndefined();
	expect(frameReader()(Buffer.from(frame ?? ''))).toEqual([{frame: 'value', value: largest}]);
	expect(frameReader()(Buffer.from(`"${largest}x"\n`))).toEqual([{frame: 'oversized'}]);
});

test('nothing is read or kept behind an oversized frame', () => {
	const read = frameReader();
	const part = Buffer.alloc(frameLimitBytes, 'x');
	expect(read(part)).toEqual([]);
	expect(read(part)).toEqual([{frame: 'oversized'}]);
	expect(read(Buffer.from('\n1\n'))).toEqual([]);
});

test.each(['', '{', 'nonsense', '\0\0', '{"id":1}{"id":2}'])('%j is malformed', text => {
	expect(frameReader()(Buffer.from(`${text}\n3\n`))).toEqual([
		{frame: 'malformed'},
		{frame: 'value', value: 3},
	]);
});

test('text that is not UTF-8 is malformed', () => {
	expect(frameReader()(Buffer.from([0x22, 0xff, 0x22, 0x0a]))).toEqual([{frame: 'malformed'}]);
});
