import {createHash} from 'node:crypto';
import {setTimeout} from 'node:timers';
import type {GitResult} from './result.ts';
import {type GitLocation, type SealedOptions, sealed} from './sealed.ts';

/**
Runs a sealed command, or returns what it printed the last time where nothing but the objects that its arguments name decides on that.

One merge is looked at from many sides, and each of them lists the same trees, compares the same commits and merges the same pairs. A start of git costs more than most of these answers.

An argument that names an object by anything but its full id may mean another one a moment later; then git runs each time.

@throws `Failure` with git's own words when the exit code is not an expected one.
*/
export const recalled = (
	location: GitLocation,
	args: readonly string[],
	options: SealedOptions = {},
): Promise<GitResult> =>
	namesById(args)
		? recall([location, args, options], () => sealed(location, args, options))
		: sealed(location, args, options);

/** Returns the result that is kept for these parts, or makes and keeps it; neither a failure is kept nor an answer without words. */
export const recall = (parts: unknown, make: () => Promise<GitResult>): Promise<GitResult> => {
	const key = createHash('sha256').update(JSON.stringify(parts)).digest('base64');
	const known = kept.get(key);
	if (known !== undefined) {
		return known.result;
	}

	const entry: Kept = {result: make(), bytes: 0};
	kept.set(key, entry);
	setTimeout(() => kept.delete(key), keptMs).unref();
	entry.result.then(
		({code, stdout}) => {
			entry.bytes = stdout.length;
			if (code !== 0 && stdout.length === 0) {
				kept.delete(key);
			}

			dropOldest();
		},
		() => kept.delete(key),
	);
	return entry.result;
};

type Kept = {readonly result: Promise<GitResult>; bytes: number};

/** The oldest first. */
const kept = new Map<string, Kept>();

/** The list of a hundred thousand files has a tenth of it. */
const mostBytes = 64 * 2 ** 20;
const mostResults = 4096;

/** Far less than the age at which an object that no ref leads to may be collected: a result can say that one was written. */
const keptMs = 120_000;

const dropOldest = (): void => {
	let bytes = [...kept.values()].reduce((sum, one) => sum + one.bytes, 0);
	for (const [key, one] of kept) {
		if (bytes <= mostBytes && kept.size <= mostResults) {
			return;
		}

		kept.delete(key);
		bytes -= one.bytes;
	}
};

/** Whether each argument after the command is an option or a full id, of SHA-1 or SHA-256, perhaps with the tree of it asked for. */
const namesById = ([, ...args]: readonly string[]): boolean =>
	args.every(
		argument =>
			argument.startsWith('-') ||
			/^(?:[\da-f]{40}|[\da-f]{64})(?:\^\{(?:tree|commit)\})?$/.test(argument),
	);
