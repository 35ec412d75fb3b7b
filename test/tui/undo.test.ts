import {expect, test} from 'vitest';
import {knownOf, openScreen, recorded} from './a-screen.ts';

/** The screen after a session that merged something has ended. */
const ended = async () => {
	const known = knownOf(await recorded('check-fails'));
	return {
		screen: openScreen(known),
		merge: known.state.publications[0]?.built.commit ?? '',
	};
};

test('U takes the merge back after the end, once it is meant', async () => {
	const {screen, merge} = await ended();
	expect(screen.frame()).toContain('U undo merge');
	screen.press('U');
	expect(screen.frame()).toContain(
		`Take the merge ${merge.slice(0, 10)} (AGT-001 and AGT-002) back from main?`,
	);
	screen.press('n');
	expect(screen.asked()).toEqual([]);
	screen.press('U', 'y');
	expect(screen.asked()).toEqual([{do: 'undo', agreed: {turn: 'undo', merge}}]);
});

test('U brings a merge back that was taken back, and the board says how it stands', async () => {
	const {screen, merge} = await ended();
	screen.happens({kind: 'merge.undone', commit: merge, from: merge, to: 'base'});
	expect(screen.frame()).toContain('its merge was taken back');
	screen.press('U', 'y');
	expect(screen.asked()).toEqual([{do: 'undo', agreed: {turn: 'redo', merge}}]);
});

test('U is no key before something was merged', async () => {
	const events = await recorded('check-fails');
	const before = openScreen(knownOf(events.slice(0, 10)));
	expect(before.frame()).not.toContain('undo merge');
	before.press('U', 'y');
	expect(before.asked()).toEqual([]);
});
