import {existsSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {dropBase, pinBase, unpinBase} from '../../../src/git/repository/base-ref.ts';
import {belongings, git} from '../../helpers/repository.ts';
import {dieOverBase, openNew, session} from './died-over-base.ts';

test('the lock that a killed git left on a base goes, with the ref and its folders, and nothing else', async () => {
	const {repository, head} = await openNew();
	const {root} = repository;
	const before = belongings(root);
	const lock = await dieOverBase(repository, head);
	const [others, own] = [join(root, '.git/HEAD.lock'), join(root, '.git/refs/heads/main.lock')];
	writeFileSync(others, '');
	writeFileSync(own, '');
	expect(existsSync(lock)).toBe(true);

	expect(await dropBase(repository, session)).toBeUndefined();
	expect(existsSync(join(root, '.git/refs/delegate'))).toBe(false);
	expect([existsSync(others), existsSync(own)]).toEqual([true, true]);
	expect(belongings(root).refs).toEqual(before.refs);
});

test('the base of another session stays', async () => {
	const {repository, head} = await openNew();
	await pinBase(repository, 'DEL-2', head);
	await pinBase(repository, session, head);
	expect(await dropBase(repository, session)).toBeUndefined();
	expect(git(repository.root, 'for-each-ref', '--format=%(refname)', 'refs/delegate')).toBe(
		'refs/delegate/DEL-2/base',
	);
	expect(readdirSync(join(repository.root, '.git/refs/delegate'))).toEqual(['DEL-2']);
});

test('a base can be given up although a killed git left its lock', async () => {
	const {repository, head} = await openNew();
	await pinBase(repository, session, head);
	await dieOverBase(repository, git(repository.root, 'rev-parse', 'HEAD'));
	await unpinBase(repository, session);
	expect(git(repository.root, 'for-each-ref', 'refs/delegate')).toBe('');
});
