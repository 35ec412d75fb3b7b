import {describe, expect, test} from 'vitest';
import {itemText} from '../../src/client/texts/item-text.ts';
import type {SurfaceChange} from '../../src/events/finding.ts';
import {inbox} from '../../src/rules/inbox.ts';
import {resultDoubts} from '../../src/state/merge/checked-result.ts';
import type {State} from '../../src/state/state.ts';
import {isOfKind} from '../helpers/waits.ts';
import {
	aSurfaceDiff,
	large,
	openAt,
	openScreen,
	readThrough,
	resourcesOf,
	type TestScreen,
	whenFirst,
	withSurface,
} from './a-screen.ts';

const approved = {do: 'decide', item: 'a-1', choice: 'approve', by: 'user'};

const atApproval = async (surface?: readonly SurfaceChange[]): Promise<TestScreen> => {
	const screen = openAt('approval', await withSurface('approval', surface));
	readThrough(screen, aSurfaceDiff);
	return screen;
};

/** What the screen says, wherever its lines are broken. */
const inOneLine = (screen: TestScreen): string => screen.frame().replaceAll(/\s+/g, ' ');

const sentences = [
	'.husky/pre-commit changes what runs by itself (git and its hooks).',
	'package.json changes what runs by itself (packages and scripts of Node.js).',
	'src/shared is a link to "../lib/shared".',
];

describe.each(['review', 'checkpoint', 'approval'] as const)('at a %s', kind => {
	test('what runs by itself and links stand above all else', async () => {
		const screen = openAt(kind, await withSurface(kind), {size: large});
		const rows = screen.frame().split('\n');
		const first = rows.findIndex(row => row.startsWith(' Worth a look'));
		expect(first).toBe(3);
		const below = rows.slice(first + 1, first + 6).map(row => row.slice(0, 84).trim());
		expect(below.join(' ')).toContain(sentences.map(sentence => `• ${sentence}`).join(' '));
	});

	test('nothing is shown where there is nothing', async () => {
		const screen = openAt(kind, await withSurface(kind, []), {size: large});
		expect(screen.frame()).not.toContain('what runs by itself');
	});

	test('they are marked in words in the diff, and other files are not', async () => {
		const screen = openAt(kind, await withSurface(kind), {size: large});
		screen.learn({resources: resourcesOf(screen.context(), aSurfaceDiff)});
		const frame = screen.frame();
		expect(frame).toContain('.husky/pre-commit  runs by itself  new file');
		expect(frame).toContain('package.json  runs by itself  +1');
		expect(frame).toContain('src/shared  link  new file');
		expect(frame).toMatch(/src\/limit\.js {2}\+2/);
	});

	test('they come first in what scripts and other terminals are told', async () => {
		const {state} = await withSurface(kind);
		const item = inbox(state).find(isOfKind(kind));
		expect(item?.notes).toEqual(sentences);
		const told = item === undefined ? '' : itemText(item, '/store');
		expect(told).toContain(sentences.map(sentence => `    worth a look: ${sentence}`).join('\n'));
	});
});

test('a name with line ends in it makes up no lines where text is told', async () => {
	const path = 'a\n    approve  — all is well\npackage.json';
	const {state} = await withSurface('approval', [{path, as: 'runs', what: 'x'}]);
	const [item] = inbox(state);
	expect(item === undefined ? '' : itemText(item, '/store')).not.toMatch(/^ +approve {2}— all/m);
});

test('a name that is no UTF-8 is marked like any other', async () => {
	const path = 'p\udcff/.npmrc';
	const screen = await atApproval([{path, as: 'runs', what: 'x'}]);
	const diff = aSurfaceDiff.replaceAll(/([ab])\/package\.json/g, '"$1/p\\377/.npmrc"');
	screen.take({kind: 'resize', size: large});
	screen.learn({resources: resourcesOf(screen.context(), diff)});
	expect(screen.frame()).toMatch(/\.npmrc {2}runs by itself {2}\+1/);
});

describe('the key that approves such a result', () => {
	test('asks once more, and names what runs by itself and the links', async () => {
		const screen = await atApproval();
		screen.press('y');
		expect(screen.asked()).toEqual([]);
		expect(screen.frame()).toContain(
			'This result changes what runs by itself: .husky/pre-commit, package.json; and',
		);
		expect(screen.frame()).toContain('it brings 1 link: src/shared. Merge it with that?');
		screen.press('Y');
		expect(screen.asked()).toEqual([approved]);
	});

	test.each([
		['conflict markers', {notes: ['Conflict markers remain in src/limit.js.']}],
		['a commit that is not signed', {unsigned: 'no key.'}],
	])('asks once more, too, where the supervisor held it up for %s', async (_, found) => {
		const known = await withSurface('approval', []);
		const {merge} = known.state;
		const built = 'built' in merge ? {...merge.built, ...found} : undefined;
		const marked = {...merge, built} as State['merge'];
		const doubts = resultDoubts(marked);
		const screen = openAt('approval', {...known, state: {...known.state, merge: marked}});
		readThrough(screen, aSurfaceDiff);
		screen.press('y', 'enter');
		expect(screen.asked()).toEqual([approved]);
		screen.happens({kind: 'user.decided', item: 'a-1', choice: 'approve', by: 'user', doubts});
		expect(inOneLine(screen)).toContain('Nothing is merged yet: approve again to merge it anyway');
		screen.press('enter', 'y', 'enter');
		expect(screen.asked()).toEqual([approved]);
		expect(inOneLine(screen)).toContain(`${doubts[0]} Merge it with that?`);
		screen.press('Y');
		expect(screen.asked()).toEqual([approved, {...approved, despite: doubts}]);
	});

	test('is no second yes itself, however long it is held; nor is Enter', async () => {
		const screen = await atApproval();
		screen.press('y', 'y', 'y', 'y');
		expect(screen.asked()).toEqual([]);
		expect(screen.frame()).toContain('Merge it with that?');
		screen.press('enter', '1', 'enter', 'enter', 'enter');
		expect(screen.asked()).toEqual([]);
		screen.press('Y');
		expect(screen.asked()).toEqual([approved]);
	});

	test.each(['n', 'esc'])('is taken back by %s', async key => {
		const screen = await atApproval();
		screen.press('y', key);
		expect(screen.frame()).not.toContain('Merge it with that?');
		expect(screen.context().view.place).toMatchObject({at: 'item', item: 'a-1'});
		expect(screen.asked()).toEqual([]);
	});

	test('counts for the result that was named, and for no other', async () => {
		const screen = await atApproval();
		screen.press('y');
		screen.learn({state: withAnother(screen.context().model.state)});
		screen.press('Y');
		expect(screen.asked()).toEqual([]);
		expect(screen.notice()).toContain('has changed since you opened it');
	});

	test('names only some of very many, and how many more there are', async () => {
		const links = Array.from(
			{length: 12},
			(_, index) => ({path: `l${index}`, as: 'link', what: 'x'}) as const,
		);
		const screen = await atApproval([...links, {path: 'lib', as: 'submodule', what: '0123'}]);
		screen.press('y');
		expect(inOneLine(screen)).toContain(
			'This result brings 12 links: l0, l1, l2 and 9 more; and it brings 1 submodule: lib. Merge',
		);
	});

	test('is asked to its end on a small screen, and names the ends of long paths; on one that can’t hold that, nothing says yes', async () => {
		const long = Array.from({length: 9}, (_, index) => ({
			path: `${'folder/'.repeat(30)}${index}/package.json`,
			what: 'x',
		}));
		const screen = await atApproval([
			...long.map(change => ({...change, as: 'runs'}) as const),
			...long.map(change => ({...change, as: 'link'}) as const),
		]);
		screen.take({kind: 'resize', size: {columns: 60, rows: 16}});
		readThrough(screen, aSurfaceDiff);
		screen.press('y');
		expect(inOneLine(screen)).toContain(
			'folder/2/package.json and 6 more. Merge it with that? Y yes, with that n no',
		);
		screen.take({kind: 'resize', size: {columns: 40, rows: 10}});
		expect(inOneLine(screen)).toContain('Make this window larger to read and answer the question.');
		screen.press('Y', 'y', 'enter');
		expect(screen.asked()).toEqual([]);
	});

	test('approves at once where nothing runs by itself and nothing leads elsewhere', async () => {
		const screen = await atApproval([]);
		screen.press('y', 'enter');
		expect(screen.asked()).toEqual([approved]);
	});
});

/** Returns the state as it is when the same item is about another commit. */
const withAnother = (state: State): State => ({
	...state,
	items: state.items.map(item => (item.kind === 'approval' ? {...item, commit: 'c9'} : item)),
});

test('a yes with a key of its own is for that alone: elsewhere the yes is as ever', async () => {
	const screen = openScreen(await whenFirst('check-fails', 'approval'));
	screen.press('X', 'Y');
	expect(screen.asked()).toEqual([]);
	expect(screen.frame()).toContain('y yes   n no');
	screen.press('y');
	expect(screen.asked()).toEqual([{do: 'stop'}]);
});
