import {afterEach, beforeEach, test, vi} from 'vitest';
import {expectWalks, keptWalks} from '../helpers/walk.ts';
import {seed, tell, times} from './figures.ts';

beforeEach(() => {
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance']});
});

afterEach(() => {
	vi.useRealTimers();
});

test('wherever a session wanders, a person who wants to be done gets it to its end', async () => {
	const count = times({part: 150, deep: 5000});
	await expectWalks({seed, numRuns: count});
	tell('J, H', 'random walks of a session of five agents, with crashes and a full disk', count);
});

test('a clock that jumps by a day, by a night or to its beginning keeps nobody from the end', async () => {
	const count = times({part: 75, deep: 2500});
	await expectWalks({seed, numRuns: count, kind: 'walks with clock jumps'});
	tell('J, H', 'random walks of a session whose clock jumps', count);
});

test('whatever happens once a result waits for approval, only what was approved is merged', async () => {
	const count = times({part: 75, deep: 2500});
	await expectWalks({seed, numRuns: count, kind: 'walks from the approval'});
	tell('J, H', 'random walks from a result that waits for approval', count);
});

test('whatever is merged early, nothing is lost, and only what was approved is merged', async () => {
	const count = times({part: 20, deep: 1000});
	await expectWalks({seed, numRuns: count, kind: 'walks with early merges'});
	tell('J, H', 'random walks of a session with early merges', count);
});

test.each(keptWalks())(
	'a walk that failed once comes to its end: $path of seed $seed',
	async walk => {
		await expectWalks(walk);
	},
);
