import {describe, expect, test} from 'vitest';
import {cellsOf, printTable} from '../../src/lib/text/markdown-table.ts';
import {actionsHere} from '../../src/tui/action.ts';
import {actions, keysTable, withKeys} from '../../src/tui/keys.ts';
import {keyNames} from '../../src/tui/terminal/key-name.ts';
import {openAt, openScreen, whenFirst} from './a-screen.ts';

describe('the table of keys', () => {
	test('has one name for each action, and one help', () => {
		const names = actions.map(({name}) => name);
		expect(names).toEqual([...new Set(names)]);
		expect(actions.filter(({help}) => help === '' || help.endsWith('.'))).toEqual([]);
	});

	test('takes a key of the person’s own in the place of ours', () => {
		const own = withKeys({inbox: 'I', nonsense: 'x'});
		expect(own.find(({name}) => name === 'inbox')?.keys).toEqual(['I']);
		expect(own.filter(({name}, index) => actions[index]?.name !== name)).toEqual([]);
	});

	test('can be printed, with every action in it', () => {
		const table = printTable(keysTable(withKeys({inbox: 'I'})));
		expect(table).toContain(
			'| On the board | `I` | list everything that waits for you | `inbox` |',
		);
		const rows = table.trimEnd().split('\n');
		expect(rows.filter(row => cellsOf(row).length !== 4)).toEqual([]);
		const numbered = /-[2-9]$/;
		const missing = actions.filter(
			({name}) => !numbered.test(name) && name !== 'gone' && !table.includes(`\`${name}\``),
		);
		expect(missing).toEqual([]);
	});

	test('means one thing by each key at an agent, but for a pause, which is begun or ended, an editor, which opens what there is, and Space, which marks a file where there is one', () => {
		const there = actions.filter(
			({where}) => where.includes('agent') || where.includes('everywhere'),
		);
		const keys = [...new Set(there.flatMap(one => one.keys))];
		const shared = keys
			.map(key => there.filter(one => one.keys.includes(key)).map(({name}) => name))
			.filter(names => names.length > 1);
		expect(shared).toEqual([
			['open-file', 'editor-agent'],
			['mark-file', 'page-down'],
			['resume-agent', 'pause-agent'],
		]);
	});

	test('shows on a board of 80 columns what a new user needs most, the radar with it', async () => {
		const screen = openScreen(await whenFirst('questions-and-checkpoints', 'checkpoint'));
		const shown = screen.frame().split('\n').at(-1);
		for (const key of ['⏎ next', 'o open agent', 'w write', 'i inbox', 'm matrix', 'l log']) {
			expect(shown).toContain(` ${key} `);
		}

		expect(shown).toContain('? all keys  q leave');
	});

	test.each([
		['questions-and-checkpoints', 'plan'],
		['questions-and-checkpoints', 'checkpoint'],
		['questions-and-checkpoints', 'review'],
		['blockers-and-requests', 'blocker'],
		['blockers-and-requests', 'delegation'],
		['blockers-and-requests', 'scope'],
		['crashes-and-retries', 'failure'],
		['conflict-by-hand', 'conflict'],
		['check-fails', 'verify'],
		['check-fails', 'approval'],
	] as const)('%s: no two choices of a %s have the same key', async (journal, kind) => {
		const screen = openAt(kind, await whenFirst(journal, kind));
		const verbs = actionsHere(screen.context()).filter(
			({name, label, where}) => where[0] === 'item' && label === name,
		);
		const keys = verbs.flatMap(({keys}) => keys);
		expect(verbs.length).toBeGreaterThan(0);
		expect(keys).toEqual([...new Set(keys)]);
	});
});

const noKey = {
	upArrow: false,
	downArrow: false,
	leftArrow: false,
	rightArrow: false,
	pageDown: false,
	pageUp: false,
	home: false,
	end: false,
	return: false,
	escape: false,
	ctrl: false,
	shift: false,
	tab: false,
	backspace: false,
	delete: false,
	meta: false,
	super: false,
	hyper: false,
	capsLock: false,
	numLock: false,
};

describe('what the terminal sends', () => {
	test.each([
		['a', {}, ['a']],
		[' ', {}, ['space']],
		['', {return: true}, ['enter']],
		['', {return: true, meta: true}, ['alt+enter']],
		['', {return: true, shift: true}, ['alt+enter']],
		['', {tab: true, shift: true}, ['shift+tab']],
		['c', {ctrl: true}, ['ctrl+c']],
		['', {upArrow: true}, ['up']],
		['ab\r', {}, ['a', 'b', 'enter']],
		['x\ny', {}, ['x', 'ctrl+j', 'y']],
		['n\x12', {}, ['n', 'ctrl+r']],
		['👩‍👩‍👧é', {}, ['👩‍👩‍👧', 'é']],
		['a', {eventType: 'release'}, []],
		['x', {super: true}, []],
		['x', {hyper: true}, []],
	] as const)('%j with %j is %j', (input, key, expected) => {
		expect(keyNames(input, {...noKey, ...key})).toEqual(expected);
	});
});
