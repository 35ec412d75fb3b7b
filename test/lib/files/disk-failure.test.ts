import {expect, test} from 'vitest';
import {diskFailure, errorCode} from '../../../src/lib/files/reading.ts';

const systemError = (code: string) => Object.assign(new Error(`${code}: something`), {code});

test.each([
	['ENOSPC', 'the disk is full'],
	['EDQUOT', 'the disk quota is used up'],
	['EIO', 'the disk reported an I/O error'],
	['EROFS', 'the disk is read-only'],
	['EACCES', 'permission is denied'],
	['EMFILE', 'this process has too many open files'],
])('%s is named for what it is', (code, cause) => {
	const error = systemError(code);
	expect(diskFailure('The plan could not be saved', error)).toMatchObject({
		kind: 'missing',
		message: `The plan could not be saved: ${cause}.`,
		hint: expect.stringMatching(/./),
		cause: error,
	});
});

test('an error that is not known is passed on in its own words', () => {
	expect(diskFailure('It failed', systemError('EODD'))).toMatchObject({
		kind: 'internal',
		message: 'It failed: EODD: something.',
	});
	expect(diskFailure('It failed', 'oddly').message).toBe('It failed: oddly.');
});

test('only a system error has a code', () => {
	expect(errorCode(systemError('ENOENT'))).toBe('ENOENT');
	expect(errorCode(Object.assign(new Error('x'), {code: 5}))).toBeUndefined();
	expect(errorCode({code: 'ENOENT'})).toBeUndefined();
});
