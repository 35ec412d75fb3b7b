import {afterEach, beforeEach, it, vi} from 'vitest';
import {expectWalks, keptWalks} from '../helpers/walk.ts';

beforeEach(() => {
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance']});
});

afterEach(() => {
	vi.useRealTimers();
});

it.each([
	{kind: 'walks', numRuns: 80},
	{kind: 'walks with early merges', numRuns: 20},
	{kind: 'walks from the approval', numRuns: 40},
] as const)(
	'wherever a session wanders, a person who wants to be done gets it to its end, and nothing is lost or merged unasked: $numRuns $kind',
	async walks => {
		await expectWalks({seed: 1, ...walks});
	},
);

it.each(keptWalks())(
	'a walk that failed once comes to its end: $path of seed $seed',
	async walk => {
		await expectWalks(walk);
	},
);
