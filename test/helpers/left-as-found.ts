import {afterAll, expect, vi} from 'vitest';

/** Returns the process state that the tests of a file may leave changed for the next one. */
const look = () => ({
	variables: {...process.env},
	folder: process.cwd(),
	user: process.geteuid?.(),
	isClockFake: vi.isFakeTimers(),
});

const found = look();
afterAll(() => expect(look()).toEqual(found));
