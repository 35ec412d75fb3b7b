import {describe, expect, test} from 'vitest';
import {type LineEnd, type ReadDetail, readDetail} from '../../src/client/activity/account.ts';
import {activitiesOf, withDetails} from '../../src/client/activity/accounts.ts';
import type {Model} from '../../src/client/model.ts';
import {awakeAt} from '../../src/events/deadline.ts';
import type {Event} from '../../src/events/event.ts';
import {later} from '../../src/lib/text/duration.ts';
import {type Size, smallest} from '../../src/tui/terminal/full-screen.ts';
import {saying, starting, working} from '../helpers/given.ts';
import {expectAsBefore, expectToFit} from './a-frame.ts';
import {
	knownOf,
	large,
	openScreen,
	recorded,
	resourcesOf,
	small,
	type TestScreen,
} from './a-screen.ts';

const events = await recorded('questions-and-checkpoints');

const isOfFirst = (kind: Event['kind']) => (event: Event) =>
	event.kind === kind && 'agent' in event && event.agent === 'AGT-001';

/** When the first agent began to work. */
const begun = events.find(isOfFirst('turn.started'))?.at ?? '';

/** What an agent says of itself is told at these times, in seconds after it began. */
const told = (
	second: number,
	offset: number,
	news: Readonly<Record<string, unknown>>,
): ReadDetail => {
	const at = later(begun, second * 1000);
	const detail = readDetail(JSON.stringify({at, agent: 'AGT-001', turn: 1, offset, ...news}));
	if (detail === undefined) {
		throw new Error(`This is no detail: ${JSON.stringify(news)}`);
	}

	return detail;
};

const tool = (id: string, status: string, more: Readonly<Record<string, unknown>> = {}) => ({
	kind: 'tool',
	id,
	title: id,
	tool: 'edit',
	status,
	paths: [],
	...more,
});

const plan = (...statuses: readonly string[]) => ({
	kind: 'plan',
	entries: ['Read the clock', 'Write the bucket', 'Test it'].map((content, index) => ({
		content,
		priority: 'medium',
		status: statuses[index] ?? 'pending',
	})),
});

const lines = [
	'I read the clock first.',
	'PROGRESS: Read - the clock',
	'Now I write the bucket, which takes its tokens from the clock and never lends more than the burst allows.',
];

const ends = (): readonly LineEnd[] => {
	let end = 0;
	return lines.map(line => {
		end += line.length + 1;
		return {turn: 1, end};
	});
};

const first = lines[0]?.length ?? 0;
const all = lines.join('\n').length + 1;

const change = {
	path: 'src/bucket.js',
	oldText: 'export const burst = 10;\n',
	newText: 'export const burst = 100;\nexport const rate = 1;\n',
};

const details = [
	told(0, 0, {kind: 'introduction', name: 'Claude Code', version: '2.1.316'}),
	told(1, 0, plan('in_progress')),
	told(2, first, {kind: 'thought', text: 'The clock may stand still. ', message: 'm1'}),
	told(2, first, {kind: 'thought', text: 'I look at its test.', message: 'm1'}),
	told(3, first + 1, tool('Read src/clock.js', 'pending', {tool: 'read'})),
	told(3, first + 1, tool('Read src/clock.js', 'completed', {tool: 'read', durationMs: 120})),
	told(4, first + 1, tool('Read src/menu.js', 'completed', {tool: 'read', durationMs: 80})),
	told(4, first + 1, tool('Read src/till.js', 'completed', {tool: 'read', durationMs: 90})),
	told(5, all, plan('completed', 'in_progress')),
	told(6, all, tool('Edit src/bucket.js', 'completed', {durationMs: 2300, diffs: [change]})),
	told(7, all, tool('Write .git/hooks/x', 'failed', {diffs: [change]})),
	told(7, all, {kind: 'refusal', title: 'git push'}),
	told(8, all, {kind: 'usage', used: 45_000, size: 200_000, cost: {amount: 0.04, currency: 'USD'}}),
	told(8, all, {kind: 'tokens', input: 12_000, output: 345}),
	told(9, all, tool('bash', 'in_progress', {tool: 'execute', command: 'npm test'})),
];

/** What is known while the first agent works and nothing waits for the person. */
const knownWith = async (details: readonly ReadDetail[]): Promise<Model> => {
	const known = knownOf(events.slice(0, 17));
	return {
		...known,
		tails: {...known.tails, 'AGT-001': lines},
		activities: activitiesOf(withDetails({}, details), ends),
		resources: {},
		questions: [],
		now: later(begun, 21_000),
		mode: {kind: 'live'},
	};
};

const look = async (
	size: Size,
	keys: readonly string[],
	told: readonly ReadDetail[] = details,
): Promise<TestScreen> => {
	const screen = openScreen(await knownWith(told), {size});
	screen.press(...keys);
	return screen;
};

const views = [
	{name: 'board-in-detail', keys: []},
	{name: 'agent-in-detail', keys: ['o']},
	{name: 'agent-from-the-top', keys: ['o', 'g']},
];

describe.each([small, large])('on a screen of $columns×$rows', size => {
	test.each(views)('$name looks as it did when a person last looked at it', async view => {
		await expectAsBefore(view.name, (await look(size, view.keys)).frame(), size);
	});
});

test('what is told fits the smallest screen', async () => {
	for (const {keys} of views) {
		expectToFit((await look(smallest, keys)).frame(), smallest);
	}
});

describe('the story of an agent', () => {
	const rowsOf = async (told: readonly ReadDetail[], size = large) =>
		(await look(size, ['o'], told)).frame().split('\n');
	const indexOf = (rows: readonly string[], text: string): number => {
		const index = rows.findIndex(row => row.includes(text));
		expect(index, text).toBeGreaterThan(-1);
		return index;
	};

	test('has each action where it was done between the words', async () => {
		const rows = await rowsOf(details);
		const places = [
			'Claude Code 2.1.316',
			'● Read the clock',
			'I read the clock first.',
			'thinks        The clock may stand still. I look at its test.',
			'✓ Read src/clock.js  0.1s',
			'progress      Read: the clock',
			'Now I write the bucket',
			'✓ Read the clock',
			'✓ Edit src/bucket.js  2.3s  +2 −1',
			'export const rate = 1;',
			'✗ Write .git/hooks/x',
			'refused       git push',
			'● bash npm test',
		].map(text => indexOf(rows, text));
		expect(places).toEqual([...places].sort((one, other) => one - other));
	});

	test('tells of progress of one phase in a row only the last, and how much came before', () => {
		const tail = ['Plan - 1/1', 'Menu - 1/3', 'Menu - 2/3', 'Menu - 3/3'].map(
			said => `PROGRESS: ${said}`,
		);
		const {state} = working(['AGT-001']);
		const screen = openScreen({state: state(), tails: {'AGT-001': ['Begun.', ...tail, 'Done.']}});
		screen.press('o');
		expect(screen.frame()).toMatch(
			/Begun\.\nprogress {6}Plan: 1\/1\nprogress {6}Menu: 3\/3 {2}and 2 before\nDone\./,
		);
		screen.press('a');
		expect(screen.frame()).toMatch(/State +WORKING\n/);
	});

	test('tells a tool call once, however often there is news of it', async () => {
		const rows = await rowsOf(details);
		expect(rows.filter(row => row.includes('Read src/clock.js'))).toHaveLength(1);
	});

	test.each([
		['Edit src/a.js', {}, 'Edit src/a.js'],
		['src/a.js', {paths: ['src/a.js']}, 'edit src/a.js'],
		['write', {paths: ['src/a.js', 'src/b.js']}, 'write src/a.js and 1 more'],
		['Bash', {command: 'npm test\n  --watch'}, 'Bash npm test --watch'],
		['', {}, 'edit'],
	])('calls a tool call that is titled "%s" by what it is about', async (title, more, name) => {
		const rows = await rowsOf([told(1, all, {...tool('c1', 'completed', more), title})]);
		expect(rows).toContain(`✓ ${name}`);
	});

	test('tells of what failed no change', async () => {
		const [failed = ''] = (await rowsOf(details)).filter(row => row.includes('.git/hooks'));
		expect(failed).not.toContain('+2');
	});

	test('tells of a plan only what has changed', async () => {
		const rows = await rowsOf(details);
		expect(rows.filter(row => row.includes('· Test it'))).toHaveLength(1);
	});

	test('shows a long change in part, and says how much there is', async () => {
		const newText = Array.from({length: 100}, (_, index) => `line ${index}\n`).join('');
		const long = tool('Write', 'completed', {diffs: [{path: 'src/long.js', oldText: '', newText}]});
		const rows = await rowsOf([told(1, all, long)], {columns: 100, rows: 70});
		indexOf(rows, 'line 6');
		expect(rows.some(row => row.includes('line 7'))).toBe(false);
		indexOf(rows, '… and 93 more lines');
	});

	test('tells a tool that was never told to have ended as over once its turn is', async () => {
		const screen = await look(large, ['o']);
		expect(screen.frame()).toContain('● bash npm test  12s');
		const ended = events.findIndex(isOfFirst('turn.ended'));
		screen.learn({state: knownOf(events.slice(0, ended + 1)).state});
		expect(screen.frame()).toContain('– bash npm test');
		expect(screen.frame()).not.toContain('● bash');
	});
});

describe('the pane of an agent', () => {
	const paneOf = async (size: Size) => {
		const rows = (await look(size, [])).frame().split('\n');
		const title = rows.findIndex(row => row.startsWith('─ 1 AGT-001'));
		return rows.slice(title + 3).map(row => row.slice(0, 60).trim());
	};

	test('tells words and actions, and counts those of a long run', async () => {
		const rows = await paneOf(large);
		expect(rows.slice(0, 9)).toEqual([
			'I read the clock first.',
			'✓ Read src/clock.js  0.1s',
			'✓ Read src/menu.js  0.1s',
			'✓ Read src/till.js  0.1s',
			expect.stringContaining('Now I write the bucket'),
			'✓ Edit src/bucket.js  2.3s  +2 −1',
			'✗ Write .git/hooks/x',
			'! blocked: git push',
			'',
		]);
		const more = ['a', 'b'].map(id => told(7, all, tool(id, 'completed')));
		const long = await look(large, [], [...details, ...more]);
		expect(long.frame()).toContain('… 3 actions before');
	});

	test('with few rows tells the last of each run, and how many came before', async () => {
		expect((await paneOf(small)).slice(1, 4)).toEqual([
			'… 2 before  ✓ Read src/till.js  0.1s',
			expect.stringContaining('Now I write the bucket'),
			'… 2 before  ! blocked: git push',
		]);
	});

	test('opens by Enter when nothing waits for the person', async () => {
		const known = await knownWith(details);
		const screen = openScreen({...known, state: {...known.state, items: []}});
		screen.press('enter');
		expect(screen.context().view.place).toMatchObject({at: 'agent', agent: 'AGT-001'});
		screen.press('enter');
		expect(screen.notice()).toBe('Nothing waits for you.');
	});
});

describe('what an agent does just now', () => {
	const doing = async (told: readonly ReadDetail[]) => {
		const rows = (await look(small, [], told)).frame().split('\n');
		return rows[4]?.trim();
	};

	test('is the tool that runs, and where in its plan it is', async () => {
		expect(await doing(details)).toBe('● bash npm test  12s  ·  plan 1/3: Write the bucket');
	});

	test('is what it thinks, until it says something', async () => {
		const thought = (offset: number) => [
			told(1, offset, {kind: 'thought', text: 'Hm.\nIt may stand still.\n'}),
		];
		expect(await doing(thought(all))).toBe('thinks: It may stand still.');
		expect(await doing(thought(first))).toBe('I read the clock first.');
		expect(await doing([])).toBe('I read the clock first.');
	});

	test('is since when nothing was heard of it', async () => {
		const silence = {since: '2026-11-21T23:40:00.000Z', during: 'npm test'};
		const {state, ...known} = await knownWith(details);
		const agents = state.agents.map(agent =>
			agent.turn.phase === 'live' ? {...agent, turn: {...agent.turn, silent: silence}} : agent,
		);
		const screen = openScreen({...known, state: {...state, agents}}, {size: small});
		const rows = screen.frame().split('\n');
		expect(rows[4]?.trim()).toBe('no word from it since 23:40:00 UTC, in the middle of: npm test');
	});
});

test.each([small, large])(
	'while its worktree is made, its pane of $columns×$rows and its facts tell how many files are there',
	async size => {
		const words = 'checking out 43,000 of 100,000 files';
		const known = await knownWith([told(-3, 0, {kind: 'preparing', text: words})]);
		const agents = known.state.agents.map(agent => ({
			...agent,
			...{
				state: 'SPAWNING' as const,
				since: awakeAt(later(begun, -5000), known.state.aheadMs),
				progress: null,
				snapshots: [],
			},
			workspace: {phase: 'wanted'} as const,
			turn: {phase: 'none', number: 0} as const,
		}));
		const state = {...known.state, agents, items: []};
		const screen = openScreen({...known, state, now: later(begun, -2000)}, {size});
		expect(screen.frame()).toContain(`\n  starting for 3s: ${words}`);
		screen.press('o', 'a');
		expect(screen.frame()).toContain(words);
	},
);

test('while the setup of its worktree runs, its pane and its transcript show what that prints', () => {
	const state = starting(['AGT-001'], {plan: {setup: ['npm ci']}}).state();
	const tails = {'AGT-001 setup': ['$ npm ci', 'added 96 packages']};
	const screen = openScreen({state, tails});
	expect(screen.frame()).toContain('\n  added 96 packages');
	screen.press('o');
	expect(screen.frame()).toContain('\nadded 96 packages');
});

describe('what is counted of an agent', () => {
	test('stays when its phase is long', async () => {
		const {state, ...known} = await knownWith([]);
		const status = 'joining both changes of src/total.js, the discount first and then the tip';
		const agents = state.agents.map(agent => ({
			...agent,
			state: 'RUNNING' as const,
			updates: {...agent.updates, phase: 'Tip', status},
		}));
		const frame = openScreen({...known, state: {...state, agents}}).frame();
		expect(frame).toMatch(/\ds( · 0 files)? {2}Tip: joining both changes/);
	});

	test('tells no number of files before anybody counted', async () => {
		const {state, ...known} = await knownWith([]);
		const agents = state.agents.map(agent => ({...agent, snapshots: []}));
		expect(openScreen({...known, state: {...state, agents}}).frame()).not.toContain('0 files');
	});
});

describe('what an agent has used up', () => {
	const numbers = async (...told: readonly ReadDetail[]) =>
		(await look(large, ['o'], told)).frame().split('\n')[1];

	test('is counted over all its prompts', async () => {
		const prompt = told(1, 0, {kind: 'tokens', input: 900, output: 50, total: 999});
		expect(await numbers(prompt)).toContain('· 999 tokens ─');
		expect(await numbers(prompt, prompt)).toContain('· 2.0k tokens ─');
		expect(await numbers()).not.toContain('tokens');
	});

	test('counts a cost on that the agent counts itself, also when it starts over', async () => {
		const cost = (amount: number) =>
			told(1, 0, {kind: 'usage', used: 5, size: 10, cost: {amount, currency: 'USD'}});
		expect(await numbers(cost(0.5), cost(0.75))).toContain('· $0.75 · context 50 % ─');
		expect(await numbers(cost(0.5), cost(0.75), cost(0.25))).toContain('· $1.00 ·');
	});

	test('adds up what each run cost', async () => {
		const cost = told(1, 0, {kind: 'tokens', cost: {amount: 0.004, currency: 'USD'}});
		expect(await numbers(cost)).toContain('· $0.0040 ─');
		expect(await numbers(cost, cost, cost)).toContain('· $0.01 ─');
	});
});

test('a line of the telemetry that is torn or of no use is passed over', () => {
	expect(readDetail('{"at":"2026","agent":"AGT-001","turn":1,"kind":"thou')).toBeUndefined();
	expect(readDetail('{"at":"2026","agent":"AGT-001","turn":1,"kind":"new"}')).toBeUndefined();
	expect(readDetail('7')).toBeUndefined();
});

test('what its processes use is shown with its numbers and at its facts, as long as that turn lasts', async () => {
	const load = (turn: number) =>
		told(10, all, {kind: 'load', turn, cpu: 134, memory: 300 * 2 ** 20, processes: 3});
	const board = await look(large, [], [...details, load(1)]);
	expect(board.frame()).toContain('134 % cpu · 300 MB');
	const about = await look(large, ['o', 'a'], [...details, load(1)]);
	expect(about.frame()).toContain('134 % cpu, 300 MB in 3 processes');
	const earlier = await look(large, [], [...details, load(0)]);
	expect(earlier.frame()).not.toContain('134 % cpu');
});

test('what it brings stands at what is known of it: its title and its table of results', () => {
	const session = saying(
		'TITLE: Rate limits\n| Topic | Status | Path | Summary |\n|---|---|---|---|\n| Auth | done | auth.md | Found 12 |\n\n',
		['AGT-001'],
	);
	const screen = openScreen({state: session.state()}, {size: large});
	screen.press('o', 'a');
	const frame = screen.frame();
	expect(frame).toContain('Rate limits');
	expect(frame).toMatch(/Auth.*done.*auth\.md.*Found 12/);
});

describe('what an agent says as a signal', () => {
	const asks = [
		'[CLARIFICATION_NEEDED]',
		'blocked_at: Choosing the login flow',
		'questions:',
		'  - id: auth',
		'    question: "Which auth method?"',
		'    options: [oauth, jwt]',
		'    required: true',
		'[/CLARIFICATION_NEEDED]',
	];

	const saysOf = (...tail: readonly string[]): readonly string[] => {
		const screen = openScreen({...knownOf(events), tails: {'AGT-001': tail}});
		screen.press('o');
		return screen.frame().split('\n');
	};

	test('is a card: what it is, and below that what it holds', () => {
		const rows = saysOf('I read the files.', ...asks, 'And I wait.');
		const from = rows.indexOf('I read the files.');
		expect(rows.slice(from, from + 5)).toEqual([
			'I read the files.',
			'◆ asks: Which auth method?',
			'  blocked at    Choosing the login flow',
			'  options       oauth · jwt',
			'And I wait.',
		]);
	});

	test.each([
		['is only begun', asks.slice(0, -1)],
		[
			'can’t be read',
			['[CLARIFICATION_NEEDED]', 'blocked_at: I ask nothing', '[/CLARIFICATION_NEEDED]'],
		],
	])('is shown as it was said where it %s', (_, tail) => {
		expect(saysOf(...tail)).toEqual(expect.arrayContaining([...tail]));
	});
});

describe('the view of one agent', () => {
	const long = Array.from({length: 60}, (_, index) => `word ${index}`);
	const tails = {'AGT-001': long, 'AGT-002': ['I am the second.']};

	test('says whether its end is followed, and which key leads there', () => {
		const screen = openScreen({...knownOf(events), tails});
		screen.press('o');
		expect(screen.frame()).toMatch(/following {2}\d+–60 of 60 ─/);
		screen.press('pageUp');
		expect(screen.frame()).toMatch(/\d+–\d+ of 60 ↓ End: follow ─/);
	});

	test.each(['tab', '2'])('goes to the next agent by %s', key => {
		const screen = openScreen({...knownOf(events), tails});
		screen.press('o', key);
		expect(screen.frame()).toContain('I am the second.');
		screen.press('shift+tab');
		expect(screen.frame()).toContain('word 59');
	});

	test('says so where it has changed nothing yet', () => {
		const screen = openScreen({...knownOf(events), tails});
		screen.press('o', 'd');
		screen.learn({resources: resourcesOf(screen.context(), '')});
		expect(screen.frame()).toContain('It has changed nothing yet.');
	});
});
