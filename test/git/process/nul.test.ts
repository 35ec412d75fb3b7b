import {expect, test} from 'vitest';
import {joinNul, splitNul} from '../../../src/git/process/result.ts';

test('fields come back as they were, whether or not they are text, and with or without a last NUL', () => {
	const odd = Buffer.from([0x61, 0x00, 0x6f, 0xff]);
	const [plain = '', other = ''] = splitNul(odd);
	expect(plain).toBe('a');
	expect(other.isWellFormed()).toBe(false);
	expect(Buffer.from(joinNul([plain, other]))).toEqual(Buffer.concat([odd, Buffer.from([0])]));
	expect(splitNul(Buffer.concat([odd, Buffer.from([0])]))).toEqual([plain, other]);
	expect([splitNul(Buffer.from('a\0b')), splitNul(Buffer.from('a\0b\0'))]).toEqual([
		['a', 'b'],
		['a', 'b'],
	]);
	expect(splitNul(Buffer.alloc(0))).toEqual([]);
});
