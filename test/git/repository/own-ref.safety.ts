import {existsSync, utimesSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {moveOwnRef} from '../../../src/git/repository/base-ref.ts';
import {git, write} from '../../helpers/repository.ts';
import {makeWorld} from '../world.ts';

test('a lock on a ref of ours that somebody still writes to is left alone', async () => {
	const {store, base} = await makeWorld();
	const ref = 'refs/delegate/s/AGT-001/1';
	write(store.gitDir, {[`${ref}.lock`]: ''});
	const lock = join(store.gitDir, `${ref}.lock`);
	let at = 1;
	const writer = setInterval(() => {
		at += 1;
		utimesSync(lock, at, at);
	}, 10);
	onTestFinished(() => clearInterval(writer));
	const {code, stderr} = await moveOwnRef({gitDir: store.gitDir, ref, oid: base});
	expect([code, stderr]).toEqual([128, expect.stringContaining('.lock')]);
	expect(existsSync(lock)).toBe(true);
	expect(git(store.gitDir, 'for-each-ref', 'refs/delegate')).toBe('');
});
