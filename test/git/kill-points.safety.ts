import {expect, test} from 'vitest';
import {installKillableGit, killInMoves} from '../helpers/kill-points.ts';
import {makeShuttle} from './shuttle-world.ts';

/** How many points of each way are tried; the safety suite tries more. */
const points = 10;

test('a publication and an undo that are killed anywhere reach the state before or after, and the next try the end', async () => {
	installKillableGit();
	const figures = await killInMoves(await makeShuttle(), points);
	expect(figures.before + figures.between + figures.after).toBe(2 * points);
	expect(figures.between).toBeGreaterThan(0);
	expect(figures.struck).toBeGreaterThan(points);
}, 900_000);
