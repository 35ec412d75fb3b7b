import {expect, test} from 'vitest';
import type {ScreenInput} from '../../src/tui/model/update.ts';
import {knownOf, openScreen, recorded} from './a-screen.ts';

/** What the supervisor says that it would come to. */
const offered = (
	turn: 'undo' | 'redo',
	merge: string,
): Extract<ScreenInput, {kind: 'undo-offered'}> => ({
	kind: 'undo-offered',
	offer: {
		...{session: 'DEL-1', turn, merge, subject: 'Work', agents: ['AGT-001', 'AGT-002']},
		...{target: 'main', because: 'No commit builds on it', how: 'move', from: merge, to: 'base'},
		files: 2,
		checked: {ok: false, commands: [{command: 'npm test', code: 1}], log: '/log'},
	},
});

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
	expect(screen.asked()).toEqual([{do: 'offer-undo', turn: 'undo'}]);
	screen.take(offered('undo', merge));
	expect(screen.frame()).toContain(
		`Take the merge ${merge.slice(0, 10)} (AGT-001 and AGT-002) back from main?`,
	);
	expect(screen.frame().replace(/\s+/g, ' ')).toContain('The check fails there: `npm test`');
	screen.press('n');
	screen.take(offered('undo', merge));
	screen.press('y');
	expect(screen.asked().slice(1)).toEqual([
		{do: 'undo', agreed: {turn: 'undo', merge, from: merge}},
	]);
});

test('a yes before the question does nothing, and what it waits for stays told', async () => {
	const {screen} = await ended();
	screen.press('U');
	expect(screen.notice()).toMatch(/then you are asked\.$/);
	screen.press('y');
	expect(screen.notice()).toMatch(/then you are asked\.$/);
	screen.press('i');
	expect(screen.notice()).toBeUndefined();
	expect(screen.asked()).toEqual([{do: 'offer-undo', turn: 'undo'}]);
});

test('a key that is typed just as the question comes is no answer to it', async () => {
	const {screen, merge} = await ended();
	screen.take({...offered('undo', merge), at: 10_000});
	screen.take({kind: 'key', key: 'y', at: 10_300});
	expect(screen.asked()).toEqual([]);
	expect(screen.notice()).toMatch(/^This question came just now\. Nothing was done/);
	screen.take({kind: 'key', key: 'y', at: 11_100});
	expect(screen.asked()).toMatchObject([{do: 'undo'}]);
});

test('who does something else by then is told, and asked nothing', async () => {
	const {screen, merge} = await ended();
	screen.press('U', '?');
	screen.take(offered('undo', merge));
	expect(screen.notice()).toMatch(/Nothing is done yet; on the board you are asked again\.$/);
	screen.press('y');
	expect(screen.asked()).toEqual([{do: 'offer-undo', turn: 'undo'}]);
});

test('U brings a merge back that was taken back, and the board says how it stands', async () => {
	const {screen, merge} = await ended();
	screen.happens({kind: 'merge.undone', commit: merge, from: merge, to: 'base'});
	expect(screen.frame()).toContain('its merge was taken back');
	expect(screen.frame()).not.toContain('undo merge');
	expect(screen.frame()).toContain('R redo merge');
	screen.press('U');
	screen.take(offered('redo', merge));
	screen.press('y');
	expect(screen.asked().slice(1)).toMatchObject([{do: 'undo', agreed: {turn: 'redo', merge}}]);
});

test('U is no key before something was merged', async () => {
	const events = await recorded('check-fails');
	const before = openScreen(knownOf(events.slice(0, 10)));
	expect(before.frame()).not.toContain('undo merge');
	before.press('U', 'y');
	expect(before.asked()).toEqual([]);
});
