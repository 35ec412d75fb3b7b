import {mkdtemp, rm} from 'node:fs/promises';

/** Makes a folder whose path begins as given; it is removed, with all that is in it, at the end of the block that it was made for. */
export const temporaryFolder = async (
	prefix: string,
): Promise<AsyncDisposable & {readonly path: string}> => {
	const path = await mkdtemp(prefix);
	const remove = () => rm(path, {recursive: true, force: true, maxRetries: 3});
	return {path, [Symbol.asyncDispose]: remove};
};
