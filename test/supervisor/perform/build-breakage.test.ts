import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {detailText} from '../../../src/client/texts/describe.ts';
import {
	type OracleRun,
	type Oracles,
	openOracles,
} from '../../../src/conflicts/oracle/open-oracles.ts';
import {typescriptOracle} from '../../../src/conflicts/oracle/typescript.ts';
import {omit} from '../../../src/lib/values.ts';
import {inbox} from '../../../src/rules/inbox.ts';
import {handMadeIn} from '../../../src/state/item.ts';
import {acceptedNotes} from '../../../src/state/merge/attribution.ts';
import {lookedText} from '../../../src/state/merge/attribution-text.ts';
import type {State} from '../../../src/state/state.ts';
import {build} from '../../../src/supervisor/perform/build.ts';
import {openResolution, seeResolution} from '../../../src/supervisor/perform/resolution.ts';
import {show} from '../../../src/supervisor/show/show.ts';
import type {World} from '../../../src/supervisor/world.ts';
import {commitAll, type Files, git, write} from '../../helpers/repository.ts';
import {acceptedWork, believed, builtWork, type Changed} from '../collided-world.ts';

const before = {
	'src/size.js': 'export const size = things => things.length;\n',
	'src/use.js': 'export {};\n',
	'src/far.js': 'export {};\n',
};

/** One agent renames what the other one begins to use; git merges the two. */
const renames: Changed = {'src/size.js': 'export const count = things => things.length;\n'};
const uses: Changed = {
	'src/use.js': "import {size} from './size.js';\n\nexport const two = size([1, 2]);\n",
};

const broken = () => builtWork(before, {}, renames, uses);

const decide = (state: State, choice: string): State =>
	believed(state, [{kind: 'user.decided', item: 'c-1', choice, by: 'user'}]);

/** What the next result has in it that a person lets be. */
const lookedAt = async (world: World, state: State) => {
	const built = (await build(world, state)).find(({kind}) => kind === 'merge.built');
	return built?.kind === 'merge.built' ? built.accepted : undefined;
};

/** What the next result holds at a path once a choice was taken; what still stops it where there is none. */
const mergedWith = async (world: World, state: State, path: string) => {
	const bodies = await build(world, state);
	const built = bodies.find(({kind}) => kind === 'merge.built');
	return built?.kind === 'merge.built'
		? git(world.store.gitDir, 'show', `${built.tree}:${path}`)
		: bodies.map(({kind}) => kind);
};

/** The result as it is once its check has passed. */
const checked = (state: State): State => {
	const {commit = '', tree = ''} = state.merge.phase === 'built' ? state.merge.built : {};
	return believed(state, [{kind: 'verify.ended', commit, tree, ok: true, commands: [], log: null}]);
};

describe('what breaks although git merges it', () => {
	test('is asked before there is a result, with the lines of both sides', async () => {
		const {state} = await broken();
		expect(state.merge).toMatchObject({phase: 'blocked'});
		expect(inbox(state)).toMatchObject([
			{
				id: 'c-1',
				kind: 'conflict',
				title:
					'AGT-001 and AGT-002 break each other: src/use.js imports size from ./size.js, but the other side removed or renamed it there',
				type: 'IMPORT_CONFLICT',
				rule: 'I2',
				blocking: true,
				confidence: 'high',
				path: 'src/use.js',
				a: ['AGT-001'],
				b: ['AGT-002'],
				evidence: [
					{side: 'a', path: 'src/size.js', line: 1, removed: true},
					{side: 'b', path: 'src/use.js', line: 1, text: "import {size} from './size.js';"},
				],
			},
		]);
		expect(inbox(state)[0]?.choices.map(({choice}) => choice)).toEqual([
			'choose-one:AGT-001',
			'choose-one:AGT-002',
			'manual',
			'feedback:AGT-001',
			'feedback:AGT-002',
			'redo:AGT-001,AGT-002',
			'redo:AGT-002,AGT-001',
			'abort:AGT-001',
			'abort:AGT-002',
			'accept',
			'arbiter:AGT-001',
			'arbiter:AGT-002',
		]);
	});

	test('is found against a target that moved, too, and among several it is charged to the two', async () => {
		const far = {'src/far.js': 'export const far = 1;\n'};
		const three = await builtWork(before, renames, far, uses);
		expect(three.state.items).toMatchObject([{rule: 'I2', a: ['target'], b: ['AGT-002']}]);
	});

	test('stays the same item until it is settled: by one side, or without one of the two', async () => {
		const {world, state} = await broken();
		expect((await build(world, state)).map(({kind}) => kind)).toEqual(['merge.blocked']);
		const settled = async (choice: string, path: string) =>
			mergedWith(world, decide(state, choice), path);
		const preview = async (choice: string) =>
			(await show(world, state, {what: {of: 'outcome', item: 'c-1', choice}, offset: 0, limit: 99}))
				.preview;
		expect(await preview('choose-one:AGT-001')).toMatchObject({left: [], accepted: []});
		expect(await preview('accept')).toMatchObject({accepted: [{rule: 'I2'}]});
		await expect(preview('feedback:AGT-002')).rejects.toThrow(
			'It is told: src/use.js imports size',
		);
		await expect(preview('redo:AGT-001,AGT-002')).rejects.toThrow(
			'AGT-002 would have 1 thing to fix, and AGT-001 as many the other way round.',
		);
		expect(await settled('choose-one:AGT-001', 'src/use.js')).toBe('export {};');
		expect(await settled('choose-one:AGT-002', 'src/size.js')).toBe(before['src/size.js'].trim());
		expect(await settled('abort:AGT-001', 'src/use.js')).toMatch(/^import \{size\}/);
	});

	test('that a person lets be is named by the approval', async () => {
		const {world, state} = await broken();
		const accepted = decide(state, 'accept');
		const built = believed(accepted, await build(world, accepted));
		const result = built.merge.phase === 'built' ? built.merge.built : undefined;
		expect(result).toMatchObject({
			accepted: [{rule: 'I2', path: 'src/use.js', a: ['AGT-001'], b: ['AGT-002']}],
			looked: {outcome: 'compared', merges: 1, oracles: [], unread: 0},
		});
		expect(inbox(checked(built))).toMatchObject([
			{
				kind: 'approval',
				title: expect.stringContaining('accepted although src/use.js breaks'),
				notes: expect.arrayContaining([
					expect.stringMatching(
						/^Accepted although AGT-001 and AGT-002 break each other: src\/use\.js imports size/,
					),
				]),
				compared: 'Compared 1 merge: nothing else breaks, by reading alone; no type checker ran.',
			},
		]);
	});

	test('is mended by hand in the files at which it shows, and looked at again', async () => {
		const {world, state} = await broken();
		const wanted = decide(state, 'manual');
		const opened = believed(wanted, await openResolution(world, wanted, 'c-1'));
		const [item] = opened.items;
		if (item?.kind !== 'conflict' || item.manual.phase !== 'open') {
			throw new Error('There is no folder.');
		}

		const done = async () => {
			const {files = []} = await seeResolution(world, opened, item);
			return believed(opened, [
				{kind: 'user.decided', item: 'c-1', choice: 'done', by: 'user', files},
			]);
		};
		let again = await done();
		for (const _ of ['once', 'twice']) {
			again = believed(again, await build(world, again));
			expect(again.items).toMatchObject([{id: 'c-1', manual: item.manual}]);
			expect(inbox(again)[0]?.title).toMatch(/ \(the last choice did not settle it\)$/);
			expect((await build(world, again)).map(({kind}) => kind)).toEqual(['merge.blocked']);
			const {files = []} = await seeResolution(world, again, item);
			again = believed(again, [
				{kind: 'user.decided', item: 'c-1', choice: 'done', by: 'user', files},
			]);
		}

		again = believed(again, await build(world, again));
		const taken = believed(again, [
			{kind: 'user.decided', item: 'c-1', choice: 'choose-one:AGT-002', by: 'user'},
		]);
		expect(await mergedWith(world, taken, 'src/size.js')).toBe(before['src/size.js'].trim());
		const mended = "import {count} from './size.js';\n\nexport const two = count([1, 2]);\n";
		writeFileSync(join(handMadeIn(item.manual), 'src/use.js'), mended);
		expect(await mergedWith(world, await done(), 'src/use.js')).toBe(mended.trim());
	});
});

const cart = {
	'src/cart.js': 'export const total = prices => prices.length;\n',
	'src/use.js': 'export {};\n',
	'src/shared.txt': 'one\n',
};

/** The second agent works again, on top of what the first one did. */
const onTop = async (first: Changed, second: Files) => {
	const {world, state} = await acceptedWork(cart, {}, first, {});
	const {root} = world.repository;
	const below = state.agents[0]?.snapshots.at(-1)?.work ?? '';
	git(root, 'checkout', '--quiet', '--detach', below);
	write(root, second);
	const work = commitAll(root);
	const startingPoint = {base: below, baseline: below, onto: ['AGT-001'], conflicts: []};
	const agents = state.agents.map((agent, index) =>
		index === 0
			? agent
			: {...agent, snapshots: agent.snapshots.map(one => ({...one, startingPoint, work}))},
	);
	return {world, state: {...state, agents}};
};

describe('a result is looked at as what it is', () => {
	test('where one agent brought its changes in on top of another one’s', async () => {
		const gone = {'src/cart.js': 'export const sum = prices => prices.length;\n'};
		const {world, state} = await onTop(gone, {
			'src/use.js': "import {total} from './cart.js';\nexport const two = total([1, 2]);\n",
		});
		expect(await build(world, state)).toMatchObject([
			{kind: 'conflict.found', rule: 'I2', path: 'src/use.js', a: ['AGT-001'], b: ['AGT-002']},
			{kind: 'merge.blocked'},
		]);
	});

	test('and says that it was, where nothing breaks there', async () => {
		const {world, state} = await onTop({'src/shared.txt': 'two\n'}, {'src/shared.txt': 'three\n'});
		expect(await build(world, state)).toMatchObject([
			{kind: 'merge.built', looked: {outcome: 'compared', merges: 1}},
		]);
	});

	test('where the side that was taken leaves out what the other one uses elsewhere', async () => {
		const own = {
			'src/cart.js': `${cart['src/cart.js']}export const tax = 1;\n`,
			'src/use.js': "import {tax} from './cart.js';\nexport const due = tax;\n",
		};
		const other = {'src/cart.js': `${cart['src/cart.js']}export const fee = 2;\n`};
		const {world, state} = await builtWork(cart, {}, own, other);
		const taken = decide(state, 'choose-one:AGT-002');
		expect(await build(world, taken)).toMatchObject([
			{
				...{kind: 'conflict.found', rule: 'I2', path: 'src/use.js', b: ['AGT-001']},
				summary: expect.stringMatching(/The result leaves that out\.$/),
			},
			{kind: 'merge.blocked'},
		]);
		expect(await build(world, decide(state, 'choose-one:AGT-001'))).toMatchObject([
			{kind: 'merge.built', looked: {outcome: 'compared', merges: expect.any(Number)}},
		]);
	});

	test('where only a part of a work was picked, which can’t do without the rest', async () => {
		const own = {
			'src/cart.js': `${cart['src/cart.js']}export const tax = 1;\n`,
			'src/use.js': "import {tax} from './cart.js';\nexport const due = tax;\n",
		};
		const {world, state} = await acceptedWork(cart, {}, own);
		const agents = state.agents.map(agent => ({
			...agent,
			verdict: {kind: 'accepted' as const, only: ['src/use.js']},
		}));
		const picked = {...state, agents};
		const found = believed(picked, await build(world, picked));
		expect(inbox(found)).toMatchObject([
			{
				title: expect.stringMatching(
					/^The part taken from AGT-001 breaks: src\/use\.js imports tax/,
				),
				...{rule: 'I2', a: ['AGT-001'], b: ['AGT-001']},
			},
		]);
		expect(acceptedNotes((await lookedAt(world, decide(found, 'accept'))) ?? [])).toEqual([
			expect.stringMatching(/^Accepted although the part taken from AGT-001 breaks: src\/use\.js/),
		]);
	});
});

describe('beside what git can’t merge', () => {
	const shared = 'src/shared.txt';
	const beside = () =>
		builtWork(
			{...before, [shared]: 'base\n'},
			{},
			{...renames, [shared]: 'one\n'},
			{...uses, [shared]: 'other\n'},
		);

	test('all else that the two break stands in the item that is decided on', async () => {
		const {state} = await beside();
		expect(inbox(state)).toMatchObject([
			{
				...{id: 'c-1', rule: 'F1', path: shared},
				breaks: [{type: 'IMPORT_CONFLICT', rule: 'I2', path: 'src/use.js', a: ['AGT-001']}],
			},
		]);
		const [item] = inbox(state);
		expect(item && detailText(item, '')).toEqual(
			expect.arrayContaining([
				expect.stringMatching(/^Also breaks, whichever side you take: src\/use\.js imports size/),
			]),
		);
	});

	const far = '\n\n\n\n\n';
	const lost = `export const total = prices => prices.length;\n`;
	const calls = {
		'src/use.js': "import {total} from './cart.js';\nexport const two = total([1]);\n",
	};
	const cartWith = (rate: number, below: string) => ({
		'src/cart.js': `export const rate = ${rate};\n${far}${below}`,
	});
	const besidesIn = async (base: Files, one: Changed, other: Changed) => {
		const {world, state} = await builtWork({'src/use.js': 'export {};\n', ...base}, {}, one, other);
		const [item] = inbox(state);
		const left = async (choice: string) =>
			(await build(world, decide(state, choice))).flatMap(body =>
				body.kind === 'conflict.found' && 'rule' in body ? [body.rule] : [],
			);
		return {left, lines: item === undefined ? [] : detailText(item, '')};
	};

	test('what breaks only where one side is taken is told of that choice, as that choice does it', async () => {
		const {left, lines} = await besidesIn(cartWith(1, lost), cartWith(2, ''), {
			...cartWith(3, lost),
			...calls,
		});
		expect(await left('choose-one:AGT-001')).toEqual(['I2']);
		expect(await left('choose-one:AGT-002')).toEqual([]);
		const told = lines.filter(line => line.startsWith('Breaks'));
		expect(told).toEqual([
			expect.stringMatching(/^Breaks after manual: src\/use\.js imports total/),
			expect.stringMatching(/^Breaks after choose-one:AGT-001: src\/use\.js imports total/),
		]);
	});

	test('what is removed in the very lines about which git asks is told before a side is taken', async () => {
		const renamed = 'export const total = (prices, tax) => prices.length + tax;\n';
		const {left, lines} = await besidesIn(
			{'src/cart.js': lost},
			{'src/cart.js': 'export const sum = prices => prices.length;\n'},
			{'src/cart.js': renamed, ...calls},
		);
		expect(await left('choose-one:AGT-001')).toEqual(['I2']);
		expect(lines.filter(line => line.startsWith('Breaks'))).toEqual([
			expect.stringMatching(/^Breaks after choose-one:AGT-001: src\/use\.js imports total/),
		]);
	});

	test('where there are too many conflicts to try each way, only what breaks by hand is told', async () => {
		const four = (text: string) =>
			Object.fromEntries([1, 2, 3, 4].map(number => [`src/${number}.txt`, text]));
		const {state} = await builtWork(
			{...before, ...four('base\n')},
			{},
			{...renames, ...four('one\n')},
			{...uses, ...four('other\n')},
		);
		expect(state.items).toMatchObject(
			[1, 2, 3, 4].map(() => ({breaks: [{rule: 'I2', after: ['manual']}]})),
		);
	});

	test('it stays the same item, and shows what they break by now', async () => {
		const {world, state} = await beside();
		const unaware: State = {
			...state,
			items: state.items.map(item =>
				item.kind === 'conflict' && 'stages' in item ? omit(item, 'breaks') : item,
			),
		};
		const found = await build(world, unaware);
		expect(found).toMatchObject([
			{kind: 'conflict.found', reopens: 'c-1', breaks: [{rule: 'I2'}]},
			{kind: 'merge.blocked', conflicts: ['c-1']},
		]);
		expect(believed(unaware, found).items).toEqual(state.items);
	});
});

/** Checkers of which one says this of each merge, and fails at the first ones like this. */
const saying = (settle: Oracles['confirm'], fails: Partial<OracleRun>[] = []): Oracles => ({
	...openOracles(
		{store: {gitDir: ''}, runsCode: false},
		{plugins: [], now: () => 0, patienceMs: 1},
	),
	confirm: async (comparison, findings, options) => {
		const settled = await settle(comparison, findings);
		const run = {name: 'TypeScript', version: '7.0.1', ms: 3, ...fails.shift()};
		await options?.onVerdict?.({findings: settled, run});
		return settled;
	},
});

describe('whoever looks for it', () => {
	test('says that it looked and what had a say, when nothing is found', async () => {
		const {world, state} = await acceptedWork(before, {}, {'src/far.js': '1;\n'}, uses);
		const oracles = saying(async (_, findings) => findings);
		expect(await build({...world, oracles}, state)).toMatchObject([
			{
				kind: 'merge.built',
				looked: {outcome: 'compared', merges: 1, oracles: [{name: 'TypeScript', version: '7.0.1'}]},
			},
		]);
	});

	test('says that the types of one merge were not checked, although those of the result were', async () => {
		const {world, state} = await acceptedWork(before, {}, {'src/far.js': '1;\n'}, uses);
		const unchecked = {failed: '9 files would have to be read.', isOverBudget: true} as const;
		const oracles = saying(async (_, findings) => findings, [unchecked]);
		expect(await build({...world, oracles}, state)).toMatchObject([
			{kind: 'merge.built', looked: {outcome: 'compared', oracles: [unchecked]}},
		]);
	});

	test('says that it could not look, and no merge hangs on that', async () => {
		const {world, state} = await acceptedWork(before, {}, renames, uses);
		const oracles = saying(() => Promise.reject(new Error('It broke.')));
		expect(await build({...world, oracles}, state)).toMatchObject([
			{kind: 'merge.built', looked: {outcome: 'failed', why: expect.stringContaining('It broke.')}},
		]);
	});

	test('takes nothing back that was found or let be before, where it could not look again', async () => {
		const {world, state} = await broken();
		const oracles = saying(() => Promise.reject(new Error('It broke.')));
		const blind = {...world, oracles};
		expect(await build(blind, state)).toMatchObject([{kind: 'merge.blocked', conflicts: ['c-1']}]);
		expect(await build(blind, decide(state, 'accept'))).toMatchObject([
			{
				kind: 'merge.built',
				looked: {outcome: 'failed'},
				accepted: [{rule: 'I2', path: 'src/use.js', a: ['AGT-001'], b: ['AGT-002']}],
			},
		]);
	});

	test('says what one agent alone got wrong, which no merge of two shows', async () => {
		const types = {'src/n.ts': 'export const n: number = 1;\n', 'src/m.ts': 'export {};\n'};
		const wrong = {'src/n.ts': "export const n: number = 'one';\n"};
		const {world, state} = await acceptedWork(types, {}, wrong, {
			'src/m.ts': 'export const m = 1;\n',
		});
		await using oracles = openOracles(
			{store: world.store, runsCode: false},
			{plugins: [typescriptOracle], now: () => 0, patienceMs: 60_000},
		);
		const errors = {shown: [expect.stringMatching(/^src\/n\.ts \(AGT-001\): TS2322: /)], more: 0};
		const [one] = state.agents;
		const alone = {...state, agents: state.agents.filter(agent => agent === one)};
		const built = (await build({...world, oracles}, alone)).find(
			({kind}) => kind === 'merge.built',
		);
		expect(built).toMatchObject({looked: {merges: 0, errors}});
		expect(built?.kind === 'merge.built' && lookedText(built.looked, 0)).toEqual({
			done: false,
			text: expect.stringMatching(
				/^Only one side changed anything, looked at by TypeScript \S+ in 0\.0 s\. The result alone has 1 type error: src\/n\.ts \(AGT-001\): TS2322: .*\.$/,
			),
		});
		expect(await build({...world, oracles}, state)).toMatchObject([
			{kind: 'merge.built', looked: {merges: 1, errors}},
		]);
	});

	test('says so where there was nothing to compare', async () => {
		const {world, state} = await acceptedWork(before, {}, renames);
		expect(await build(world, state)).toMatchObject([
			{kind: 'merge.built', looked: {outcome: 'compared', merges: 0}},
		]);
	});
});

describe('a file that two agents changed and git merges', () => {
	const lines = (first: string, last: string) =>
		`${[first, ...Array.from({length: 9}, (_, line) => `line ${line}`), last].join('\n')}\n`;
	const shared = {'src/shared.txt': lines('first', 'last')};
	const works = [
		{'src/shared.txt': lines('FIRST', 'last')},
		{'src/shared.txt': lines('first', 'LAST')},
	];
	const asking = (state: State): State =>
		state.session === null
			? state
			: {
					...state,
					session: {
						...state.session,
						plan: {...state.session.plan, conflicts: {overlap: 'ask'}},
					},
				};
	const asked = async () => {
		const {world, state} = await acceptedWork(shared, {}, ...works);
		const wanted = asking(state);
		return {world, state: believed(wanted, await build(world, wanted))};
	};

	test('is merged without a question, as git’s verdict has it', async () => {
		const {state} = await builtWork(shared, {}, ...works);
		expect([state.merge.phase, state.items]).toEqual(['built', []]);
	});

	test('is asked about where the plan wants that, and merged once a person lets it be', async () => {
		const {world, state} = await asked();
		expect(inbox(state)).toMatchObject([
			{
				title:
					'AGT-001 and AGT-002 changed one file: Both sides changed src/shared.txt, and git merges it',
				rule: 'F2',
				blocking: false,
				evidence: [
					{side: 'a', line: 1, text: 'FIRST'},
					{side: 'b', line: 11, text: 'LAST'},
				],
			},
		]);
		const accepted = decide(state, 'accept');
		expect(await mergedWith(world, accepted, 'src/shared.txt')).toBe(lines('FIRST', 'LAST').trim());
		expect(inbox(checked(believed(accepted, await build(world, accepted))))).toMatchObject([
			{title: expect.stringContaining('accepted although both sides changed src/shared.txt')},
		]);
		expect(acceptedNotes((await lookedAt(world, accepted)) ?? [])).toEqual([
			'Accepted although AGT-001 and AGT-002 changed one file: Both sides changed src/shared.txt, and git merges it.',
		]);
	});

	test('is settled by any other choice as well, and not asked about again', async () => {
		const {world, state} = await asked();
		const one = decide(state, 'choose-one:AGT-002');
		expect(await mergedWith(world, one, 'src/shared.txt')).toBe(lines('first', 'LAST').trim());
		const wanted = decide(state, 'manual');
		const opened = believed(wanted, await openResolution(world, wanted, 'c-1'));
		const [item] = opened.items;
		const folder =
			item?.kind === 'conflict' && item.manual.phase === 'open' ? handMadeIn(item.manual) : '';
		writeFileSync(join(folder, 'src/shared.txt'), 'by hand\n');
		const {files} = item?.kind === 'conflict' ? await seeResolution(world, opened, item) : {};
		const done = believed(opened, [
			{kind: 'user.decided', item: 'c-1', choice: 'done', by: 'user', files: files ?? []},
		]);
		expect(await mergedWith(world, done, 'src/shared.txt')).toBe('by hand');
	});

	test('that one agent and the target changed is not asked about', async () => {
		const [one = {}, other = {}] = works;
		const {world, state} = await acceptedWork(shared, one, other);
		const bodies = await build(world, asking(state));
		expect(bodies.map(({kind}) => kind)).toEqual(['merge.built']);
	});
});

/** A person writes the file into the item's folder and says that it is done. */
const doneByHand = async (
	world: World,
	state: State,
	{id, path, text}: {readonly id: string; readonly path: string; readonly text: string},
) => {
	const known = state.items.find(item => item.id === id);
	const wanted =
		known?.kind === 'conflict' && known.manual.phase === 'open'
			? state
			: believed(state, [{kind: 'user.decided', item: id, choice: 'manual', by: 'user'}]);
	const opened =
		wanted === state ? state : believed(wanted, await openResolution(world, wanted, id));
	const item = opened.items.find(one => one.id === id);
	if (item?.kind !== 'conflict' || item.manual.phase !== 'open') {
		throw new Error(`There is no folder of ${id}.`);
	}

	writeFileSync(join(handMadeIn(item.manual), path), text);
	const {files = []} = await seeResolution(world, opened, item);
	return believed(opened, [{kind: 'user.decided', item: id, choice: 'done', by: 'user', files}]);
};

describe('what git can’t merge of three agents', () => {
	const path = 'src/shared.txt';
	test('and files made by hand leave unsettled is asked again under the id of the last', async () => {
		const {world, state} = await builtWork(
			{...before, [path]: 'base\n'},
			{},
			...['one\n', 'two\n', 'three\n'].map(text => ({[path]: text})),
		);
		expect(state.items).toMatchObject([
			{id: 'c-1', a: ['AGT-001'], b: ['AGT-002']},
			{id: 'c-2', a: ['AGT-001', 'AGT-002'], b: ['AGT-003']},
		]);
		const third = await doneByHand(world, state, {id: 'c-2', path, text: 'all three\n'});
		const taken = await doneByHand(world, third, {id: 'c-1', path, text: 'the first two\n'});
		const again = believed(taken, await build(world, taken));
		expect(again.items).toMatchObject([{id: 'c-1', path, manual: {phase: 'open'}}]);
		expect(inbox(again)[0]?.title).toMatch(/ \(the last choice did not settle it\)$/);
		expect((await build(world, again)).map(({kind}) => kind)).toEqual(['merge.blocked']);
		const all = await doneByHand(world, again, {id: 'c-1', path, text: 'all three after all\n'});
		expect(await mergedWith(world, all, path)).toBe('all three after all');
	});
});

test('what a file made by hand breaks is told of the agent whose lines they are, and settled by leaving one out', async () => {
	const path = 'src/size.js';
	const {world, state} = await builtWork(before, {}, renames, {
		...uses,
		[path]: 'export const size = all => all.length;\n',
	});
	expect(state.items).toMatchObject([{id: 'c-1', path, a: ['AGT-001'], b: ['AGT-002']}]);
	const text = 'export const count = all => all.length;\n';
	const taken = await doneByHand(world, state, {id: 'c-1', path, text});
	const broken = believed(taken, await build(world, taken));
	expect(broken.items).toMatchObject([
		{
			rule: 'I2',
			a: ['AGT-002'],
			b: ['AGT-001'],
			evidence: [
				{side: 'a', path: 'src/use.js'},
				{side: 'b', path},
			],
		},
	]);
	const [{id = ''} = {}] = broken.items;
	for (const winner of ['AGT-001', 'AGT-002']) {
		const choice = `choose-one:${winner}`;
		const settled = believed(broken, [{kind: 'user.decided', item: id, choice, by: 'user'}]);
		expect((await build(world, settled)).map(({kind}) => kind)).toEqual(['merge.built']);
	}
});

describe('a lock file that several sides changed', () => {
	const path = 'src/package-lock.json';
	const lock = (first: number, last: number) =>
		`${JSON.stringify({first, packages: {a: {}, b: {}, c: {}, d: {}, e: {}, f: {}}, last}, null, 1)}\n`;
	const locks = (verify: readonly string[], ...works: readonly Changed[]) =>
		acceptedWork({[path]: lock(1, 1)}, {}, ...works).then(({world, state}) => {
			const session = state.session && {...state.session, plan: {...state.session.plan, verify}};
			return build(world, {...state, session});
		});
	const works = [{[path]: lock(2, 1)}, {[path]: lock(1, 2)}];

	test('is checked as a frozen install would, before the plan’s own checks', async () => {
		expect(await locks(['true'], ...works)).toMatchObject([
			{
				kind: 'merge.built',
				installs: ['cd src && npm ci --dry-run --ignore-scripts --no-audit --no-fund'],
			},
		]);
		const [alone] = await locks(['true'], {[path]: lock(2, 1)}, {'src/a.txt': 'a\n'});
		expect(alone).not.toHaveProperty('installs');
	});

	test('is named with the command where the plan checks nothing', async () => {
		expect(await locks([], ...works)).toMatchObject([
			{
				kind: 'merge.built',
				notes: expect.arrayContaining([
					'Several sides changed src/package-lock.json. `cd src && npm ci --dry-run --ignore-scripts --no-audit --no-fund` checks whether it is still consistent; it was not run: the plan has no verify.',
				]),
			},
		]);
	});
});
