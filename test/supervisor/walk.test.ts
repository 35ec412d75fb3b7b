import {afterEach, beforeEach, it, vi} from 'vitest';
import {expectWalks} from '../helpers/walk.ts';

beforeEach(() => {
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'Date']});
});

afterEach(() => {
	vi.useRealTimers();
});

/** Walks that once led where no way led on. */
const kept = [
	{seed: 691723108, path: '3836'},
	{seed: -1951085861, path: '277'},
	{seed: -1951085861, path: '11952'},
	{seed: 77, path: '4785'},
];

it('wherever a session wanders, a person who wants to be done gets it to its end', async () => {
	await expectWalks({seed: 1, numRuns: 100});
});

it.each(kept)('the walk $path of seed $seed comes to its end', async walk => {
	await expectWalks(walk);
});
