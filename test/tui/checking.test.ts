import {describe, expect, test} from 'vitest';
import {checkTail} from '../../src/client/tails.ts';
import type {FailureLocation} from '../../src/events/kinds/merge-event.ts';
import {withItem} from '../../src/state/state.ts';
import {openAt, openScreen, type TestScreen, whenFirst, whileChecked} from './a-screen.ts';

const linesTo = (last: number): readonly string[] => [
	'$ sh check.sh',
	...Array.from({length: last}, (_, index) => `line ${index + 1}`),
];

const whileItRuns = async (last: number): Promise<TestScreen> =>
	openScreen(await whileChecked('check-fails', linesTo(last)));

/** Lets the check print more. */
const print = (screen: TestScreen, last: number): void =>
	screen.learn({tails: {[checkTail]: linesTo(last)}});

describe('while the merged result is checked', () => {
	test('the board tells the command, for how long it runs, and the last lines', async () => {
		const screen = await whileItRuns(50);
		const frame = screen.frame();
		expect(frame).toMatch(/─ Check: sh check\.sh ─+ ● RUNNING 12s ─/);
		expect(frame).toContain('  line 50\n');
		expect(frame).toContain('checking 12s  → main');
		print(screen, 51);
		expect(screen.frame()).toContain('  line 51\n');
	});

	test('a command that is far behind is told with all of them', async () => {
		const screen = openScreen(await whileChecked('check-fails', ['line 5000']));
		expect(screen.frame()).toContain('─ Check: sh check.sh ─');
	});

	test('a line that only looks like a command is none', async () => {
		const screen = openScreen(await whileChecked('check-fails', [...linesTo(1), '$ rm -rf /']));
		expect(screen.frame()).toContain('─ Check: sh check.sh ─');
	});

	test('Enter opens all it prints, and its end is followed', async () => {
		const screen = await whileItRuns(50);
		screen.press('enter');
		expect(screen.frame()).toContain('The check of the merged result  ● RUNNING 12s');
		print(screen, 60);
		expect(screen.frame()).toContain('line 60\n');
	});

	test('whoever has scrolled up stays there while more comes, until they go to the end', async () => {
		const screen = await whileItRuns(50);
		screen.press('enter', 'home');
		const top = screen.frame().split('\n')[2];
		print(screen, 60);
		expect(top).toBe('$ sh check.sh');
		expect(screen.frame().split('\n')[2]).toBe(top);
		screen.press('end');
		print(screen, 70);
		expect(screen.frame()).toContain('line 70\n');
	});

	test('a check that has printed nothing yet says so', async () => {
		const screen = openScreen(await whileChecked('check-fails', []));
		expect(screen.frame()).toContain('It has printed nothing yet.');
		screen.press('v');
		expect(screen.frame()).toContain('It has printed nothing yet.');
	});

	test('nothing of it is on the board, nor is there a key, when no check runs', async () => {
		const screen = openScreen(await whenFirst('questions-and-checkpoints', 'question'));
		expect(screen.frame()).not.toMatch(/Check: |v check/);
		screen.press('v');
		expect(screen.context().view.place.at).toBe('board');
	});
});

describe('e at what a failed check printed', () => {
	const failsAt = (line: number) => ({
		...{path: 'test/total.test.js', line},
		text: `at file:///check/test/total.test.js:${line}:3`,
	});
	const failed = async (places: readonly FailureLocation[]): Promise<TestScreen> => {
		const known = await whenFirst('check-fails', 'verify', event =>
			event.kind === 'verify.ended' ? {...event, places} : event,
		);
		const printed = [...linesTo(50), ...places.toReversed().map(({text}) => `    ${text}`)];
		const screen = openScreen({...known, tails: {[checkTail]: printed}});
		screen.press('v');
		return screen;
	};

	test('opens the file at the line that is in sight, else at the likeliest', async () => {
		const screen = await failed([failsAt(7), failsAt(12)]);
		const {merge} = screen.context().model.state;
		const copyAt = (line: number) => ({
			...{do: 'open-copy', commit: merge.phase === 'verified' && merge.built.commit},
			at: {path: 'test/total.test.js', line},
		});
		screen.press('e', 'up', 'e', 'home', 'e');
		expect(screen.asked()).toEqual([copyAt(7), copyAt(12), copyAt(7)]);
	});

	test('is no key where it names no line', async () => {
		const screen = await failed([]);
		screen.press('e');
		expect(screen.frame()).not.toContain('e editor');
		expect(screen.asked()).toEqual([]);
	});
});

describe('when the check has ended', () => {
	test('each pane whose work is in the result names the approval, and nothing is said to be merging', async () => {
		const {frame} = openScreen(await whenFirst('check-fails', 'approval'));
		expect(frame()).toContain('waits for you: a-1 approval');
		expect(frame()).not.toMatch(/MERGING|included in the result/);
	});

	test.each([
		['verify', '✗ FAILED'],
		['approval', '✓ PASSED'],
	] as const)('a key of the %s shows what it printed, and leads back', async (kind, how) => {
		const known = await whenFirst('check-fails', kind);
		const screen = openAt(kind, {...known, tails: {[checkTail]: linesTo(3)}});
		const {place} = screen.context().view;
		screen.press('v');
		expect(screen.frame()).toContain(`The check of the merged result  ${how}`);
		expect(screen.frame()).toContain('line 3');
		screen.press('esc');
		expect(screen.context().view.place).toEqual(place);
	});

	test('the key is another one at an item that is not about the result', async () => {
		const {state, ...known} = await whenFirst('check-fails', 'approval');
		const failed = withItem(state, {kind: 'failure', agent: 'AGT-001', why: 'it crashed'});
		const screen = openAt('failure', {...known, state: failed, tails: {[checkTail]: linesTo(3)}});
		expect(screen.frame()).not.toContain('v check');
		screen.press('v');
		expect(screen.context().view.place.at).toBe('item');
		screen.press('m', 'enter');
		expect(screen.effects()).toMatchObject([{do: 'ask', request: {choice: 'salvage'}}]);
	});
});
