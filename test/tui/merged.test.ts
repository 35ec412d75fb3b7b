import {describe, expect, test} from 'vitest';
import {keyText} from '../../src/client/resources/resources.ts';
import {withItem} from '../../src/state/state.ts';
import {filesKey, resultKey} from '../../src/tui/screens/items/work/work.ts';
import {mergedWhileLasting} from '../helpers/merging.ts';
import {
	aDiff,
	filesOf,
	having,
	knownOf,
	large,
	openAt,
	openScreen,
	readThrough,
	recorded,
	replay,
	shownAs,
	small,
	whenFirst,
	whileChecked,
} from './a-screen.ts';

const ended = async () => knownOf(await recorded('check-fails'));

describe('a decision taken from the inbox', () => {
	test('leads to the board when nothing else waits', async () => {
		const screen = openAt('approval', await whenFirst('check-fails', 'approval'));
		readThrough(screen, aDiff);
		screen.press('y', 'enter');
		expect(screen.effects()).toHaveLength(1);
		expect(screen.context().view.place).toEqual({at: 'board'});
	});

	test('leads back to the inbox while something else waits there', async () => {
		const known = await whenFirst('check-fails', 'approval');
		const more = {kind: 'failure', agent: 'AGT-001', why: 'was killed'} as const;
		const screen = openAt('approval', {...known, state: withItem(known.state, more)});
		readThrough(screen, aDiff);
		screen.press('y', 'enter');
		expect(screen.context().view.place).toEqual({at: 'inbox'});
	});
});

test('the inbox tells below its list of the item that the person is at, where there is room', async () => {
	const screen = openScreen(await whenFirst('questions-and-checkpoints', 'review'));
	screen.press('i');
	const {row} = screen.context().view;
	expect(screen.frame()).toContain('What it says, and what was found');
	screen.press('down');
	expect(screen.context().view.row).not.toBe(row);
	expect(screen.frame()).toContain(`─ ${screen.context().view.row} ─`);
	screen.take({kind: 'click', row: 12, column: 5});
	expect(screen.context().view.place.at).toBe('inbox');
});

describe('an empty inbox', () => {
	test('says that the result is checked, not that agents go on', async () => {
		const screen = openScreen(await whileChecked('check-fails', []));
		screen.press('i');
		expect(screen.frame()).toContain('  The merged result is being checked');
		expect(screen.frame()).not.toContain('The agents go on');
	});

	test('says that the session has ended', async () => {
		const screen = openScreen(await ended());
		screen.press('i');
		expect(screen.frame()).toContain('  The session has ended: the work of 2 of 2 agents');
		expect(screen.frame()).not.toContain('The agents go on');
	});
});

describe('the board after the end', () => {
	test('tells what was merged, what its check said, and how long it took', async () => {
		const frame = openScreen(await ended()).frame();
		expect(frame).toMatch(/─ Merged into main ─+ ✔ [0-9a-f]{10} ─/);
		expect(frame).toMatch(/ {2}Work of {2}AGT-001, AGT-002\n/);
		expect(frame).toMatch(/ {2}Files {4}2 files\n/);
		expect(frame).toMatch(/ {2}Check {4}passed on tree \w{10}: sh check\.sh\n/);
		expect(frame).toMatch(/ {2}Took {5}(\d+[hms])+\n/);
	});

	test('names the keys that publish the merge and take it back, or bring it back', async () => {
		const {state, log, tails} = await ended();
		expect(openScreen({state, log, tails}).frame()).toMatch(
			/ {2}Keys {5}U takes it back {3}P publishes it\n/,
		);
		const commit = state.publications[0]?.built.commit ?? '';
		const undone = {kind: 'merge.undone', commit, from: commit, to: 'base'} as const;
		const frame = openScreen({state: having(state, undone)}).frame();
		expect(frame).toMatch(/ {2}Keys {5}R brings it back\n/);
		expect(openScreen({state, log, tails, mode: replay}).frame()).not.toContain('takes it back');
	});

	test('counts the lines of a list that was read before', async () => {
		const known = await ended();
		const resources = Object.fromEntries(
			[filesKey(resultKey(known.state))].flatMap(key =>
				key
					? [
							[
								keyText(key),
								shownAs(
									filesOf(aDiff)
										.map(file => JSON.stringify(file))
										.join('\n'),
								),
							],
						]
					: [],
			),
		);
		expect(openScreen({...known, resources}).frame()).toContain('  Files    2 files, +3 −1\n');
	});

	test('says that the merge was taken back, when it was', async () => {
		const {state} = await ended();
		const commit = state.publications[0]?.built.commit ?? '';
		const undone = {kind: 'merge.undone', commit, from: commit, to: 'base'} as const;
		const frame = openScreen({state: having(state, undone)}).frame();
		expect(frame).toMatch(/─ Merged into main ─+ – [0-9a-f]{10} taken back ─/);
		expect(frame).toMatch(/─ 1 AGT-001 .*─ – TAKEN BACK ─\n {2}its merge was taken back/);
	});

	test.each([
		[small, /Merged into main ─+ ✔ \w+ ─\n {2}Work of {2}AGT-001\n {2}Keys {5}U takes it back/],
		[large, /Merged into main ─+ ✔ \w+ ─\n[\s\S]*\n {2}Check {4}[\s\S]*\n {2}Keys {5}U takes/],
	])('is there while the session goes on, too, in %o', (size, words) => {
		const frame = openScreen({state: mergedWhileLasting().state()}, {size}).frame();
		expect(frame).toMatch(words);
		expect(frame).toContain('AGT-002');
	});

	test('tells of no merge where nothing was merged', async () => {
		const frame = openScreen(knownOf(await recorded('stopped'))).frame();
		expect(frame).not.toContain('Merged into');
	});
});
