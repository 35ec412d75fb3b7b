import {describe, expect, test} from 'vitest';
import type {Resource} from '../../src/client/model.ts';
import {keyText} from '../../src/client/resources/resources.ts';
import type {Item} from '../../src/state/item.ts';
import {resourcesFor} from '../../src/tui/controller.ts';
import type {Size} from '../../src/tui/terminal/full-screen.ts';
import {brokenCall} from './a-collision.ts';
import {expectAsBefore} from './a-frame.ts';
import {
	having,
	knownAfter,
	knownOf,
	large,
	openAt,
	recorded,
	shownAs,
	small,
	type TestScreen,
} from './a-screen.ts';

type Known = Awaited<ReturnType<typeof knownAfter>>;

const betweenAgents = () => knownAfter('conflict-by-hand', 'merge.blocked');
const byHand = () => knownAfter('conflict-by-hand', 'resolution.opened');

/** The person has committed to the file meanwhile. */
const withTarget = async (): Promise<Known> => {
	const known = await betweenAgents();
	const items = known.state.items.map(item =>
		item.kind === 'conflict' ? {...item, a: ['target'], b: ['AGT-002']} : item,
	);
	return {...known, state: {...known.state, items}};
};

/** Git merges the two, and what it makes of them breaks. */
const breaking = async (): Promise<Known> => {
	const known = await betweenAgents();
	const items = known.state.items.map((item): Item => {
		const {id, number, opened} = item;
		const sides = {a: ['AGT-001'], b: ['AGT-002']};
		return item.kind === 'conflict'
			? {
					...brokenCall,
					...sides,
					kind: 'conflict',
					id,
					number,
					opened,
					files: [],
					manual: {phase: 'none'},
				}
			: item;
	});
	return {...known, state: {...known.state, items}};
};

const diffOf = (from: string, to: string): string =>
	`diff --git a/src/limit.txt b/src/limit.txt
index 1111111..2222222 100644
--- a/src/limit.txt
+++ b/src/limit.txt
@@ -1,2 +1,2 @@
 # The limit of the public API
-limit = ${from}
+limit = ${to}
`;

/** What the supervisor answers, by the start of what it is asked to show. */
const answers: readonly (readonly [string, Resource])[] = [
	['side:c-1:a', shownAs(diffOf('1', '10'))],
	['side:c-1:b', shownAs(diffOf('1', '20'))],
	['outcome:c-1:manual', shownAs(diffOf('1', '<<<<<<< AGT-001'))],
	[
		'outcome:c-1:feedback',
		{phase: 'failed', why: 'AGT-001 works again: it can’t be known before.'},
	],
	['outcome:c-1:choose-one:AGT-001', shownAs(diffOf('1', '10'))],
	['outcome:c-1:choose-one:AGT-002', shownAs(diffOf('1', '20'))],
	[
		'outcome:c-1:redo',
		{
			phase: 'failed',
			why: 'AGT-002 works again, on top of AGT-001: its new src/limit.txt can’t be known in advance.',
		},
	],
	[
		'outcome:c-1:done',
		{
			...shownAs(
				diffOf('1', '10')
					.replace(
						'+limit = 10',
						'+<<<<<<<<<<<<<<< AGT-001\n+limit = 10\n+===============\n+limit = 20\n+>>>>>>>>>>>>>>> AGT-002',
					)
					.replace('@@ -1,2 +1,2 @@', '@@ -1,2 +1,6 @@'),
			),
			remark: 'Conflict markers remain in src/limit.txt.',
		},
	],
];

/** Lets everything that the screen asks for be answered. */
const answer = (screen: TestScreen): void => {
	const resources = resourcesFor(screen.context()).map(key => {
		const text = keyText(key);
		const [, resource] = answers.find(([start]) => text.startsWith(start)) ?? [];
		return [text, resource ?? {phase: 'failed', why: `Nobody expected ${text}.`}] as const;
	});
	screen.learn({
		resources: {...screen.context().model.resources, ...Object.fromEntries(resources)},
	});
};

const at = (known: Known, size: Size, ...keys: readonly string[]): TestScreen => {
	const screen = openAt('conflict', known, {size});
	screen.press(...keys);
	answer(screen);
	return screen;
};

type Case = {
	readonly name: string;
	readonly known: () => Promise<Known>;
	readonly keys: readonly string[];
};

const cases: readonly Case[] = [
	{name: 'sides', known: betweenAgents, keys: []},
	{name: 'target', known: withTarget, keys: []},
	{name: 'outcome', known: betweenAgents, keys: ['2', 'P']},
	{name: 'unforeseen', known: betweenAgents, keys: ['3', 'P']},
	{name: 'breaks', known: breaking, keys: []},
	{name: 'by-hand', known: byHand, keys: []},
	{name: 'by-hand-outcome', known: byHand, keys: ['P']},
	{name: 'keys', known: byHand, keys: ['?']},
];

describe.each([small, large])('a conflict on a screen of $columns×$rows', size => {
	test.each(cases)('$name looks as it did when a person last looked at it', async view => {
		const frame = at(await view.known(), size, ...view.keys).frame();
		await expectAsBefore(`conflict-${view.name}`, frame, size);
	});
});

describe('the preview of a conflict', () => {
	test('begins with the likely choice, follows where the person goes, and decides nothing', async () => {
		const screen = at(await betweenAgents(), small, 'P');
		expect(screen.frame()).toContain('+ limit = <<<<<<< AGT-001');
		screen.press('down');
		answer(screen);
		expect(screen.frame()).toContain('choice: Take the side of AGT-001 ‘Write');
		expect(screen.frame()).toContain('+ limit = 10');
		screen.press('down');
		answer(screen);
		expect(screen.frame()).toContain('choice: Take the side of AGT-002 ‘Write');
		expect(screen.frame()).toContain('+ limit = 20');
		expect(screen.effects()).toEqual([]);
	});

	test('stands beside both sides where there is room, before the person has gone to a choice', async () => {
		const medium = {columns: 120, rows: 40};
		const frame = at(await betweenAgents(), medium).frame();
		expect(frame).toContain('AGT-001 did this');
		expect(frame).toContain('+ limit = <<<<<<< AGT-001');
		await expectAsBefore('conflict-sides', frame, medium);
	});
});

describe('the ways out of a conflict', () => {
	test('have a number each, which goes through the choices that are alike', async () => {
		const screen = at(await betweenAgents(), small, '2', '2');
		screen.press('enter');
		expect(screen.effects()).toMatchObject([{request: {choice: 'choose-one:AGT-002'}}]);
		expect(screen.notice()).toContain('c-1: Take the side of AGT-002 ‘Write');
		const first = at(await betweenAgents(), small, '2', '2', '2');
		first.press('enter');
		expect(first.effects()).toMatchObject([{request: {choice: 'choose-one:AGT-001'}}]);
	});

	test('begin with what keeps both works: of what breaks, that one agent mends it', async () => {
		expect(at(await betweenAgents(), small).frame()).toMatch(/─\n m {2}Hunk by hunk/);
		const broken = at(await breaking(), small).frame();
		expect(broken).toMatch(/─\n 1 {2}Send one back/);
		expect(broken).toContain('Resolve it by hand, in a folder');
	});

	test.each(['P', 'esc', 'b'])(
		'%s leads back to both sides, and the conflict stays open',
		async key => {
			const screen = at(await betweenAgents(), small, 'P', key);
			expect(screen.frame()).toContain('Conflict');
			expect(screen.context().view.place).toMatchObject({at: 'item', shows: 'facts'});
		},
	);

	test('is asked for again once something else goes into the merge', async () => {
		const screen = at(await betweenAgents(), small, 'P');
		const before = resourcesFor(screen.context());
		const from = screen.context().model.state.session?.tip ?? '';
		screen.happens({kind: 'target.moved', from, to: 'elsewhere'});
		expect(resourcesFor(screen.context())).not.toEqual(before);
		expect(resourcesFor(screen.context())).toHaveLength(1);
	});

	test('of what is made by hand is asked for at each look, since nothing tells of a change', async () => {
		const screen = at(await byHand(), small, 'P');
		const [before] = resourcesFor(screen.context());
		expect(before?.what).toEqual({of: 'outcome', item: 'c-1', choice: 'done'});
		screen.press('P', 'P');
		expect(resourcesFor(screen.context())).not.toEqual([before]);
		screen.press('enter');
		expect(screen.effects()).toEqual([]);
	});

	test('of what is made by hand is asked for again by whoever comes back to the conflict', async () => {
		const screen = at(await byHand(), large);
		const before = resourcesFor(screen.context()).find(({what}) => what.of === 'outcome');
		screen.press('esc', 'i', 'enter');
		const keys = resourcesFor(screen.context());
		expect(keys.map(({what}) => what)).toContainEqual(before?.what);
		expect(keys).not.toContainEqual(before);
	});

	test('can be scrolled', async () => {
		const screen = at(await byHand(), {columns: 60, rows: 16}, 'P');
		const before = screen.frame();
		screen.press('j');
		expect(screen.frame()).not.toBe(before);
	});
});

describe('a folder that is said to be done', () => {
	test('is what the person stays with until it was looked into, and is left once it is taken', async () => {
		const screen = at(await byHand(), small, 'd', 'enter');
		expect(screen.effects()).toMatchObject([{do: 'ask', request: {choice: 'done'}}]);
		screen.take({kind: 'refused', text: 'Conflict markers remain in src/limit.txt.'});
		expect(screen.context().view.place).toMatchObject({at: 'item', item: 'c-1'});
		screen.press('enter');
		screen.take({kind: 'granted', item: 'c-1', text: 'c-1: done'});
		expect(screen.context().view.place).toEqual({at: 'board'});
		expect(screen.notice()).toBe('c-1: done');
	});
});

describe('the editor', () => {
	test('opens the file that is taken, and only while there is one', async () => {
		const screen = at(await betweenAgents(), small, 'e');
		expect(screen.effects()).toEqual([]);
		const opened = at(await byHand(), small, 'e');
		const [item] = opened.context().model.state.items;
		const folder =
			item?.kind === 'conflict' && item.manual.phase === 'open' ? item.manual.folder : '';
		expect(opened.effects()).toEqual([{do: 'edit', file: `${folder}/files/src/limit.txt`}]);
	});

	test('is followed by a look at what it left, and Enter takes nothing yet', async () => {
		const screen = at(await byHand(), small, '1', 'e');
		const before = resourcesFor(screen.context());
		screen.take({kind: 'edited'});
		answer(screen);
		expect(screen.notice()).toBe('Your editor has closed. "done" would take the file like this.');
		expect(screen.frame()).toContain('Conflict markers remain in src/limit.txt.');
		expect(resourcesFor(screen.context())).not.toEqual(before);
		screen.press('enter');
		expect(screen.effects()).toHaveLength(1);
	});

	test('that was of no use is told of, with what is in the file all the same', async () => {
		const screen = at(await byHand(), small, 'e');
		screen.take({kind: 'edited', trouble: 'Your editor exited with code 1.'});
		answer(screen);
		expect(screen.notice()).toBe('Your editor exited with code 1. The file is as it was left.');
		expect(screen.frame()).toContain('choice: Take the files in');
	});

	test('may outlive the conflict, which is told as well', async () => {
		const screen = at(await byHand(), small, 'e');
		screen.happens({kind: 'conflict.gone', conflict: 'c-1'});
		screen.take({kind: 'edited'});
		expect(screen.notice()).toContain('c-1 is gone meanwhile');
	});
});

test('a file that looks like a slip is named at its conflict, with what takes it all the same', async () => {
	const known = await byHand();
	const said = {item: 'c-1', choice: 'done', by: 'user', files: []} as const;
	const doubts = ['src/limit.txt is empty.'];
	const state = having(known.state, {kind: 'user.decided', ...said, doubts});
	const screen = openAt('conflict', {...known, state}, {size: large});
	expect(screen.frame()).toContain('Looks like a slip');
	expect(screen.frame()).toContain('src/limit.txt is empty.');
	expect(screen.frame()).toContain('nothing is taken yet: choose "done" again to take it anyway');
});

test.each(['conflict-choose-one', 'conflict-one-after-the-other', 'conflict-one-left-out'])(
	'%s: the log tells what was decided in words, and not as it is typed',
	async name => {
		const {log} = knownOf(await recorded(name));
		const told = log.filter(({event}) => event.kind === 'user.decided').map(({text}) => text);
		expect(told.join('\n')).toMatch(/decided c-1: [A-Z].*AGT-00\d/);
		expect(told.join('\n')).not.toMatch(/: [a-z-]+:AGT/);
	},
);
