import {describe, expect, test} from 'vitest';
import {rareFailpoints} from './failpoints.ts';
import {tell, times} from './figures.ts';
import {playScene} from './scenes.ts';

const what = 'real kills of a supervisor at named moments';

describe('a supervisor that is killed over what seldom happens loses nothing', () => {
	test.each(rareFailpoints(1))('$failpoints', async ({scene, failpoints: points}) => {
		const {deaths} = await playScene(scene, {starts: points.map(failpoint => ({failpoint}))});
		expect(deaths).toBe(points.length);
		tell('J, A, U, H, P', what, points.length);
	});

	const later = Array.from({length: times({part: 0, deep: 1})}, (_, index) => index + 2);
	test.each(later.flatMap(rareFailpoints))('$failpoints', async ({scene, failpoints: points}) => {
		// A moment that does not come kills nobody; what was promised holds all the same.
		const {deaths} = await playScene(scene, {starts: points.map(failpoint => ({failpoint}))});
		tell('J, A, U, H, P', what, deaths);
	});
});
