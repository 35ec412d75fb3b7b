import {afterAll, expect, vi} from 'vitest';

/** What the tests of a file may change for those of the next one in the same process. */
const look = () => ({
	variables: {...process.env},
	folder: process.cwd(),
	user: process.geteuid?.(),
	isClockFake: vi.isFakeTimers(),
});

const found = look();
afterAll(() => expect(look()).toEqual(found));
