import {chmod, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {openCopy} from '../../../src/cli/agent/open-copy.ts';
import {writeBlob} from '../../../src/git/tree/blobs.ts';
import {treeOf} from '../../../src/git/tree/graft.ts';
import {makeSupervised} from '../../supervisor/world.ts';

const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x20\0\0\0\x28', 'latin1');

/** Makes a folder with programs that note what they are given, and a tree with an image and a text. */
const makePlace = async (programs: readonly string[]) => {
	const folder = await mkdtemp(join(tmpdir(), 'viewers-'));
	onTestFinished(() => rm(folder, {recursive: true, force: true}));
	for (const name of programs) {
		const script = `#!/bin/sh\n/bin/cp "$1" "${join(folder, 'shown')}" 2>/dev/null\necho "${name} $1" >"${join(folder, 'called')}"\n`;
		await writeFile(join(folder, name), script);
		await chmod(join(folder, name), 0o755);
	}

	const {store} = (await makeSupervised({})).world;
	const blob = async (content: Buffer) => ({mode: '100644', oid: await writeBlob(store, content)});
	const tree = await treeOf(store, [
		['a/-logo.png', await blob(png)],
		['notes.png', await blob(Buffer.from('a text by that name\n'))],
	]);
	const called = async () => readFile(join(folder, 'called'), 'utf8');
	const shown = async () => readFile(join(folder, 'shown'));
	return {store, tree, folder, called, shown};
};

test('an image is opened in a program that draws it in the terminal, as it is', async () => {
	const {store, tree, folder, called, shown} = await makePlace(['chafa', 'vi']);
	const told = await openCopy(store, tree, {path: 'a/-logo.png', line: 1}, {PATH: folder});
	expect(told).toBe('That was a copy of a/-logo.png: changes to it are not kept.');
	expect(await called()).toMatch(/^chafa \/.*\/-logo\.png\n$/);
	expect(await shown()).toEqual(png);
});

test('what only has the name of an image is opened in the editor', async () => {
	const {store, tree, folder, called} = await makePlace(['chafa', 'vi']);
	await openCopy(store, tree, {path: 'notes.png', line: 1}, {PATH: folder, EDITOR: 'vi'});
	expect(await called()).toMatch(/^vi /);
});

test('an image is not opened without a program for it, with what helps', async () => {
	const {store, tree, folder} = await makePlace(['uname']);
	const opening = openCopy(store, tree, {path: 'a/-logo.png', line: 1}, {PATH: folder});
	await expect(opening).rejects.toMatchObject({
		kind: 'missing',
		hint: 'install chafa, timg or viu, which draw them in the terminal',
	});
});
