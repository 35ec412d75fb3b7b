import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {worktreePath} from '../../../src/git/store/worktree-path.ts';
import {defined} from '../../../src/lib/values.ts';
import {eventOf} from '../../../src/rules/commands/grant.ts';
import {readDecision} from '../../../src/rules/commands/read-decision.ts';
import {whyNot} from '../../../src/rules/commands/why-not.ts';
import {inbox} from '../../../src/rules/inbox.ts';
import {resultNotes} from '../../../src/state/agent/work-notes.ts';
import {doubtsTold} from '../../../src/state/item.ts';
import {itemOf} from '../../../src/state/select.ts';
import type {State} from '../../../src/state/state.ts';
import {gather} from '../../../src/supervisor/merging/gather.ts';
import {build} from '../../../src/supervisor/perform/build.ts';
import {openResolution} from '../../../src/supervisor/perform/resolution.ts';
import {show} from '../../../src/supervisor/show/show.ts';
import type {World} from '../../../src/supervisor/world.ts';
import {commitAll, type Files, git, write} from '../../helpers/repository.ts';
import {acceptedWork, believed, builtWork, type Changed} from '../collided-world.ts';

const path = 'src/shared.txt';

/** Two agents of which the second one was captured several times on its way, put together as far as they go. */
const builtInSteps = async (
	before: Files,
	first: Changed,
	...steps: readonly Readonly<Record<string, string>>[]
) => {
	const {world, state} = await acceptedWork(before, {}, first, steps[0] ?? {});
	const {root} = world.repository;
	const [one, other] = state.agents;
	const [start] = other?.snapshots ?? [];
	if (one === undefined || other === undefined || start === undefined) {
		throw new Error('There is no second agent.');
	}

	git(root, 'checkout', '--quiet', '--detach', start.work);
	const later = steps.slice(1).map((files, index) => {
		write(root, files);
		return {...start, number: start.number + index + 1, work: commitAll(root)};
	});
	const agents = [one, {...other, snapshots: [...other.snapshots, ...later]}];
	const captured = {...state, agents};
	return {world, state: believed(captured, await build(world, captured))};
};

/** Takes a choice as the supervisor does, with what it looks up for it. */
const take = async (
	world: World,
	state: State,
	choice: string,
	id = 'c-1',
	despite?: readonly string[],
) => {
	const item = itemOf(state, id);
	const read =
		item && readDecision(state, item, {item: id, choice, by: 'user', ...defined({despite})});
	if (read === undefined) {
		throw new Error(`${choice} is no choice of ${id}.`);
	}

	const command = await gather(world, state, read);
	const refused = whyNot(state, command);
	return refused === undefined ? believed(state, eventOf(command)) : refused;
};

const taken = async (...parts: Parameters<typeof take>): Promise<State> => {
	const state = await take(...parts);
	if (typeof state === 'string') {
		throw new Error(state);
	}

	return state;
};

const resultOf = async (world: World, state: State, at = path): Promise<string> => {
	const built = (await build(world, state)).find(({kind}) => kind === 'merge.built');
	return built?.kind === 'merge.built'
		? git(world.store.gitDir, 'show', `${built.tree}:${at}`)
		: '';
};

const inOrder = 'sequential:AGT-001,AGT-002';

describe('SEQUENTIAL', () => {
	test('applies the snapshots of the second agent to the first one’s work, and nobody works again', async () => {
		const {world, state} = await builtInSteps(
			{[path]: 'base\n'},
			{[path]: 'first\n'},
			{[path]: 'first\n'},
			{[path]: 'second\n'},
		);
		expect(state.items).toMatchObject([{kind: 'conflict', path}]);
		const decided = await taken(world, state, inOrder);
		expect(await resultOf(world, decided)).toBe('second');
		expect(decided.agents.map(({verdict}) => verdict.kind)).toEqual(['accepted', 'accepted']);
	});

	const lines = (...own: readonly string[]): string =>
		[own[0], 'a', 'b', 'c', 'd', 'e', own[1]].map(line => `${line}\n`).join('');

	const inPart = () =>
		builtInSteps(
			{[path]: lines('top', 'end')},
			{[path]: lines('their top', 'their end')},
			{[path]: lines('their top', 'end')},
			{[path]: lines('own top', 'end')},
			{[path]: lines('own top', 'own end')},
		);

	test('leaves only what doesn’t apply to be decided, in the same item', async () => {
		const {world, state} = await inPart();
		const decided = await taken(world, state, inOrder);
		expect(inbox(decided)).toMatchObject([
			{
				id: 'c-1',
				title: expect.stringMatching(
					/\(AGT-002’s snapshots 1 and 2 apply to the work of AGT-001; 3 does not, and is left for you to decide\)$/,
				),
				replayed: {earlier: ['AGT-001'], later: 'AGT-002', applied: [1, 2], left: [3]},
			},
		]);
		expect(await take(world, decided, inOrder)).toBe(
			'The changes of AGT-002 that apply are applied already; decide the rest.',
		);

		const wanted = await taken(world, decided, 'manual');
		const opened = believed(wanted, await openResolution(world, wanted, 'c-1'));
		const file = join(worktreePath(world.folder.resolution('c-1'), 'files'), path);
		const marked = readFileSync(file, 'utf8');
		expect(marked).toMatch(/^own top\na\nb\nc\nd\ne\n<{7,} AGT-001\ntheir end\n/);
		expect(marked.match(/^<{7,} /gm)).toHaveLength(1);
		writeFileSync(file, lines('own top', 'both ends'));
		const done = await taken(world, opened, 'done');
		expect(await resultOf(world, done)).toBe(lines('own top', 'both ends').trim());
	});

	test('keeps what applied where the first agent’s side is then taken for the rest', async () => {
		const {world, state} = await inPart();
		const decided = await taken(world, state, inOrder);
		const [offer] = inbox(decided)[0]?.choices ?? [];
		expect(offer).toMatchObject({
			choice: 'choose-one:AGT-001',
			label: 'Take the side of AGT-001 for the rest',
		});
		const settled = await taken(world, decided, 'choose-one:AGT-001');
		expect(await resultOf(world, settled)).toBe(lines('own top', 'their end').trim());
		const built = believed(settled, await build(world, settled));
		expect(resultNotes(built)).toContain(
			`Left out: the rest of what AGT-002 changed in ${path}, since the side of AGT-001 was taken there.`,
		);
	});

	test('shows before it is taken which snapshots apply, and what comes of them', async () => {
		const {world, state} = await inPart();
		const what = {of: 'outcome', item: 'c-1', choice: inOrder} as const;
		const {lines: shown, preview, remark} = await show(world, state, {what, offset: 0, limit: 99});
		expect(remark).toBe(
			'AGT-002’s snapshots 1 and 2 apply to the work of AGT-001; 3 does not, and is left for you to decide.',
		);
		expect(shown).toEqual(expect.arrayContaining(['+own top', '+their end']));
		expect(preview?.left).toMatchObject([{path, a: ['AGT-001'], b: ['AGT-002']}]);
		expect(itemOf(state, 'c-1')).not.toHaveProperty('replayed');
	});

	test('goes on as one change where a later snapshot took back what didn’t apply', async () => {
		const {world, state} = await builtInSteps(
			{[path]: lines('top', 'end')},
			{[path]: lines('their top', 'their end')},
			{[path]: lines('their top', 'end')},
			{[path]: lines('own top', 'slip')},
			{[path]: lines('own top', 'end')},
		);
		const decided = await taken(world, state, inOrder);
		expect(await resultOf(world, decided)).toBe(lines('own top', 'their end').trim());
	});

	test('is refused where nothing of it applies, with what can be done instead', async () => {
		const {world, state} = await builtInSteps(
			{[path]: 'base\n'},
			{[path]: 'first\n'},
			{[path]: 'second\n'},
		);
		expect(await take(world, state, inOrder)).toBe(
			`No snapshot of AGT-002 applies cleanly to ${path} in the work of AGT-001.`,
		);
	});

	test('can’t land a call with an argument too few and say that nothing breaks', async () => {
		const cart = 'src/cart.ts';
		const {world, state} = await builtInSteps(
			{
				[path]: 'base\n',
				[cart]: 'export const total = (prices: number[]): number => prices.length;\n',
				'src/use.ts': 'export {};\n',
			},
			{
				[path]: 'first\n',
				[cart]:
					'export const total = (prices: number[], rate: number): number => prices.length * rate;\n',
			},
			{[path]: 'first\n'},
			{
				[path]: 'second\n',
				'src/use.ts': "import {total} from './cart.ts';\n\nexport const two = total([1, 2]);\n",
			},
		);
		const decided = await taken(world, state, inOrder);
		expect(await build(world, decided)).toMatchObject([
			{
				...{kind: 'conflict.found', type: 'API_CONFLICT', rule: 'A2', path: 'src/use.ts'},
				...{a: ['AGT-001'], b: ['AGT-002']},
			},
			{kind: 'merge.blocked'},
		]);
	});
});

describe('files that a person made by hand', () => {
	const lock = 'src/package-lock.json';
	const holding = (...names: readonly string[]): string =>
		`${JSON.stringify({packages: Object.fromEntries(names.map(name => [name, {}]))}, null, 2)}\n`;

	test.each([
		['', `${lock} is empty. Nothing is taken yet: choose done again`],
		['{"packages": {', `${lock} can’t be read: `],
	])(
		'are named in the item when they look like a slip, and taken by a yes that names it: %j',
		async (content, why) => {
			const {world, state} = await builtInSteps(
				{[lock]: holding('a')},
				{[lock]: holding('a', 'b')},
				{[lock]: holding('a', 'c')},
			);
			const wanted = await taken(world, state, 'manual');
			const opened = believed(wanted, await openResolution(world, wanted, 'c-1'));
			writeFileSync(join(worktreePath(world.folder.resolution('c-1'), 'files'), lock), content);
			const asked = await taken(world, opened, 'done');
			expect(inbox(asked)[0]?.title).toContain(why);
			expect(inbox(asked)).toMatchObject([
				{id: 'c-1', doubted: {choice: 'done', doubts: [expect.stringContaining(lock)]}},
			]);
			expect(asked.resolutions).toEqual([]);
			expect((await taken(world, asked, 'done')).resolutions).toEqual([]);
			const despite = doubtsTold(itemOf(asked, 'c-1'));
			expect((await taken(world, asked, 'done', 'c-1', despite)).resolutions).toMatchObject([
				{choice: 'manual'},
			]);
		},
	);
});

test.each([
	['not named where the file has it all the same', 'first, second and third', undefined],
	[
		'named where the file has nothing of it',
		'first and third',
		[{path, of: ['AGT-002'], kept: ['AGT-001']}],
	],
])(
	'what a side that lost had changed, is, once the file is made by hand with a third one, %s',
	async (_, text, leftOut) => {
		const {world, state} = await builtWork(
			{[path]: 'base\n'},
			{},
			{[path]: 'first\n'},
			{[path]: 'first, second and third\n'},
			{[path]: 'third\n'},
		);
		const chosen = await taken(world, state, 'choose-one:AGT-001');
		const wanted = await taken(world, chosen, 'manual', 'c-2');
		const opened = believed(wanted, await openResolution(world, wanted, 'c-2'));
		const file = join(worktreePath(world.folder.resolution('c-2'), 'files'), path);
		writeFileSync(file, `${text}\n`);
		const done = await taken(world, opened, 'done', 'c-2');
		const [built] = await build(world, done);
		expect(built).toMatchObject({kind: 'merge.built', agents: ['AGT-001', 'AGT-002', 'AGT-003']});
		expect(built).toEqual(
			leftOut === undefined
				? expect.not.objectContaining({leftOut: expect.anything()})
				: expect.objectContaining({leftOut}),
		);
	},
);
