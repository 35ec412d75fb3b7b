import {isUtf8} from 'node:buffer';
import {statfsSync} from 'node:fs';
import {attempt, Failure} from '../../lib/failure.ts';
import {decodePath, encodePath} from '../../lib/text/byte-path.ts';
import {bytesText} from '../../lib/text/sanitize.ts';
import {defined} from '../../lib/values.ts';

/** Output of a git process; stdout stays bytes, because file names are bytes. */
export type GitResult = {
	readonly code: number;
	readonly stdout: Buffer;
	readonly stderr: string;
};

/** Exit code for a git that a signal ended. */
export const killedCode = -1;

/** Exit codes that are no failure; default: only 0. */
export type ExpectedCodes = readonly number[] | 'any';

/**
Returns the result if its exit code was expected.

@param folders to which git writes, to name a full disk
@throws `Failure` of kind `internal` with git's own words, or with the full disk
*/
export const expectCode = (
	args: readonly string[],
	result: GitResult,
	expected: ExpectedCodes = [0],
	folders: readonly string[] = [],
): GitResult => {
	if (expected === 'any' || expected.includes(result.code)) {
		return result;
	}

	const noRoom = noRoomAt(result.stderr, folders);
	const why = noRoom === undefined ? gitsWords(result) : `${noRoom}.`;
	const hint = noRoom === undefined ? hintOn(result) : 'Free some space there, then try again.';
	throw new Failure('internal', `${commandOf(args)} failed: ${why}`, {
		cause: {args, code: result.code, stderr: result.stderr},
		...defined({hint}),
	});
};

/** Returns a hint on the file that a `git worktree add` leaves empty if it is killed at that moment. */
const hintOn = ({stderr}: GitResult): string | undefined =>
	/failed to read \S*worktrees\/[^/]+\/commondir/.test(stderr)
		? 'A "git worktree add" was killed there: write "../.." to that file, then remove the worktree by "git worktree remove".'
		: undefined;

/** Returns the line of stderr that names the cause, with the first of the files in it. */
export const gitsWords = ({code, stderr}: GitResult): string => {
	// Git overwrites its progress with carriage returns.
	const lines = stderr.split(/[\r\n]/).filter(line => line.trim() !== '');
	const at = Math.max(
		0,
		lines.findIndex(one => /^(?:fatal|error):/.test(one)),
	);
	const [line = endOf(code), next = ''] = lines.slice(at, at + 2);
	const words = line.replace(/^(?:fatal|error): /, '').trim();
	return words.endsWith(':') ? `${words} ${next.trim()}` : words;
};

const endOf = (code: number): string =>
	code === killedCode ? 'it was killed' : `exit code ${code}`;

export const lineOf = ({stdout}: GitResult): string => stdout.toString('utf8').replace(/\n$/, '');

/** Returns for example `git merge` for its arguments, without options and settings. */
export const commandOf = (args: readonly string[]): string => {
	const isWord = (argument: string, position: number) =>
		!argument.startsWith('-') && args[position - 1] !== '-c';
	return ['git', ...args.filter(isWord).slice(0, 1)].join(' ');
};

/** Returns the non-empty lines that a command printed. */
export const linesOf = ({stdout}: GitResult): readonly string[] =>
	stdout
		.toString('utf8')
		.split('\n')
		.filter(line => line !== '');

/** Ends each line with a line break, for stdin. */
export const joinLines = (lines: Iterable<string>): string =>
	[...lines].map(line => `${line}\n`).join('');

/** Splits output made with `-z`, decoding each field by `decodePath`. */
export const splitNul = (output: Buffer): string[] => {
	const fields = isUtf8(output) ? output.toString('utf8').split('\0') : splitBytes(output);
	if (fields.at(-1) === '') {
		fields.pop();
	}

	return fields;
};

/** Ends each field with NUL, for stdin with `-z`. */
export const joinNul = (fields: readonly string[]): Uint8Array =>
	encodePath(fields.map(field => `${field}\0`).join(''));

/** Decodes field by field, so that a name that isn't UTF-8 slows down only itself. */
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

const fullWords = /no space left on device|out of disk ?space/i;
const quotaWords = /quota exceeded/i;

/** Git's messages about a file that it could not write; not always with the reason. */
const vagueWords =
	/(?:unable|failed|could not|couldn['’]t|cannot) (?:to )?(?:write|create|append|store)/i;

/** Free bytes below which the full disk counts as the cause. */
const tooLittle = 2 ** 20;

/**
Returns the folder whose disk is full, or `undefined` if git failed for another reason.

@param folders to which git writes; the disk with the least free space counts
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

const spaceOf = (folder: string): {readonly folder: string; readonly free: number} | undefined =>
	attempt(() => {
		const {bavail, bsize} = statfsSync(folder);
		return {folder, free: bavail * bsize};
	});
