import {platform} from 'node:os';
import {expect, test} from 'vitest';
import {expectCode, noRoomAt} from '../../../src/git/process/result.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

const folder = () => temporaryFolder();

/** There `/proc` counts as a disk without room. */
const onLinux = test.runIf(platform() === 'linux');

test.each([
	['fatal: write error: No space left on device', /^the disk of .* is full \(.* left\)$/],
	['fatal: Out of diskspace', /^the disk of .* is full/],
	['error: file write error: Disk quota exceeded', /^your quota on the disk of .* is used up$/],
])('a git that says "%s" had no room', (words, expected) => {
	expect(noRoomAt(words, [folder()])).toMatch(expected);
});

onLinux('a git that could not write a file had no room only where there is little', () => {
	expect(noRoomAt('error: unable to create file a.txt: Permission denied', [folder()])).toBe(
		undefined,
	);
	expect(noRoomAt('error: unable to write file a.txt', ['/proc'])).toMatch(/^the disk of \/proc/);
	expect(noRoomAt('cannot update ref: couldn’t write HEAD', ['/proc'])).toMatch(/^the disk of/);
	expect(noRoomAt('fatal: not a git repository', ['/proc'])).toBeUndefined();
});

onLinux('the disk with least room is named, and one that is gone is none', () => {
	const words = 'fatal: No space left on device';
	expect(noRoomAt(words, [folder(), '/proc', '/gone'])).toMatch(/^the disk of \/proc is full/);
	expect(noRoomAt(words, ['/gone'])).toBeUndefined();
});

onLinux('a command that had no room fails with the disk, and with what to do about it', () => {
	const result = {
		code: 128,
		stdout: Buffer.alloc(0),
		stderr: 'error: unable to write loose object file: No space left on device\n',
	};
	expect(() => expectCode(['hash-object'], result, [0], ['/proc'])).toThrow(
		expect.objectContaining({
			kind: 'internal',
			message: 'git hash-object failed: the disk of /proc is full (0 bytes left).',
			hint: 'Free some space there, then try again.',
		}),
	);
});
