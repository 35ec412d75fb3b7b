import {describe, expect, test} from 'vitest';
import {failpoints} from './failpoints.ts';
import {tell, times} from './figures.ts';
import {playScene} from './scenes.ts';

/** Whether a supervisor that dies here leaves a session to go on with; with the publication its end is written. */
const leavesSession = (point: string): boolean =>
	!['after:merge.published:1', 'after:session.ended:1'].includes(point);

describe('a supervisor that is killed loses nothing', () => {
	test.each(failpoints(1))('$failpoints', async ({scene, failpoints: points}) => {
		const {deaths} = await playScene(scene, {
			starts: points.map(failpoint => ({failpoint})),
		});
		expect(deaths).toBe(points.filter(leavesSession).length);
		tell('J, A, U, H, P', 'real kills of a supervisor at named moments', points.length);
	});

	const later = Array.from({length: times({part: 0, deep: 4})}, (_, index) => index + 2);
	test.each(later.flatMap(failpoints))('$failpoints', async ({scene, failpoints: points}) => {
		// A moment that does not come kills nobody; what was promised holds all the same.
		const {deaths} = await playScene(scene, {
			starts: points.map(failpoint => ({failpoint})),
		});
		tell('J, A, U, H, P', 'real kills of a supervisor at named moments', deaths);
	});
});
