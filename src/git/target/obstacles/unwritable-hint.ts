import type {GitResult} from '../../process/result.ts';

/** Returns what helps where git was not let write, if its words say that it wasn't; nobody's work is to blame for that. */
export const unwritableHint = ({stderr}: GitResult): string | undefined => {
	if (/read-only file system/i.test(stderr)) {
		return 'Your repository lies on a file system that is mounted read-only; mount it so that it can be written, then try again.';
	}

	return /permission denied|insufficient permission/i.test(stderr)
		? 'See whose .git/objects and .git/refs are, and that you may write there, then try again.'
		: undefined;
};
