import {chmodSync, rmSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {becomeNobody} from '../../helpers/become-nobody.ts';
import {type Files, temporaryFolder, write} from '../../helpers/repository.ts';
import {makeWorld} from '../world.ts';

becomeNobody();

/** A worktree with these files, some of whose paths have another mode; returns what a snapshot of it tells. */
const snapshotOf = async (files: Files, modes: Readonly<Record<string, number>>) => {
	const world = await makeWorld({'closed/b.txt': 'b', '.gitignore': '/ignored/\n'});
	write(world.tree, files);
	for (const [path, mode] of Object.entries(modes)) {
		chmodSync(join(world.tree, path), mode);
		onTestFinished(() => chmodSync(join(world.tree, path), 0o755));
	}

	const {shown, skipped} = await world.changed();
	const inOrder = skipped.toSorted((one, other) => (one.path < other.path ? -1 : 1));
	return {skipped: inOrder, changed: shown};
};

test('what may not be read is told, but for what is ignored, and the rest is kept', async () => {
	const files = {'secret.txt': 'x', 'half/x': 'x', 'ignored/deep/x': 'x', 'a.txt': 'z'};
	// One that may be listed and not entered hides its files; an ignored one is looked into by nobody.
	const modes = {'secret.txt': 0, closed: 0, half: 0o644, 'ignored/deep': 0, ignored: 0o755};
	const {skipped, changed} = await snapshotOf(files, modes);
	expect(skipped.map(({path}) => path).toSorted()).toEqual([
		'closed/b.txt',
		'half/x',
		'secret.txt',
	]);
	expect(new Set(skipped.map(({why}) => why))).toEqual(new Set(['unreadable']));
	expect(changed).toEqual(['A a.txt']);
});

test.each([0, 0o333])(
	'a folder that may not be read (mode %i) is told, wherever it lies',
	async mode => {
		const files = {'dark/x': 'x', 'new/only/dark/x': 'x', 'a.txt': 'z'};
		expect(await snapshotOf(files, {dark: mode, 'new/only/dark': mode})).toEqual({
			skipped: [
				{path: 'dark', why: 'unreadable'},
				{path: 'new/only/dark', why: 'unreadable'},
			],
			changed: ['A a.txt'],
		});
	},
);

test('a tracked folder that hides what is new in it only is told', async () => {
	const {skipped} = await snapshotOf({'closed/new': 'x'}, {closed: 0o333});
	expect(skipped).toEqual([{path: 'closed', why: 'unreadable'}]);
});

test('a link in place of a folder leads to nothing that is told', async () => {
	const world = await makeWorld({'src/a.txt': 'a', 'b.txt': 'b'});
	const outside = temporaryFolder();
	write(outside, {'theirs/dark/x': 'x', 'theirs/x': 'x'});
	rmSync(join(world.tree, 'src'), {recursive: true});
	symlinkSync(outside, join(world.tree, 'src'));
	write(world.tree, {'dark/x': 'x'});
	for (const closed of [join(world.tree, 'dark'), join(outside, 'theirs/dark')]) {
		chmodSync(closed, 0);
		onTestFinished(() => chmodSync(closed, 0o755));
	}

	expect((await world.snapshot()).skipped).toEqual([{path: 'dark', why: 'unreadable'}]);
});
