import {join} from 'node:path';
import {expect, test} from 'vitest';
import {contentsOf, writeBlob} from '../../../src/git/tree/blobs.ts';
import {makeRepository} from '../../helpers/repository.ts';

test('a content that is lost is a failure, and no empty one', async () => {
	const store = {gitDir: join(makeRepository(), '.git')};
	const empty = await writeBlob(store, Buffer.of());
	expect(await contentsOf(store, new Map([['one', empty]]))).toEqual(
		new Map([['one', Buffer.of()]]),
	);
	const lost = 'a'.repeat(40);
	const asked = contentsOf(
		store,
		new Map([
			['one', empty],
			['other', lost],
		]),
	);
	await expect(asked).rejects.toMatchObject({
		kind: 'internal',
		message: `The object ${lost} is missing.`,
	});
});
