import {joinNul, splitNul} from '../process/nul.ts';
import type {GitResult} from '../process/result.ts';

/** Runs git somewhere with arguments and an input; pathspec magic must not be switched off. */
type Run = (args: readonly string[], input: Uint8Array) => Promise<GitResult>;

/** Returns those of the paths that the ignore rules of a worktree match. */
export const ignoredAmong = async (
	run: Run,
	paths: readonly string[],
): Promise<ReadonlySet<string>> => {
	// `check-ignore` knows no literal pathspecs; the prefix keeps `:(top)x` from being magic.
	const input = joinNul(paths.map(path => `./${path}`));
	const {stdout} = await run(['check-ignore', '-z', '--stdin', '--no-index'], input);
	return new Set(splitNul(stdout).map(path => path.slice(2)));
};
