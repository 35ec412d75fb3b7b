import {expect, test} from 'vitest';
import type {Finding} from '../../src/events/finding.ts';
import {meetingOf} from '../../src/rules/collision-matrix.ts';
import {collisionNotices} from '../../src/rules/collisions.ts';
import {matrixRows} from '../../src/tui/formatting/matrix-rows.ts';
import type {Row} from '../../src/tui/rows/row.ts';
import {atWork, collidingState, compared, sameLine, sessionOf} from './a-collision.ts';
import {openScreen, replay, small} from './a-screen.ts';

const textOf = (row: Row): string => row.map(({text}) => text).join('');

test('the matrix says by sign and word how each two get on, with counts by type', () => {
	const {head, agents} = matrixRows(collidingState, undefined, small.columns);
	const [first, , third] = agents.map(lines => lines.map(line => textOf(line).trimEnd()));
	expect(textOf(head).split(/\s+/).filter(Boolean)).toEqual([
		'AGT-001',
		'AGT-002',
		'AGT-003',
		'target',
	]);
	expect(first?.join('\n')).toMatchInlineSnapshot(`
		"AGT-001        ·               ✗ 4 block       – not compared  ○ none known
		Part of AGT-…                    1 note
		                                 FILE 1
		                                 API 1
		                                 TEST 1
		                                 not kept 2"
	`);
	expect(third?.[0]?.match(/– not compared/g)).toHaveLength(3);
});

test('both halves of the matrix say the same', () => {
	expect(meetingOf(collidingState, 'AGT-002', 'AGT-001')).toEqual(
		meetingOf(collidingState, 'AGT-001', 'AGT-002'),
	);
});

test.each([
	['AGT-001', 'AGT-003', 'AGT-003 has no work to compare yet.'],
	['AGT-003', 'target', 'AGT-003 has no work to compare yet.'],
])('%s and %s are not compared, and why is said', (one, other, why) => {
	expect(meetingOf(collidingState, one, other)).toEqual({standing: 'not compared', why});
});

test('work that stands on the target as it is, is not compared with it', () => {
	const state = sessionOf(['AGT-001'], ...atWork('AGT-001'));
	expect(meetingOf(state, 'AGT-001', 'target')).toEqual({
		standing: 'not compared',
		why: 'AGT-001 stands on the target as it is.',
	});
});

test('where not all agents fit, those around the person are in sight', () => {
	const ids = Array.from({length: 9}, (_, index) => `AGT-00${index + 1}`);
	const state = sessionOf(ids, ...ids.flatMap(id => atWork(id)));
	const screen = openScreen({state});
	screen.press('m', ...ids.flatMap(() => ['right', 'down']));
	expect(screen.frame()).toContain('columns 7–10 of 10');
	expect(screen.frame()).toContain('AGT-009 and target are not compared');
	expect(screen.frame()).toContain('▸– not compared');
});

test('what collides is named beside both agents, and takes no row from what is next', () => {
	const frame = openScreen({state: collidingState}).frame();
	expect(frame).toMatch(/AGT-001[^─]*─+[^─]*─\n.*collides with AGT-002: .*\n/);
	expect(frame).not.toContain(' collide: ');
});

test('Enter lists the lines of both sides behind bars, and Esc goes back step by step', () => {
	const screen = openScreen({state: collidingState});
	screen.press('m', 'enter');
	expect(screen.frame()).toContain('│ src/limit.ts:12');
	expect(screen.frame()).toContain('│ const most␛[8m = 5;');
	expect(screen.frame()).not.toContain('\u001b[8m');
	screen.press('esc', 'right');
	expect(screen.context().view.place).toEqual({at: 'matrix', cell: ['AGT-001', 'AGT-003']});
	screen.press('enter');
	expect(screen.notice()).toContain('AGT-003 has no work to compare yet.');
	screen.press('esc');
	expect(screen.context().view.place.at).toBe('board');
});

test('in a recording the matrix is gone through with Tab', () => {
	const screen = openScreen({state: collidingState, mode: replay});
	screen.press('m', 'tab', 'tab', 'shift+tab');
	expect(screen.context().view.place).toEqual({at: 'matrix', cell: ['AGT-001', 'AGT-003']});
	screen.press('shift+tab', 'enter');
	expect(screen.frame()).toContain('FILE_CONFLICT F1');
});

test('what is gone while somebody reads it is said to be gone', () => {
	const screen = openScreen({state: collidingState});
	screen.press('m', 'enter');
	screen.happens(compared('AGT-001', 'AGT-002', []));
	expect(screen.frame()).toContain('There is no known collision between AGT-001 and AGT-002');
	expect(screen.frame()).not.toContain(sameLine.type);
});

test('a session that has ended has one sentence instead', () => {
	const screen = openScreen({state: collidingState});
	screen.happens({kind: 'session.ended', status: 'COMPLETE', why: 'for a test'});
	screen.press('m');
	expect(screen.frame()).toContain('The session has ended; nothing is compared any more.');
	expect(screen.frame()).not.toContain('not compared');
});

test('what only git compared, and what no checker checked, is said in the cell and below the matrix', () => {
	const unread = [{why: 'no grammar', paths: ['docs/guide.md'], more: true}] as const;
	const state = sessionOf(['AGT-001', 'AGT-002'], ...atWork('AGT-001'), ...atWork('AGT-002'), {
		kind: 'work.compared',
		a: 'AGT-001',
		b: 'AGT-002',
		findings: [],
		more: 0,
		unread,
		unchecked: [{by: 'TypeScript 7.0.1', why: '4000 files would have to be read.'}],
	});
	const screen = openScreen({state});
	screen.press('m');
	expect(screen.frame()).toContain('○ none known');
	expect(screen.frame()).toContain('not all read');
	expect(screen.frame()).toContain('types unchecked');
	expect(screen.frame().replaceAll(/\s+/g, ' ')).toContain(
		'Types not checked by TypeScript 7.0.1: 4000 files would have to be read. Compared by git alone: docs/guide.md and others (not in a language that is read).',
	);
	expect(collisionNotices(state)).toEqual([]);
});

test('what two agents both wrote is a note, with the words to either that has it leave it out', () => {
	const state = withWorkDoneTwice();
	const screen = openScreen({state});
	expect(screen.frame()).toContain('AGT-001 and AGT-002 do the same');
	expect(screen.frame()).not.toContain('collides with');
	screen.press('m');
	expect(screen.frame()).toContain('! 1 note');
	screen.press('enter');
	expect(screen.frame()).toContain('note, medium confidence');
	expect(collisionNotices(state)).toMatchObject([
		{
			hints: [
				"delegate-tui agent AGT-001 message 'AGT-002 wrote the same, in src/b.ts:7. Leave out yours in src/a.ts:3, and go on with the rest of your task.'",
				"delegate-tui agent AGT-002 message 'AGT-001 wrote the same, in src/a.ts:3. Leave out yours in src/b.ts:7, and go on with the rest of your task.'",
			],
		},
	]);
});

const withWorkDoneTwice = () =>
	sessionOf(
		['AGT-001', 'AGT-002'],
		{kind: 'user.decided', item: 'p-1', choice: 'approve', by: 'user'},
		...['AGT-001', 'AGT-002'].flatMap(id => atWork(id)),
		compared('AGT-001', 'AGT-002', [doneTwice]),
	);

const doneTwice: Finding = {
	type: 'API_CONFLICT',
	rule: 'A9',
	path: 'src/b.ts',
	key: 'A9 src/b.ts total sum',
	blocking: false,
	confidence: 'medium',
	summary: 'Both sides wrote the same: total in src/a.ts and sum in src/b.ts.',
	evidence: [
		{side: 'a', path: 'src/a.ts', line: 3, text: 'export const total ='},
		{side: 'b', path: 'src/b.ts', line: 7, text: 'export const sum ='},
	],
};
