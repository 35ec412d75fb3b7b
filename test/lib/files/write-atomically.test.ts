import {
	chmodSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {writeAtomically} from '../../../src/lib/files/write-atomically.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

test('a new file has the content and the mode that was asked for', async () => {
	const path = join(temporaryFolder(), 'answer.json');
	await writeAtomically(path, '{"é":1}\n', {mode: 0o600});
	expect(readFileSync(path, 'utf8')).toBe('{"é":1}\n');
	expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a file that is there keeps its mode', async () => {
	const path = join(temporaryFolder(), 'run.sh');
	writeFileSync(path, 'a much longer content than the new one');
	chmodSync(path, 0o751);
	await writeAtomically(path, Buffer.from('new'), {mode: 0o600});
	expect(readFileSync(path, 'utf8')).toBe('new');
	expect(statSync(path).mode & 0o777).toBe(0o751);
});

test('a reader sees the old or the new content, never a part', async () => {
	const folder = temporaryFolder();
	const path = join(folder, 'state.json');
	const contents = ['a', 'b'].map(letter => letter.repeat(300_000));
	await writeAtomically(path, contents[0] ?? '');
	const inode = statSync(path).ino;
	const writing = writeAtomically(path, contents[1] ?? '');
	let isWriting = true;
	const done = writing.finally(() => {
		isWriting = false;
	});
	while (isWriting) {
		expect(contents).toContain(readFileSync(path, 'utf8'));
		await new Promise(setImmediate);
	}

	await done;
	expect(readFileSync(path, 'utf8')).toBe(contents[1]);
	expect(statSync(path).ino).not.toBe(inode);
	expect(readdirSync(folder)).toEqual(['state.json']);
});

test('a link is replaced, and what it led to stays', async () => {
	const folder = temporaryFolder();
	const [target, link] = [join(folder, 'target'), join(folder, 'link')];
	writeFileSync(target, 'mine');
	symlinkSync(target, link);
	await writeAtomically(link, 'new');
	expect(lstatSync(link).isSymbolicLink()).toBe(false);
	expect(readFileSync(target, 'utf8')).toBe('mine');
});

test('a failure names the file, and leaves what was there and nothing else', async () => {
	const folder = temporaryFolder();
	const path = join(folder, 'taken');
	mkdirSync(path);
	await expect(writeAtomically(path, 'new')).rejects.toThrow(`${path} could not be written`);
	expect(readdirSync(folder)).toEqual(['taken']);
	const nowhere = join(folder, 'none', 'file');
	await expect(writeAtomically(nowhere, 'new')).rejects.toThrow(nowhere);
});
