import {readdirSync} from 'node:fs';
import {expect, test} from 'vitest';
import {build} from '../../../src/supervisor/perform/build.ts';
import {openLiveOracles, planCheck} from '../../../src/supervisor/session.ts';
import {requireSession, type World} from '../../../src/supervisor/world.ts';
import {acceptedWork, type Changed} from '../collided-world.ts';

/** Red where both words are there, which is in no agent's work alone. */
const notBoth =
	'grep -q two src/b.txt && grep -q one src/a.txt && { echo "$PWD/src/a.txt:1: $(cat made)"; exit 1; }; true';

const checked = async (check: readonly string[], setup = ['echo does not fit > made']) => {
	const one: Changed = {'src/a.txt': 'one\n'};
	const other: Changed = {'src/b.txt': 'two\n'};
	const {world, state} = await acceptedWork({'src/a.txt': '', 'src/b.txt': ''}, {}, one, other);
	const session = requireSession(state);
	const planned = {...state, session: {...session, plan: {...session.plan, check, setup}}};
	const own: World = {
		...world,
		state: () => planned,
		oracles: openLiveOracles(
			{store: world.store},
			planCheck(() => own),
		),
	};
	const bodies = await build(own, planned);
	await own.oracles[Symbol.asyncDispose]();
	return {bodies, left: readdirSync(world.folder.scratch)};
};

test('the plan’s own check tells what only the merge gets wrong, set up as a worktree is, and leaves nothing', async () => {
	const {bodies, left} = await checked(['exit 3', notBoth]);
	expect(bodies).toMatchObject([
		{
			kind: 'conflict.found',
			path: 'src/a.txt',
			evidence: [
				{side: 'a', path: 'src/a.txt', text: 'one'},
				{side: 'b', path: 'src/b.txt'},
			],
			confirmed: {by: `the command \`exit 3\` and \`${notBoth}\``, text: 'does not fit'},
		},
		{kind: 'merge.blocked'},
	]);
	expect(left).toEqual([]);
});

test('what comes before the check and fails is why it could not say, and no merge hangs on it', async () => {
	const {bodies} = await checked([notBoth], ['exit 9']);
	expect(bodies).toMatchObject([
		{
			kind: 'merge.built',
			looked: {
				oracles: [
					{
						name: 'the command',
						ms: expect.any(Number),
						failed: '`exit 9`, which runs before it, failed.',
					},
				],
			},
		},
	]);
});
