import type {Draw} from './power.ts';

/** Returns a repeatable source of chance (the generator of Park and Miller). */
export const drawFrom = (start: number): Draw => {
	let state = (start % 2_147_483_646) + 1;
	return below => {
		state = (state * 48_271) % 2_147_483_647;
		return state % below;
	};
};
