import {afterEach, beforeEach, test, vi} from 'vitest';
import {expectWalks} from '../helpers/walk.ts';
import {seed, tell, times} from './figures.ts';

beforeEach(() => {
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'Date']});
});

afterEach(() => {
	vi.useRealTimers();
});

test('wherever a session wanders, a person who wants to be done gets it to its end', async () => {
	const count = times({part: 500, deep: 5000});
	await expectWalks({seed, numRuns: count});
	tell('J, H', 'random walks of a session of five agents, with crashes and a full disk', count);
});
