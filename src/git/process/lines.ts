import type {GitResult} from './result.ts';

/** Returns the lines that a command printed, but for empty ones. */
export const linesOf = ({stdout}: GitResult): readonly string[] =>
	stdout
		.toString('utf8')
		.split('\n')
		.filter(line => line !== '');

/** Returns lines as an input: every one ends in a line break. */
export const joinLines = (lines: Iterable<string>): string =>
	[...lines].map(line => `${line}\n`).join('');
