import {expect, test} from 'vitest';
import {keyText} from '../../src/client/resources/resources.ts';
import {printShown} from '../../src/rules/by-hand/hunk-lines.ts';
import {lastSnapshot} from '../../src/state/agent/agent.ts';
import {resourcesFor} from '../../src/tui/controller.ts';
import type {Size} from '../../src/tui/terminal/full-screen.ts';
import {type Given, report, working} from '../helpers/given.ts';
import {scopeLeft} from '../helpers/happened.ts';
import {subtask} from '../helpers/plan.ts';
import {snapshotChecked, snapshotTaken} from '../helpers/quiet-outcome.ts';
import {expectAsBefore} from './a-frame.ts';
import {openScreen, shownAs, small, type TestScreen} from './a-screen.ts';

const middle: Size = {columns: 120, rows: 40};

/** What came of the subtask, by agent. */
const works = {
	'AGT-001': {files: 2, lines: {added: 120, removed: 8}, ok: true, tokens: 48_000},
	'AGT-002': {files: 7, lines: {added: 1480, removed: 230}, ok: false, tokens: 310_500},
	'AGT-003': {files: 1, lines: {added: 36, removed: 4}, ok: true, tokens: 9000},
} as const;

type Id = keyof typeof works;

/** Several finished works of one subtask, each checked alone. */
const finished = (ids: readonly Id[]): Given => {
	const profiles = {'AGT-001': 'claude', 'AGT-002': 'codex', 'AGT-003': 'gemini'};
	const session = working(
		ids.map(id => ({
			...subtask(id, {bestOf: 'AGT-001', subtask: 'Token bucket in front of every request'}),
			profile: profiles[id],
		})),
		{plan: {verify: ['node --test']}},
	);
	for (const id of ids) {
		const {files, lines} = works[id];
		session.wait(60_000);
		session.says(id, report('success'));
		session.tell({
			...{kind: 'turn.ended', agent: id, turn: 1, end: {by: 'exit', code: 0}},
		});
		session.tell({...snapshotTaken(session.state(), id, 'exit:1'), files, lines});
	}

	for (const effect of session.owed().effects) {
		if (effect.do === 'check-snapshot') {
			const id = ids.find(one => one === effect.agent) ?? 'AGT-001';
			session.tell(snapshotChecked(session.state(), effect, works[id].ok));
		}
	}

	session.tell(scopeLeft('package.json', {agent: 'AGT-002', patch: 'AGT-002/aside/1.patch'}));
	return session;
};

/** The review of the first of them, on a screen. */
const opened = (ids: readonly Id[], size: Size = small): TestScreen => {
	const session = finished(ids);
	const activities = Object.fromEntries(
		ids.map(id => [
			id,
			{
				plan: [],
				passages: [],
				spent: {tokens: works[id].tokens, cost: {USD: works[id].tokens / 1e5}},
			},
		]),
	);
	const screen = openScreen({state: session.state(), activities}, {size});
	screen.press('i', 'enter');
	return screen;
};

/** Lets the screen have all works that it wants in parts. */
const read = (screen: TestScreen): void => {
	const {state} = screen.context().model;
	const resources = resourcesFor(screen.context()).map(key => {
		const agent = state.agents.find(one => lastSnapshot(one)?.work === key.state);
		const hunk = {line: 3, section: '', lines: ['-one', `+${agent?.id}`]};
		const text = printShown({
			work: key.state,
			files: [{path: 'src/bucket.ts', hunks: [hunk, hunk]}],
		});
		return [keyText(key), shownAs(text)] as const;
	});
	screen.learn({resources: Object.fromEntries(resources)});
};

test.each([small, middle])('rivals stand beside each other on $columns×$rows', async size => {
	const frame = opened(['AGT-001', 'AGT-002', 'AGT-003'], size).frame();
	await expectAsBefore('rivals', frame, size);
});

test('parts of a rival are picked at the review of the other, and come into its work', async () => {
	const screen = opened(['AGT-001', 'AGT-002']);
	screen.press('w');
	read(screen);
	screen.press('d');
	expect(screen.notice()).toBe('Nothing is picked yet; y takes this hunk.');
	screen.press('n', 'y');
	await expectAsBefore('picking-of-rival', screen.frame(), small);
	screen.press('d');
	// Beside the part all of the own work comes in, which was never on the screen.
	expect(screen.asked()).toEqual([]);
	expect(screen.frame()).toContain('Its diff was not on the screen. Accept it anyway?');
	screen.press('Y');
	expect(screen.asked()).toEqual([
		{
			...{do: 'decide', by: 'user', item: 'r-1', choice: 'merge-with:AGT-002'},
			picked: {work: 'AGT-002-1-work', parts: [{file: 0, hunks: [1]}]},
		},
	]);
});

test('parts of several rivals are taken together, wherever the person is when done', () => {
	const screen = opened(['AGT-001', 'AGT-002', 'AGT-003']);
	screen.press('w');
	expect(screen.context().view.place.at).toBe('item');
	screen.press('down', 'down', 'enter');
	read(screen);
	screen.press('y', 'r', 'f');
	expect(screen.frame()).toContain('AGT-001 with parts of AGT-003  2 of 2 taken, 1 of AGT-002');
	expect(screen.frame()).not.toContain('set aside');
	screen.press('d', 'Y');
	expect(screen.asked()).toMatchObject([
		{
			choice: 'merge-with:AGT-003',
			picked: {
				...{work: 'AGT-003-1-work', parts: [{file: 0, hunks: [0, 1]}]},
				also: [{agent: 'AGT-002', work: 'AGT-002-1-work', parts: [{file: 0, hunks: [0]}]}],
			},
		},
	]);
});

test('whole files of a rival are named in a note all the same', () => {
	const screen = opened(['AGT-001', 'AGT-002']);
	screen.press('down', 'down', 'tab');
	expect(screen.context().view.dialog).toMatchObject({kind: 'note', choice: 'merge-with:AGT-002'});
});

test('who picks from one rival is told whom that sets aside, and that nothing is taken before it is read', () => {
	const screen = opened(['AGT-001', 'AGT-002', 'AGT-003']);
	screen.press('down', 'down', 'enter');
	read(screen);
	screen.press('y');
	expect(screen.frame()).toContain('AGT-003 is set aside');
	const {resources} = screen.context().model;
	const [ofFirst] = resourcesFor(screen.context()).map(keyText);
	screen.press('r', 'y');
	expect(screen.frame()).not.toContain('set aside');
	const left = Object.entries(resources).filter(([key]) => key !== ofFirst);
	screen.learn({resources: Object.fromEntries(left)});
	screen.press('d');
	expect(screen.notice()).toBe(
		'The work of AGT-002, from which you took hunks, is still being read.',
	);
	expect(screen.asked()).toEqual([]);
});
