import {sealed} from '../process/sealed.ts';
import type {Store} from '../store/store.ts';

/** Returns the sizes of blobs in bytes, by id; an id that isn't there is absent. Nothing is read but their headers. */
export const blobSizes = async (
	store: Store,
	oids: Iterable<string>,
): Promise<ReadonlyMap<string, number>> => {
	const {stdout} = await sealed(store, ['cat-file', '--batch-check=%(objectname) %(objectsize)'], {
		input: [...new Set(oids)].map(oid => `${oid}\n`).join(''),
	});
	const sizes = stdout
		.toString('latin1')
		.split('\n')
		.map(line => line.split(' '))
		.filter(([, size]) => /^\d+$/.test(size ?? ''))
		.map(([oid = '', size]): [string, number] => [oid, Number(size)]);
	return new Map(sizes);
};
