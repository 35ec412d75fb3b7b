import {describe, expect, onTestFinished, test} from 'vitest';
import {asks, working} from '../helpers/given.ts';
import {expectToFit} from './a-frame.ts';
import {
	aDiff,
	knownOf,
	large,
	openScreen,
	resourcesOf,
	small,
	type TestScreen,
} from './a-screen.ts';

const paneOf = (screen: TestScreen, agent: string): readonly string[] => {
	const rows = screen.frame().split('\n').slice(0, -2);
	const from = rows.findIndex(row => row.startsWith('─') && row.includes(agent));
	const to = rows.findIndex((row, index) => index > from && row.startsWith('─'));
	return rows.slice(from, to === -1 ? undefined : to);
};

const choosing = '{question: Which auth should it be?, options: [oauth, jwt]}';

/** The second agent asks, the third has finished, the first works. */
const mixed = () => {
	const session = working(['AGT-001', 'AGT-002', 'AGT-003']);
	session.finishes('AGT-003');
	session.says('AGT-002', asks(choosing));
	return session;
};

test.each([small, large])('Z gives one pane the whole board of %o, and again all of them', size => {
	const screen = openScreen({state: mixed().state()}, {size});
	const before = screen.frame();
	screen.press('Z');
	expect(paneOf(screen, 'AGT-001').length).toBeGreaterThan(size.rows - 7);
	screen.press('down');
	expect(screen.frame()).not.toContain('─ 1 AGT-001');
	expect(screen.frame()).toContain('Which auth should it be?');
	expectToFit(screen.frame(), size);
	screen.press('Z', 'up');
	expect(screen.frame()).toBe(before);
});

describe('a pane on the board', () => {
	test('shows what its agent asks, and whom a number answers', () => {
		const screen = openScreen({state: mixed().state()});
		expect(paneOf(screen, 'AGT-002').join('\n')).toMatch(
			/◆ ASKS.*Which auth should it be\?.*• {2}oauth.*• {2}jwt/s,
		);
		screen.press('down');
		expect(paneOf(screen, 'AGT-002').join('\n')).toMatch(/1 {2}oauth.*2 {2}jwt/s);
		screen.press('2', 'enter');
		expect(screen.asked()).toMatchObject([{item: 'q-1', choice: 'jwt'}]);
		expect(screen.context().view.place.at).toBe('board');
	});

	test('takes no number for a question that came as it was pressed', () => {
		const state = mixed().state();
		const asked = Date.parse(state.items.find(({kind}) => kind === 'question')?.opened ?? '');
		const screen = openScreen({state});
		screen.press('down');
		screen.take({kind: 'key', key: '2', at: asked + 300});
		expect(screen.context().view.place.at).toBe('board');
		expect(screen.notice()).toContain('came just now. Nothing was done');
		screen.take({kind: 'key', key: '2', at: asked + 1300});
		expect(screen.context().view.place.at).toBe('item');
	});

	test('takes a number for an agent where nobody asks there', () => {
		const screen = openScreen({state: mixed().state()});
		screen.press('3');
		expect(screen.context().view).toMatchObject({place: {at: 'board'}, agent: 'AGT-003'});
	});

	test('tells of progress in a row only the last, and says nothing where its title says it all', () => {
		const tail = [1, 2, 3, 4].map(step => `PROGRESS: Menu - ${step}/4`);
		const {state} = mixed();
		const screen = openScreen({state: state(), tails: {'AGT-001': ['Begun.', ...tail]}});
		expect(paneOf(screen, 'AGT-001').slice(2)).toEqual(
			expect.arrayContaining(['  Begun.', '  Menu: 3/4']),
		);
		expect(screen.frame()).not.toMatch(/Menu: [12]|^ *working$/m);
	});

	test('lists the files of finished work, with how much changed, and says where there are more', () => {
		const screen = openScreen({state: mixed().state()});
		screen.learn({resources: resourcesOf(screen.context(), aDiff)});
		expect(paneOf(screen, 'AGT-003').join('\n')).toMatch(
			/WAITS FOR REVIEW.*2 files, \+3 −1.*\+2 −1 +src\/limit\.js.*\+1 −0 +src\/new\.js/s,
		);
	});

	test('opens what its agent waits for, once the person has gone to it', () => {
		const screen = openScreen({state: mixed().state()});
		screen.press('enter');
		expect(screen.frame()).toContain(' QUESTION ');
		screen.press('esc', '3');
		expect(screen.frame()).toMatch(/⏎ r-1 AGT-003/);
		screen.press('enter');
		expect(screen.frame()).toContain(' REVIEW ');
	});

	test('says that there are more options than it has rows for', () => {
		const session = working(['AGT-001']);
		const options = Array.from({length: 30}, (_, index) => `way ${index}`).join(', ');
		session.says('AGT-001', asks(`{question: Which way?, options: [${options}]}`));
		const screen = openScreen({state: session.state()});
		expect(screen.frame()).toMatch(/│ Which way\?[\s\S]*… and \d+ more/);
		expectToFit(screen.frame(), small);
	});

	test('of an agent that asks has its options before others have their story', () => {
		const session = working(['AGT-001', 'AGT-002', 'AGT-003']);
		session.says('AGT-002', asks('{question: Which?, options: [a, b, c, d, e]}'));
		const screen = openScreen({state: session.state()});
		expect(paneOf(screen, 'AGT-002').join('\n')).toMatch(/• {2}a.*• {2}e/s);
		expect(paneOf(screen, 'AGT-003').length).toBeGreaterThanOrEqual(4);
	});

	test.each([small, large])('of an agent that works has what the others leave, on %j', size => {
		const session = mixed();
		session.decide('r-1', 'merge');
		const screen = openScreen({state: session.state()}, {size});
		if (size === small) {
			const heights = ['AGT-001', 'AGT-002', 'AGT-003'].map(id => paneOf(screen, id).length);
			expect(heights).toEqual([11, 8, 2]);
		}

		expectToFit(screen.frame(), size);
	});
});

test('draws an agent at work from where the log begins, and claims no start that it has lost', () => {
	const session = working(['AGT-001']);
	session.tell({kind: 'turn.changed', agent: 'AGT-001', turn: 1, to: 'quiet'});
	const known = knownOf(session.events());
	const board = (log: typeof known.log) => openScreen({...known, log}, {size: large}).frame();
	expect(board(known.log)).toMatch(/^─ \d\d:\d\d .*─ \d+s {2}/m);
	const late = board(known.log.slice(-1));
	expect(late).toMatch(/^ {2}1 {2}─+$/m);
	expect(late).toMatch(/^─ \d\d:\d\d .*─ last \d+s {2}/m);
});

test('the times of the board and the log are those of the terminal’s time zone', () => {
	const session = working(['AGT-001']);
	const zone = process.env.TZ;
	onTestFinished(() => {
		process.env.TZ = zone;
	});
	const frame = (there: string): string => {
		process.env.TZ = there;
		const screen = openScreen(knownOf(session.events()), {size: large});
		const board = screen.frame();
		screen.press('l');
		return `${board}${screen.frame()}`;
	};
	const times = [...frame('UTC').matchAll(/\b(\d\d)(:\d\d)/g)].map(([, hour, rest]) => [
		hour,
		rest,
	]);
	expect(times.length).toBeGreaterThan(2);
	const later = times.map(([hour, rest]) => [`${(Number(hour) + 9) % 24}`.padStart(2, '0'), rest]);
	const told = [...frame('Asia/Tokyo').matchAll(/\b(\d\d)(:\d\d)/g)];
	expect(told.map(([, hour, rest]) => [hour, rest])).toEqual(later);
});
