import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Subject} from '../../../src/control/subject.ts';
import {encodeFrame} from '../../../src/control/wire.ts';
import {handMadeIn} from '../../../src/state/item.ts';
import type {State} from '../../../src/state/state.ts';
import {build} from '../../../src/supervisor/perform/build.ts';
import {openResolution} from '../../../src/supervisor/perform/resolution.ts';
import {show} from '../../../src/supervisor/show/show.ts';
import type {World} from '../../../src/supervisor/world.ts';
import {git} from '../../helpers/repository.ts';
import {believed, builtWork, type Changed} from '../collided-world.ts';

const path = 'src/shared.txt';

/** A session whose accepted work, one commit for each agent, was put together as far as it goes. */
const makeCollision = (target: Changed, ...works: readonly Changed[]) =>
	builtWork({[path]: 'base\n', 'src/other.txt': 'other\n'}, target, ...works);

const twoAgents = () =>
	makeCollision({}, {[path]: 'left\n', 'src/left.txt': 'left\n'}, {[path]: 'right\n'});

const side = (item: string, side: 'a' | 'b'): Subject => ({of: 'side', item, side});
const outcome = (item: string, choice: string): Subject => ({of: 'outcome', item, choice});

const page = (world: World, state: State, what: Subject) =>
	show(world, state, {what, offset: 0, limit: 1000});

/** The lines that a diff takes out and puts in, the names of its files apart. */
const changedIn = (lines: readonly string[]) =>
	lines.filter(line => /^[+-](?![+-]{2} )/.test(line));

const changed = async (world: World, state: State, what: Subject) =>
	changedIn((await page(world, state, what)).lines);

/** Lets the resolution folder be made, as it is when a person chooses to resolve by hand. */
const openFolder = async (world: World, state: State) => {
	const wanted = believed(state, [
		{kind: 'user.decided', item: 'c-1', choice: 'manual', by: 'user'},
	]);
	const opened = believed(wanted, await openResolution(world, wanted, 'c-1'));
	const [item] = opened.items;
	const manual = item?.kind === 'conflict' ? item.manual : undefined;
	const file = join(manual?.phase === 'open' ? handMadeIn(manual) : '', path);
	return {opened, file};
};

test('each side of a conflict between agents is what it did since their common base', async () => {
	const {world, state} = await twoAgents();
	expect(await changed(world, state, side('c-1', 'a'))).toEqual(['-base', '+left']);
	expect(await changed(world, state, side('c-1', 'b'))).toEqual(['-base', '+right']);
});

test('the target’s side is shown like an agent’s, and can be chosen like one', async () => {
	const {world, state} = await makeCollision({[path]: 'the person\n'}, {[path]: 'the agent\n'});
	expect(await changed(world, state, side('c-1', 'a'))).toEqual(['-base', '+the person']);
	expect(await changed(world, state, side('c-1', 'b'))).toEqual(['-base', '+the agent']);
	expect(await changed(world, state, outcome('c-1', 'choose-one:target'))).toEqual([]);
	expect(await changed(world, state, outcome('c-1', 'choose-one:AGT-001'))).toEqual([
		'-the person',
		'+the agent',
	]);
});

test('a side that deleted the file is shown as a deletion', async () => {
	const {world, state} = await makeCollision({[path]: null}, {[path]: 'the agent\n'});
	const {lines} = await page(world, state, side('c-1', 'a'));
	expect(lines.join('\n')).toContain('deleted file mode');
	expect(changedIn(lines)).toEqual(['-base']);
});

test('a choice is shown as what it would make of the path, comes to that, and nothing changes by looking', async () => {
	const {world, state} = await twoAgents();
	const before = JSON.stringify(state);
	for (const [choice, lines] of [
		['choose-one:AGT-001', ['-base', '+left']],
		['choose-one:AGT-002', ['-base', '+right']],
		['abort:AGT-001', ['-base', '+right']],
		['abort:AGT-002', ['-base', '+left']],
	] as const) {
		const shown = await page(world, state, outcome('c-1', choice));
		expect([choice, changedIn(shown.lines)]).toEqual([choice, lines]);
		expect(shown.remark).toBeUndefined();
		expect(shown.preview?.words.slice(1)).toEqual([
			'Nothing else is left to decide before the check.',
			expect.stringMatching(/^(Compared (1 merge|2 merges): nothing breaks|Nothing to compare)/),
		]);
		expect(shown.lines.join('\n')).not.toContain('src/left.txt');
		expect(JSON.stringify(state)).toBe(before);
		expect(await mergedWith(world, state, choice)).toEqual(lines);
	}
});

/** What the merge really does to the path once a choice was taken. */
const mergedWith = async (world: World, state: State, choice: string) => {
	const decided = believed(state, [{kind: 'user.decided', item: 'c-1', choice, by: 'user'}]);
	const built = (await build(world, decided)).find(({kind}) => kind === 'merge.built');
	const [from, to] = built?.kind === 'merge.built' ? [built.tip, built.commit] : ['', ''];
	return changedIn(git(world.store.gitDir, 'diff', from, to, '--', path).split('\n'));
};

test('what still collides at the path after a choice is told with it', async () => {
	const {world, state} = await makeCollision(
		{},
		{[path]: 'one\n'},
		{[path]: 'two\n'},
		{[path]: '3\n'},
	);
	const {lines, remark, preview} = await page(world, state, outcome('c-1', 'choose-one:AGT-001'));
	expect(changedIn(lines)).toEqual(['-base', '+one']);
	expect(remark).toMatch(/^AGT-001 and AGT-003 still collide here; .* without AGT-003\.$/);
	expect(preview).toMatchObject({
		files: [{path, added: 1, removed: 1}],
		left: [{type: 'FILE_CONFLICT', path, a: ['AGT-001'], b: ['AGT-003']}],
		words: [
			'All work together then changes 1 file in main, +1 −1.',
			`Still to decide: AGT-001 and AGT-003 collide in ${path}.`,
		],
	});
});

test('what still collides elsewhere is none of its business', async () => {
	const both = (text: string) => ({[path]: text, 'src/other.txt': text});
	const {world, state} = await makeCollision({}, both('one\n'), both('two\n'));
	expect(state.items).toMatchObject([{path: 'src/other.txt'}, {path}]);
	const {lines, remark} = await page(world, state, outcome('c-2', 'choose-one:AGT-002'));
	expect(changedIn(lines)).toEqual(['-base', '+two']);
	expect(remark).toBeUndefined();
});

test('where two have moved a file apart, a side may have nothing there', async () => {
	const moved = (to: string) => ({[path]: null, [to]: 'base\n'});
	const {world, state} = await makeCollision({}, moved('src/left.txt'), moved('src/right.txt'));
	const left = state.items.find(item => item.kind === 'conflict' && item.path === 'src/left.txt');
	expect(await changed(world, state, side(left?.id ?? '', 'a'))).toEqual(['+base']);
	const other = await page(world, state, side(left?.id ?? '', 'b'));
	expect([other.lines, other.remark]).toEqual([
		[''],
		'There is nothing at this path on this side.',
	]);
});

test('a resolution by hand is shown as it is in its folder now, and why it can’t be taken yet', async () => {
	const {world, state} = await twoAgents();
	const {opened, file} = await openFolder(world, state);
	const marked = await page(world, opened, outcome('c-1', 'done'));
	expect(marked.remark).toBe(`Conflict markers remain in ${path}.`);
	expect(changedIn(marked.lines)).toContain('+>>>>>>>>>>>>>>> AGT-002');

	writeFileSync(file, 'left and right\n');
	const done = await page(world, opened, outcome('c-1', 'done'));
	expect(done.remark).toBeUndefined();
	expect(changedIn(done.lines)).toEqual(['-base', '+left and right']);
	expect(readFileSync(file, 'utf8')).toBe('left and right\n');
});

test('resolving by hand is shown as the file that a person would edit, before any folder is made', async () => {
	const {world, state} = await twoAgents();
	const shown = await page(world, state, outcome('c-1', 'manual'));
	expect(shown.remark).toBe(
		`${path} as git left it: you edit this, in a folder. That decides nothing yet.`,
	);
	const {opened, file} = await openFolder(world, state);
	expect(opened.items).toMatchObject([{id: 'c-1', manual: {phase: 'open'}}]);
	expect(changedIn(shown.lines)).toEqual([
		...readFileSync(file, 'utf8')
			.trimEnd()
			.split('\n')
			.filter(line => line !== 'base')
			.map(line => `+${line}`),
	]);
	expect(changedIn(shown.lines)).toContain('+<<<<<<<<<<<<<<< AGT-001');
});

test('what can’t be shown is refused in words', async () => {
	const {world, state} = await twoAgents();
	for (const [what, kind, why] of [
		[outcome('c-1', 'redo:AGT-001,AGT-002'), 'refused', 'AGT-002 works again, on top of AGT-001'],
		[outcome('c-1', 'arbiter:neutral'), 'refused', 'It only makes a proposal.'],
		[outcome('c-1', 'redo:AGT-002,AGT-001'), 'refused', 'AGT-001 works again, on top of AGT-002'],
		[outcome('c-1', 'choose-one:AGT-009'), 'usage', 'is not a choice for c-1'],
		[outcome('c-1', ''), 'usage', 'is not a choice for c-1'],
		[side('c-9', 'a'), 'refused', 'There is no conflict c-9'],
		[{of: 'work', agent: 'AGT-009'}, 'refused', 'There is no work of AGT-009'],
	] as const) {
		await expect(page(world, state, what)).rejects.toMatchObject({
			kind,
			message: expect.stringContaining(why),
		});
	}

	const changing: State = {...state, merge: {phase: 'none'}};
	await expect(page(world, changing, outcome('c-1', 'choose-one:AGT-001'))).rejects.toThrow(
		'The work to merge is changing',
	);
});

test('a long outcome comes in pages', async () => {
	const long = Array.from({length: 50}, (_, line) => `line ${line}\n`).join('');
	const {world, state} = await makeCollision({[path]: 'the person\n'}, {[path]: long});
	const what = outcome('c-1', 'choose-one:AGT-001');
	const first = await show(world, state, {what, offset: 0, limit: 20});
	expect([first.lines.length, first.next]).toEqual([20, 20]);
	const rest = await show(world, state, {what, offset: 20, limit: 1000});
	expect(rest.next).toBeNull();
	expect(changedIn([...first.lines, ...rest.lines])).toHaveLength(51);
});

test('a line that is too long to be shown says how much of it is missing', async () => {
	const {world, state} = await makeCollision(
		{},
		{[path]: `${'x'.repeat(2010)}\n`},
		{[path]: 'b\n'},
	);
	const {lines} = await page(world, state, side('c-1', 'a'));
	expect(lines.find(line => line.startsWith('+x'))).toMatch(
		/^\+x{1999} … and 11 more characters, not shown here$/,
	);
});

test('pages are as long as an answer may be, however long their lines are', async () => {
	const long = Array.from({length: 900}, (_, index) => `${index} ${'\u0001'.repeat(1900)}\n`).join(
		'',
	);
	const {world, state} = await makeCollision({}, {[path]: long}, {[path]: 'b\n'});
	const shown: string[] = [];
	for (let next: number | null = 0; next !== null; ) {
		const got = await show(world, state, {what: side('c-1', 'a'), offset: next, limit: 1000});
		expect(encodeFrame(got)).toBeDefined();
		shown.push(...got.lines);
		next = got.next;
	}

	expect(shown.filter(line => line.startsWith('+') && line.includes(' \u0001'))).toHaveLength(900);
});
