import {createHash} from 'node:crypto';
import {setTimeout} from 'node:timers';
import type {GitResult} from './result.ts';
import {type GitLocation, type SealedOptions, sealed} from './sealed.ts';

/**
Runs a sealed command. If all arguments are options or full object ids, its result can't change and is cached.

A merge lists the same trees and compares the same commits many times, and starting git costs more than most answers.

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

/** Returns the cached result for a key, or computes and caches it, unless it fails or may change later: for example an exit code without output. */
export const recall = (
	parts: unknown,
	make: () => Promise<GitResult>,
	{stays = saysSomething, forMs = keptMs}: RecallOptions = {},
): Promise<GitResult> => {
	const key = createHash('sha256').update(JSON.stringify(parts)).digest('base64');
	const known = kept.get(key);
	if (known !== undefined) {
		return known.result;
	}

	const entry: Kept = {result: make(), bytes: 0};
	kept.set(key, entry);
	setTimeout(() => kept.delete(key), forMs).unref();
	entry.result.then(
		result => {
			entry.bytes = result.stdout.length;
			if (!stays(result)) {
				kept.delete(key);
			}

			forgetOldest();
		},
		() => kept.delete(key),
	);
	return entry.result;
};

export type RecallOptions = {
	/** Returns whether a result can be cached. */
	readonly stays?: (result: GitResult) => boolean;
	/** Time for which a result is cached, in milliseconds. */
	readonly forMs?: number;
};

/** Git exits with 1 for a result such as a conflict, and with more if it fails. */
const saysSomething = ({code, stdout}: GitResult): boolean =>
	code === 0 || (code === 1 && stdout.length > 0);

type Kept = {readonly result: Promise<GitResult>; bytes: number};

/** Oldest first. */
const kept = new Map<string, Kept>();

/** A diff of 5,000 files takes a quarter of this. */
const mostBytes = 16 * 2 ** 20;
const mostResults = 4096;

/** Far less than the minimum age at which git prunes unreachable objects, a day: a result may mean that an object exists. Any other `forMs` must be short too. */
const keptMs = 60_000;

const forgetOldest = (): void => {
	let bytes = [...kept.values()].reduce((sum, one) => sum + one.bytes, 0);
	for (const [key, one] of kept) {
		if (bytes <= mostBytes && kept.size <= mostResults) {
			return;
		}

		kept.delete(key);
		bytes -= one.bytes;
	}
};

/** Returns whether each argument is an option or a full id. */
const namesById = ([, ...args]: readonly string[]): boolean =>
	args.every(argument => argument.startsWith('-') || isFullId(argument));

/** Returns whether a name is a full id (SHA-1 or SHA-256), optionally with `^{tree}` or `^{commit}`. */
export const isFullId = (name: string): boolean =>
	/^(?:[\da-f]{40}|[\da-f]{64})(?:\^\{(?:tree|commit)\})?$/.test(name);
