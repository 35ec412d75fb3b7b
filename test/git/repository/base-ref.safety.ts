import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {dropBase} from '../../../src/git/repository/base-ref.ts';
import {dieOverBase, openNew, session} from './died-over-base.ts';

test('a lock stays while a git is at work in the checkout, and goes with the next try', async () => {
	const {repository, head} = await openNew();
	const lock = await dieOverBase(repository, head);
	const {root} = repository;
	mkdirSync(join(root, 'src'));
	const other = spawn('git', ['cat-file', '--batch'], {cwd: join(root, 'src')});
	onTestFinished(() => void other.kill());
	other.stdin.write('HEAD\n');
	await once(other.stdout, 'data');

	expect(await dropBase(repository, session)).toMatchObject({
		cause: 'locked',
		message: expect.stringContaining(`process ${other.pid}`),
	});
	expect(existsSync(lock)).toBe(true);
	other.stdin.end();
	await once(other, 'close');
	expect(await dropBase(repository, session)).toBeUndefined();
	expect(existsSync(lock)).toBe(false);
});
