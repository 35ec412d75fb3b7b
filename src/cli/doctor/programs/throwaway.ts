import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** Does something with a folder of its own, which is gone afterwards. */
export const forThrowaway = async <T>(work: (folder: string) => Promise<T>): Promise<T> => {
	const folder = await mkdtemp(join(tmpdir(), 'delegate-doctor-'));
	try {
		return await work(folder);
	} finally {
		await rm(folder, {recursive: true, force: true, maxRetries: 3});
	}
};
