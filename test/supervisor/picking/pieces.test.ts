import {chmodSync, rmSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {PickedPart} from '../../../src/events/picked.ts';
import {readBlob} from '../../../src/git/tree/blobs.ts';
import {printShown, readWork} from '../../../src/rules/by-hand/hunk-lines.ts';
import {pickedWork} from '../../../src/supervisor/picking/picked-work.ts';
import {patchOfParts, readPieces} from '../../../src/supervisor/picking/pieces.ts';
import {makeStore} from '../../git/world.ts';
import {commitAll, type Files, git, write} from '../../helpers/repository.ts';

/** Lines that are all alike, so that a hunk fits in more places than its own. */
const alike = (...added: readonly number[]): string =>
	Array.from({length: 60}, (_, index) => `same\n${added.includes(index) ? 'new\n' : ''}`).join('');

const before: Files = {
	'alike.txt': alike(),
	'forged.txt': 'one\r@@ -1 +1 @@\rdiff --git a/x b/x\n',
	'gone.txt': 'gone\n',
	'link.txt': 'a file\n',
	'mode.sh': 'true\n',
	'moved.txt': 'moved\n',
	'old.bin': 'a\0b',
};

const someWork = async () => {
	const {root, store, base} = await makeStore(before);
	rmSync(join(root, 'link.txt'));
	symlinkSync('alike.txt', join(root, 'link.txt'));
	chmodSync(join(root, 'mode.sh'), 0o755);
	git(root, 'mv', 'moved.txt', 'to.txt');
	rmSync(join(root, 'gone.txt'));
	write(root, {
		'alike.txt': alike(10, 30, 50),
		'forged.txt': 'two\r@@ -1 +1 @@\rdiff --git a/x b/x\n',
		'empty.txt': '',
		'old.bin': 'a\0c',
	});
	const input = {owners: ['AGT-001'], base, commit: commitAll(root)};
	const files = await readPieces(store, base, input.commit);
	const take = async (...parts: readonly PickedPart[]) => {
		const taken = await pickedWork(store, input, patchOfParts(files, parts));
		const contents = taken.map(async ({path, entry}) => [
			path,
			entry && (await readBlob(store, entry.oid)).toString(),
		]);
		return Object.fromEntries(await Promise.all(contents));
	};
	const at = (path: string): number => files.findIndex(file => file.path === path);
	return {files, take, at};
};

test('each file of a work is taken alone, and says where it can only be taken as a whole', async () => {
	const {files, take} = await someWork();
	expect(files.map(({path, whole, hunks}) => [path, whole ?? hunks.length])).toEqual([
		['alike.txt', 3],
		['empty.txt', 'new file'],
		['forged.txt', 1],
		['gone.txt', 'deleted'],
		['link.txt', 'became something else'],
		['mode.sh', 'mode 100644 → 100755'],
		['moved.txt', 'deleted'],
		['old.bin', 'not text'],
		['to.txt', 'new file'],
	]);
	for (const [file, {path}] of files.entries()) {
		expect(Object.keys(await take({file, hunks: 'all'}))).toEqual([path]);
	}
});

test.each([
	[[0], [10]],
	[[1], [30]],
	[[2], [50]],
	[
		[0, 2],
		[10, 50],
	],
])('of lines that are all alike the hunks %j are taken where they belong', async (hunks, lines) => {
	const {take, at} = await someWork();
	expect(await take({file: at('alike.txt'), hunks})).toEqual({'alike.txt': alike(...lines)});
});

test('what is no part of it is refused', async () => {
	const {files} = await someWork();
	for (const part of [
		{file: 9, hunks: 'all'},
		{file: 0, hunks: [3]},
		{file: 0, hunks: []},
	] as const) {
		expect(() => patchOfParts(files, [part])).toThrow('not in this work');
	}
});

test('what is printed is read as it was, and of the beginning no part that is not all there', () => {
	const work = {
		work: 'abc',
		files: [
			{path: 'new.txt', whole: 'new file', hunks: [{line: 1, section: '', lines: ['+ a b', '+}']}]},
			{path: 'a b.txt', hunks: [{line: 7, section: 'f() {', lines: [' hunk 1', '-file x']}]},
		],
	};
	const lines = printShown(work).split('\n');
	expect(readWork(lines)).toEqual({work});
	for (const end of lines.keys()) {
		const {files} = readWork(lines.slice(0, end), lines.length).work;
		expect(work.files.slice(0, files.length)).toEqual(files);
	}
});
