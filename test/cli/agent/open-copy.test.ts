import {chmod, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {openCopy, readImage} from '../../../src/cli/agent/open-copy.ts';
import {writeBlob} from '../../../src/git/tree/blobs.ts';
import {treeOf} from '../../../src/git/tree/graft.ts';
import {makeSupervised} from '../../supervisor/world.ts';

const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x20\0\0\0\x28', 'latin1');

const jpeg = Buffer.from('\xff\xd8\xff\xc0\0\x0b\x08\0\x28\0\x20', 'latin1');

/** Makes a folder with programs that note what they are given, and a tree with images and texts. */
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
		['page.html', await blob(Buffer.from('GIF89a, a text that begins like an image\n'))],
		['logo.gif', await blob(png)],
		['scan.JPG', await blob(jpeg)],
		[
			'wide.png',
			await blob(
				Buffer.from(png.toString('latin1').replace('\x20\0\0\0\x28', '\x20\0\x10\0\0'), 'latin1'),
			),
		],
		['long.png', await blob(Buffer.concat([png, Buffer.alloc(1024 * 1024)]))],
		['link.png', {...(await blob(png)), mode: '120000'}],
	]);
	const called = async () => readFile(join(folder, 'called'), 'utf8');
	const shown = async () => readFile(join(folder, 'shown'));
	return {store, tree, folder, called, shown};
};

test.each([
	['a/-logo.png', 'image.png', png],
	['scan.JPG', 'image.jpg', jpeg],
])(
	'the image %s is opened in a program that draws it in the terminal, as %s',
	async (path, name, content) => {
		const {store, tree, folder, called, shown} = await makePlace(['chafa', 'vi']);
		const told = await openCopy(store, tree, {path}, {PATH: folder});
		expect(told).toBe(`That was a copy of ${path}: changes to it are not kept.`);
		expect(await called()).toMatch(/^chafa \//);
		expect(basename((await called()).trimEnd())).toBe(name);
		expect(await shown()).toEqual(content);
	},
);

test.each([
	['has only the name of an image', {path: 'notes.png'}],
	['begins like an image and has another name', {path: 'page.html'}],
	['is an image of another format than its name says', {path: 'logo.gif'}],
	['is opened at a line', {path: 'a/-logo.png', line: 1}],
])('a file that %s is opened in the editor', async (_, at) => {
	const {store, tree, folder, called} = await makePlace(['chafa', 'vi']);
	await openCopy(store, tree, at, {PATH: folder, EDITOR: 'vi'});
	expect(await called()).toMatch(/^vi /);
});

test('an image is not opened without a program for it, with what helps', async () => {
	const {store, tree, folder} = await makePlace(['uname']);
	const opening = openCopy(store, tree, {path: 'a/-logo.png'}, {PATH: folder});
	await expect(opening).rejects.toMatchObject({
		kind: 'missing',
		hint: 'install chafa, timg or viu, which draw them in the terminal',
	});
});

test('a terminal is given a PNG that it can hold, and nothing else', async () => {
	const {store, tree} = await makePlace([]);
	expect(await readImage(store, tree, 'a/-logo.png')).toEqual(png);
	for (const path of ['scan.JPG', 'notes.png', 'wide.png', 'long.png', 'link.png', 'gone.png']) {
		expect([path, await readImage(store, tree, path)]).toEqual([path, undefined]);
	}
});
