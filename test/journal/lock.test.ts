import {existsSync, renameSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {isLocked, takeLock} from '../../src/journal/lock.ts';
import {startProgram} from './child.ts';
import {temporaryFolder} from './helpers.ts';

const lockPath = () => join(temporaryFolder(), 'repository', 'supervisor.lock');

test('a lock is held until it is released', () => {
	const path = lockPath();
	expect(isLocked(path)).toBe(false);
	expect(existsSync(path)).toBe(false);
	const lock = takeLock(path);
	expect(lock).toBeDefined();
	expect(isLocked(path)).toBe(true);
	expect(takeLock(path)).toBeUndefined();
	lock?.release();
	lock?.release();
	expect(isLocked(path)).toBe(false);
	const again = takeLock(path);
	expect(again).toBeDefined();
	lock?.release();
	expect(isLocked(path)).toBe(true);
	again?.release();
});

test('a lock lies in a folder that only its owner can enter', () => {
	const path = lockPath();
	takeLock(path)?.release();
	expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
});

test('a refused try and a look leave the lock with its holder', async () => {
	const path = lockPath();
	const holder = startProgram('contend.ts', [path]);
	expect(await holder.ask('take')).toBe('held');
	expect(takeLock(path)).toBeUndefined();
	expect(isLocked(path)).toBe(true);
	const other = startProgram('contend.ts', [path]);
	expect(await other.ask('take')).toBe('refused');
	expect(await holder.ask('release')).toBe('released');
	expect(await other.ask('take')).toBe('held');
});

test('the lock of a killed process is free at once', async () => {
	const path = lockPath();
	let holder = startProgram('contend.ts', [path]);
	let other = startProgram('contend.ts', [path]);
	expect(await holder.ask('take')).toBe('held');
	for (let round = 0; round < 3; round++) {
		expect(await other.ask('take')).toBe('refused');
		await holder.kill();
		expect(await other.ask('take')).toBe('held');
		[holder, other] = [other, startProgram('contend.ts', [path])];
	}
});

test('of several processes that try at once exactly one gets the lock', async () => {
	const path = lockPath();
	const children = [1, 2, 3].map(() => startProgram('contend.ts', [path]));
	for (let round = 0; round < 6; round++) {
		const answers = await Promise.all(children.map(child => child.ask('take')));
		expect(answers.filter(answer => answer === 'held')).toHaveLength(1);
		await Promise.all(children.map(child => child.ask('release')));
	}
});

test('a file that can’t be a lock is named', () => {
	const path = join(temporaryFolder(), 'lock');
	writeFileSync(path, 'not a lock, but long enough to be looked at as a database'.repeat(20));
	expect(() => takeLock(path)).toThrow(path);
	expect(() => isLocked(path)).toThrow(path);
	expect(() => takeLock(join(path, 'below'))).toThrow('can’t be used');
});

test.runIf(process.platform === 'linux')(
	'a lock whose file was removed is lost, and no other process takes it before its holder is gone',
	async () => {
		const path = lockPath();
		const holder = startProgram('contend.ts', [path]);
		const other = startProgram('contend.ts', [path]);
		expect(await holder.ask('take')).toBe('held');
		expect(await holder.ask('look')).toBe('held');
		rmSync(path);
		expect(await holder.ask('look')).toBe('lost');
		expect(await other.ask('take')).toBe('refused');
		await holder.kill();
		expect(await other.ask('take')).toBe('held');
		expect(await other.ask('look')).toBe('held');
	},
);

test('a lock is lost whose file another process has the place of, or whose folder is gone', async () => {
	const path = lockPath();
	const holder = startProgram('contend.ts', [path]);
	const other = startProgram('contend.ts', [path]);
	expect(await holder.ask('take')).toBe('held');
	renameSync(path, `${path}.away`);
	expect(await other.ask('take')).toBe('held');
	expect(await holder.ask('look')).toBe('lost');
	expect(await other.ask('look')).toBe('held');
	rmSync(dirname(path), {recursive: true});
	expect(await other.ask('look')).toBe('lost');
});
