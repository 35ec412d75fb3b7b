import {expect, test} from 'vitest';
import {makeShuttle} from '../git/target/shuttle-world.ts';
import {makeWorld} from '../git/world.ts';
import {installKillableGit, killInMoves} from '../helpers/kill-points.ts';
import {tell, times} from './figures.ts';
import {killInSnapshots, killInWorktrees} from './git-kills.ts';

installKillableGit();

test('a git that is killed anywhere leaves what the next try brings to its end', async () => {
	const points = times({part: 25, deep: 160});
	const moves = await killInMoves(await makeShuttle(), points);
	expect(moves.between).toBeGreaterThan(0);
	expect(moves.struck).toBe(2 * points);
	tell('U', 'kills inside git: publication and undo', moves.struck);

	const files = Array.from({length: 200}, (_, n) => [`src/${n}.txt`, `${n}\n`.repeat(50)] as const);
	const world = await makeWorld({...Object.fromEntries(files), 'changed.txt': 'base\n'});
	const snapshots = await killInSnapshots(world, points);
	expect(snapshots).toBe(points);
	tell('A', 'kills inside git: snapshots', snapshots);
	const worktrees = await killInWorktrees(world, points);
	expect(worktrees).toBe(points);
	tell('U', 'kills inside git: worktrees that are made', worktrees);
});
