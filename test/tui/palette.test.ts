import {describe, expect, test} from 'vitest';
import {type Context, inPalette} from '../../src/tui/model/view.ts';
import {beginComposition} from '../../src/tui/plan/composition.ts';
import type {Desk} from '../../src/tui/plan/desk.ts';
import {paletteView} from '../../src/tui/screens/palette.ts';
import {
	aDiff,
	adding,
	knownOf,
	large,
	openAt,
	openScreen,
	recorded,
	resourcesOf,
	type TestScreen,
	whenFirst,
} from './a-screen.ts';
import {desk, openForm} from './plan/a-form.ts';

const take = (screen: TestScreen, words: string): void => {
	screen.press(':');
	screen.type(words);
	screen.press('enter');
};

const first = (screen: TestScreen): string | undefined =>
	screen
		.frame()
		.split('\n')
		.find(row => row.startsWith('▸'));

describe('the palette', () => {
	test.each([
		['an item', 'question', 'item'],
		['an agent', 'agt-002', 'agent'],
		['what has a key here', 'event by event', 'log'],
		['what only some characters are written of', 'conflagen', 'matrix'],
	])('leads from the board to %s', async (_, words, place) => {
		const screen = openScreen(await whenFirst('questions-and-checkpoints', 'question'));
		take(screen, words);
		expect(screen.context().view.place.at).toBe(place);
		expect(screen.context().view.dialog.kind).not.toBe('palette');
	});

	test('leads from an item to what else only the board leads to', async () => {
		const screen = openAt('review', await whenFirst('questions-and-checkpoints', 'review'));
		take(screen, 'conflicts between');
		expect(screen.context().view.place.at).toBe('matrix');
	});

	test('leads to a file of the diff at hand', async () => {
		const screen = openAt('review', await whenFirst('questions-and-checkpoints', 'review'));
		screen.learn({resources: resourcesOf(screen.context(), `${adding(100)}${aDiff}`)});
		take(screen, 'new.js');
		expect(screen.frame()).toContain('export const fresh = true;');
	});

	test('takes what the person has gone to, and with Esc nothing', async () => {
		const screen = openScreen(await whenFirst('questions-and-checkpoints', 'question'));
		screen.press(':');
		screen.type('agt-00');
		const [one] = [first(screen)];
		screen.press('down');
		expect(first(screen)).not.toBe(one);
		screen.press('esc', 'enter');
		expect(screen.context().view.place.at).toBe('item');
	});

	test('stays at what was gone to while the list changes, and takes nothing in its place once it is gone', async () => {
		const screen = openScreen(await whenFirst('questions-and-checkpoints', 'question'));
		const {state} = screen.context().model;
		screen.press(':');
		screen.type('agt-00');
		screen.press('down', 'down');
		const chosen = first(screen);
		const [agent] = /AGT-\d+/.exec(chosen ?? '') ?? [];
		const isOther = ({id}: {id: string}) => id !== agent;
		screen.learn({state: {...state, items: [], agents: state.agents.toReversed()}});
		expect(first(screen)).toBe(chosen);
		screen.learn({state: {...state, items: [], agents: state.agents.filter(isOther)}});
		expect(first(screen)).toBeUndefined();
		screen.press('enter');
		expect(screen.context().view).toMatchObject({place: {at: 'board'}, dialog: {kind: 'palette'}});
		expect(screen.notice()).toContain('is gone. Nothing was done');
	});

	test('says why something can’t be done now, and does nothing', async () => {
		const screen = openScreen(await whenFirst('blockers-and-requests', 'scope'));
		const {state} = screen.context().model;
		screen.learn({
			state: {
				...state,
				session: state.session && {...state.session, ended: {status: 'STOPPED', why: 'it was'}},
			} as typeof state,
		});
		take(screen, 'add one more agent');
		expect(screen.notice()).toBe('The session has ended.');
		expect(screen.effects()).toEqual([]);
	});

	test('asks first what its key asks', async () => {
		const screen = openScreen(await whenFirst('questions-and-checkpoints', 'question'));
		take(screen, 'end the session');
		expect(screen.context().view.dialog.kind).toBe('confirm');
		expect(screen.asked()).toEqual([]);
	});

	test('counts nothing as seen that it covers', async () => {
		const screen = openAt('review', await whenFirst('questions-and-checkpoints', 'review'), {
			size: large,
		});
		screen.press(':');
		screen.learn({resources: resourcesOf(screen.context(), aDiff)});
		screen.take({kind: 'resize', size: {columns: 190, rows: 50}});
		screen.press('down');
		expect(screen.context().view.seen).toEqual({});
	});
});

describe('a session that has ended', () => {
	const past = {id: 'DEL-1', about: 'Limit the API (complete)', folder: '/s/DEL-1'};
	const listed = (context: Context): readonly string[] =>
		paletteView({...context, sessions: [past], view: inPalette(context.view, 'all')}, 90).flatMap(
			row => /session +(\D+) DEL-1/.exec(row.map(({text}) => text).join(''))?.[1] ?? [],
		);

	test('is played, read, cleaned up from any screen, and started again where nothing is under way', async () => {
		const working = openScreen(await whenFirst('questions-and-checkpoints', 'question'));
		expect(listed(working.context())).toEqual(['replay', 'report', 'clean']);
		const ended = openScreen(knownOf(await recorded('check-fails')));
		expect(listed(ended.context())).toEqual(['replay', 'report', 'run again', 'clean']);
		expect(listed(openForm().context())).toEqual(['replay', 'report', 'run again', 'clean']);
		expect(listed(openForm({known: {purpose: 'add'}}).context())).not.toContain('run again');
	});

	test('is found by that word, which no name holds', () => {
		const {context} = openForm();
		const view = inPalette(context().view, 'all');
		const dialog = {...view.dialog, draft: {text: 'session clean', at: 0}} as typeof view.dialog;
		const found = paletteView({...context(), sessions: [past], view: {...view, dialog}}, 90);
		expect(found.flat().map(({text}) => text)).toContain('clean DEL-1: Limit the API (complete)');
	});

	test('is started again from the form that it opens, which leads back to where the person was', () => {
		const form = openForm({task: 'Something else'});
		const again: Desk = {...desk, leftAs: 'Nothing was started.'};
		form.take({kind: 'begun', desk: again, composition: beginComposition('Limit it', 'claude')});
		expect(form.frame()).toContain('Limit it');
		form.press('esc', 'q');
		expect(form.notice()).toBe('Nothing was started.');
		expect(form.frame()).toContain('Something else');
		expect(form.effects()).toEqual([]);
	});
});
