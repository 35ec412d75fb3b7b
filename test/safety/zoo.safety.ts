import {describe, test} from 'vitest';
import {tell} from './figures.ts';
import {checkouts} from './zoo/checkouts.ts';
import {clashes} from './zoo/clashes.ts';
import {closed} from './zoo/closed.ts';
import {contents} from './zoo/contents.ts';
import {starts} from './zoo/starts.ts';
import {visit} from './zoo/visit.ts';

describe('a session in any kind of repository is refused with the reason', () => {
	test.each(starts)('$name', async recipe => {
		await visit(recipe);
		tell('U', 'kinds of repositories', 1);
	});
});

describe('a session in any kind of repository comes to its merge and leaves all else as it was', () => {
	test.each([...checkouts, ...contents, ...clashes])('$name', async recipe => {
		await visit(recipe);
		tell('U', 'kinds of repositories', 1);
	});
});

/** No mode is in root's way. To become somebody else in this process won't do: a supervisor may not look then who asks it. */
const isRoot = process.getuid?.() === 0;

describe.skipIf(isRoot)('a session where folders are closed comes to its merge', () => {
	test.each(closed)('$name', async recipe => {
		await visit(recipe);
		tell('U', 'kinds of repositories', 1);
	});
});
