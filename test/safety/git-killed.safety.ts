import {expect, test} from 'vitest';
import {makeShuttle} from '../git/shuttle-world.ts';
import {makeWorld} from '../git/world.ts';
import {installKillableGit, killInMoves} from '../helpers/kill-points.ts';
import {tell, times} from './figures.ts';
import {killInSnapshots, killInWorktrees} from './git-kills.ts';

test('a git that is killed anywhere leaves what the next try brings to its end', async () => {
	installKillableGit();
	const points = times({part: 25, deep: 150});
	const moves = await killInMoves(await makeShuttle(), points);
	expect(moves.between).toBeGreaterThan(0);
	tell('U', 'kills inside git: publication and undo', 2 * points);

	const files = Array.from({length: 200}, (_, n) => [`src/${n}.txt`, `${n}\n`.repeat(50)] as const);
	const world = await makeWorld({...Object.fromEntries(files), 'changed.txt': 'base\n'});
	expect(await killInSnapshots(world, points)).toBeGreaterThan(0);
	tell('A', 'kills inside git: snapshots', points);
	expect(await killInWorktrees(world, points)).toBeGreaterThan(0);
	tell('U', 'kills inside git: worktrees that are made', points);
});
