import {existsSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {collectGarbage} from '../../../src/git/store/pinned.ts';
import {installKillableGit, untilStruck} from '../../helpers/kill-points.ts';
import {git, write} from '../../helpers/repository.ts';
import {makeWorld} from '../world.ts';

/** The commands that write the objects of a snapshot. */
const words = ['update-index', 'write-tree', 'pack-objects', 'commit-tree'];
const fileCount = 101;

const points = 12;
const longestMs = 24;

installKillableGit();

test('a snapshot of many new files that is killed anywhere leaves nothing broken, and the next one holds them all', async () => {
	const world = await makeWorld();
	let struck = 0;
	for (let point = 0; point < points; point += 1) {
		let stamp = 0;
		const change = async (): Promise<void> => {
			stamp += 1;
			for (let number = 0; number < fileCount; number += 1) {
				write(world.tree, {[`folder-${number}/a.txt`]: `${point} ${stamp} ${number}\n`});
			}
		};
		await change();
		const isStruck = await untilStruck(
			words[point % words.length] ?? '',
			(longestMs * (point + 0.5)) / points,
			() => world.snapshot().catch(() => undefined),
			change,
		);
		struck += isStruck ? 1 : 0;
		const {commit} = await world.snapshot();
		const {gitDir} = world.store;
		expect(existsSync(join(world.folder, 'index')), `point ${point}`).toBe(true);
		for (let number = 0; number < fileCount; number += 50) {
			const text = git(gitDir, 'show', `${commit}:folder-${number}/a.txt`);
			expect(text, `point ${point}`).toBe(`${point} ${stamp} ${number}`);
		}

		expect(git(gitDir, 'fsck', '--full', '--no-dangling', '--no-progress')).toBe('');
	}

	expect(struck).toBe(points);
	await collectGarbage(world.store, new Date(Date.now() + 60_000));
	const left = readdirSync(join(world.store.gitDir, 'objects'), {recursive: true});
	expect(left.filter(name => name.includes('tmp_'))).toEqual([]);
}, 600_000);
