import {Failure} from '../../lib/failure.ts';
import {noRoomAt} from './no-room.ts';

/** What a git process left behind; output stays bytes because names in it are bytes. */
export type GitResult = {
	readonly code: number;
	readonly stdout: Buffer;
	readonly stderr: string;
};

/** The code of a git that was ended by a signal, and so has none of its own. */
export const killedCode = -1;

/** Exit codes that are an answer, not a failure; only 0 unless said otherwise. */
export type ExpectedCodes = readonly number[] | 'any';

/**
Returns the result if its exit code was expected.

@param folders Where git writes, so that a disk without room is named.
@throws `Failure` of kind `internal` with git's own words, or with the disk that is full.
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
	throw new Failure('internal', `${commandOf(args)} failed: ${why}`, {
		cause: {args, code: result.code, stderr: result.stderr},
		...(noRoom === undefined ? {} : {hint: 'Free some space there, then try again.'}),
	});
};

/** Returns the one line of git's complaint that names the cause. */
export const gitsWords = ({code, stderr}: GitResult): string => {
	const lines = stderr.split('\n').filter(line => line.trim() !== '');
	const line = lines.find(one => /^(?:fatal|error):/.test(one)) ?? lines[0] ?? endOf(code);
	return line.replace(/^(?:fatal|error): /, '').trim();
};

const endOf = (code: number): string =>
	code === killedCode ? 'it was killed' : `exit code ${code}`;

/** Returns the single line that a command printed, without its line break. */
export const lineOf = ({stdout}: GitResult): string => stdout.toString('utf8').replace(/\n$/, '');

/** Returns what a person calls a command by: `git merge`, without its options and settings. */
export const commandOf = (args: readonly string[]): string => {
	const isWord = (argument: string, position: number) =>
		!argument.startsWith('-') && args[position - 1] !== '-c';
	return ['git', ...args.filter(isWord).slice(0, 1)].join(' ');
};
