import {statfsSync} from 'node:fs';
import {attempt} from '../../lib/attempt.ts';
import {bytesText} from '../../lib/text/bytes-text.ts';

/** What git and the system say when a disk is full, or a quota used up. */
const fullWords = /no space left on device|out of disk ?space/i;
const quotaWords = /quota exceeded/i;

/** What git says of a file that it could not write; not always with the reason. */
const vagueWords =
	/(?:unable|failed|could not|couldn['’]t|cannot) (?:to )?(?:write|create|append|store)/i;

/** Where git gives no reason, a disk with less than that is one, in bytes. */
const tooLittle = 2 ** 20;

/**
Returns in words that a git had no room for what it was to write, or nothing where it failed for another reason.

@param stderr Git's complaints.
@param folders Where it writes; the disk that has least room counts.
*/
export const noRoomAt = (stderr: string, folders: readonly string[]): string | undefined => {
	const [least] = folders
		.flatMap(folder => spaceOf(folder) ?? [])
		.toSorted((one, other) => one.free - other.free);
	if (least === undefined) {
		return undefined;
	}

	const {folder, free} = least;
	if (quotaWords.test(stderr)) {
		return `your quota on the disk of ${folder} is used up`;
	}

	return fullWords.test(stderr) || (vagueWords.test(stderr) && free < tooLittle)
		? `the disk of ${folder} is full (${bytesText(free)} left)`
		: undefined;
};

/** A folder that is gone has no disk. */
const spaceOf = (folder: string): {readonly folder: string; readonly free: number} | undefined =>
	attempt(() => {
		const {bavail, bsize} = statfsSync(folder);
		return {folder, free: bavail * bsize};
	});
