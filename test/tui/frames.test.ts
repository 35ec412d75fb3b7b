import {describe, expect, test} from 'vitest';
import type {Model} from '../../src/client/model.ts';
import type {Body} from '../../src/events/event.ts';
import type {Signal} from '../../src/signals/index.ts';
import type {Item} from '../../src/state/item.ts';
import type {Size} from '../../src/tui/terminal/full-screen.ts';
import {collidingState} from './a-collision.ts';
import {expectAsBefore, expectToFit} from './a-frame.ts';
import {
	aDiff,
	aSurfaceDiff,
	having,
	knownOf,
	large,
	openAt,
	openItem,
	openScreen,
	recorded,
	resourcesOf,
	small,
	whenFirst,
	whileChecked,
	withSurface,
} from './a-screen.ts';

type Known = Pick<Model, 'state' | 'log' | 'tails'> & Partial<Model>;

/** A view, as it comes of a recorded session and keys. */
type Case = {
	readonly name: string;
	readonly known: () => Promise<Known>;
	/** What the person goes to first; they stay on the board without it. */
	readonly at?: Item['kind'];
	readonly keys?: readonly string[];
	/** What all its diffs hold; `aDiff` unless it says something else. */
	readonly diff?: string;
};

const asking = () => whenFirst('questions-and-checkpoints', 'question');

/** What is known when these things happened while a question waits. */
const askingAfter = async (...bodies: readonly Body[]): Promise<Known> => {
	const known = await asking();
	return {...known, state: bodies.reduce(having, known.state)};
};

const item = (kind: Item['kind'], journal: string): Case => ({
	name: kind,
	known: () => whenFirst(journal, kind),
	at: kind,
});

const ofSurface = (
	name: string,
	kind: 'review' | 'approval',
	...keys: readonly string[]
): Case => ({name, known: () => withSurface(kind), at: kind, keys, diff: aSurfaceDiff});

/** A recording of it would have to wait for a limit of at least a minute. */
const limited = () =>
	askingAfter({
		kind: 'deadline.passed',
		deadline: {of: 'limit', agent: 'AGT-001', timeoutMs: 0, turn: 1},
	});

const permissionAsked = () =>
	askingAfter({
		kind: 'permission.asked',
		agent: 'AGT-001',
		turn: 1,
		request: 'r1',
		title: 'Run the tests',
		command: 'npm test -- --watch=false',
		paths: [],
	});

/** What a test runner prints; more than a small screen holds. */
const output = [
	'$ grep -q right src/first.txt',
	'TAP version 13',
	...Array.from({length: 40}, (_, index) => `ok ${index + 1} - order ${index + 1} is rung up`),
	'not ok 41 - a guest who tips twice over a discounted order is charged once for the discount',
];

const checked = () => whileChecked('check-fails', output);

const checkFailed = async () => {
	const known = await whenFirst('check-fails', 'verify');
	return {...known, tails: {...known.tails, verify: output}, checkLog: '/sessions/verify/22.log'};
};

/** A check that failed, of which it is known whose work it is, while the rest is being looked at. */
const charged = async () => {
	const known = await checkFailed();
	const {merge} = known.state;
	const since = merge.phase === 'verified' ? (merge.verified.parts?.since ?? 0) : 0;
	const told = (agents: readonly string[], outcome: 'green' | 'red') =>
		({kind: 'part.checked', since, agents, tree: agents.join(), outcome, log: null}) as const;
	const all = told(['AGT-001', 'AGT-002'], 'red');
	const state = [all, told([], 'green'), told(['AGT-001'], 'red')].reduce(having, known.state);
	const tails = {...known.tails, [`${since}-AGT-002`]: ['$ npm test', 'TAP version 13']};
	return {...known, state, tails};
};

/** An agent that went beyond its scope twice before it stopped. */
const strayed = async () => {
	const known = await whenFirst('blockers-and-requests', 'blocker');
	const left = {kind: 'scope.left', agent: 'AGT-001', why: 'not allowed'} as const;
	const revert = having(known.state, {
		...left,
		path: 'test/total.test.js',
		change: 'modified',
		patch: 'AGT-001/aside/1.patch',
	});
	return {
		...known,
		state: having(revert, {...left, path: 'git push origin HEAD', change: 'refused', patch: ''}),
	};
};

/** Agents that say all that can be said of what keeps them. */
const saying = (signal: Signal): Promise<Known> =>
	askingAfter({kind: 'signal.said', agent: 'AGT-001', turn: 1, signal, offset: 0});

const blockedInFull = () =>
	saying({
		kind: 'stop_work',
		line: 1,
		blocker_type: 'external_dependency',
		stop_reason: 'the suite needs a database',
		details: 'Nothing listens on port 5432.',
		blocked_work: 'The tests of the limiter',
		resume_requirements: 'Run `npm run db`, or tell me another port',
		state_snapshot: {completed: ['limiter', 'middleware'], files: ['src/limit.ts'], next: 'tests'},
	});

const askedInFull = () =>
	saying({
		kind: 'clarification_needed',
		line: 1,
		blocked_at: 'Choosing the login flow',
		current_state: 'Read 12 of 30 files',
		questions: [
			{
				id: 'Q1',
				question: 'Which login is to be limited?',
				context: 'Both are in use; the older one has no tests.',
				options: ['OAuth 2', 'sessions'],
				type: 'choice',
				required: true,
			},
		],
		all_required: true,
	});

const colliding = async (): Promise<Known> => ({state: collidingState, log: [], tails: {}});

const cases: readonly Case[] = [
	{name: 'board', known: asking},
	{name: 'inbox', known: asking, keys: ['i']},
	{name: 'agent', known: asking, keys: ['o']},
	{name: 'log', known: asking, keys: ['l']},
	{name: 'keys', known: asking, keys: ['?']},
	{name: 'matrix', known: colliding, keys: ['m']},
	{name: 'findings', known: colliding, keys: ['m', 'enter']},
	item('plan', 'questions-and-checkpoints'),
	item('question', 'questions-and-checkpoints'),
	item('checkpoint', 'questions-and-checkpoints'),
	item('review', 'questions-and-checkpoints'),
	item('blocker', 'blockers-and-requests'),
	{name: 'blocker-in-full', known: blockedInFull, at: 'blocker'},
	{name: 'blocker-to-be-run', known: blockedInFull, at: 'blocker', keys: ['x']},
	{name: 'question-in-full', known: askedInFull, keys: ['i', 'down', 'down', 'enter']},
	item('delegation', 'blockers-and-requests'),
	item('scope', 'blockers-and-requests'),
	item('failure', 'crashes-and-retries'),
	item('conflict', 'conflict-by-hand'),
	item('verify', 'check-fails'),
	{name: 'verify-charged', known: charged, at: 'verify'},
	item('approval', 'check-fails'),
	{name: 'limit', known: limited, at: 'limit'},
	{name: 'permission', known: permissionAsked, at: 'permission'},
	ofSurface('review-of-what-runs', 'review'),
	ofSurface('approval-of-what-runs', 'approval'),
	ofSurface('approval-asked-again', 'approval', 'y'),
	{name: 'board-while-checked', known: checked},
	{name: 'board-after-merge', known: async () => knownOf(await recorded('check-fails'))},
	{name: 'check', known: checked, keys: ['enter']},
	{name: 'check-failed', known: checkFailed, keys: ['enter', 'v']},
	{name: 'board-after-strays', known: strayed},
	{name: 'blocker-after-strays', known: strayed, at: 'blocker'},
];

const drawn = async ({known, at, keys = [], diff = aDiff}: Case, size: Size): Promise<string> => {
	const screen = openScreen(await known(), {size});
	if (at !== undefined) {
		openItem(screen, at);
	}

	screen.press(...keys);
	screen.learn({resources: resourcesOf(screen.context(), diff)});
	return screen.frame();
};

describe.each([small, large])('on a screen of $columns×$rows', size => {
	test.each(cases)('$name looks as it did when a person last looked at it', async view => {
		await expectAsBefore(view.name, await drawn(view, size), size);
	});
});

test('the board of a screen between them looks as it did then, too', async () => {
	const size = {columns: 120, rows: 40};
	await expectAsBefore('board', await drawn({name: 'board', known: asking}, size), size);
});

test.each([
	{columns: 60, rows: 16},
	{columns: 61, rows: 40},
	{columns: 99, rows: 17},
	{columns: 140, rows: 24},
	{columns: 300, rows: 90},
])('every view fits $columns×$rows', async size => {
	for (const view of cases) {
		expectToFit(await drawn(view, size), size, view.name);
	}
});

test('a screen that is too small says so, and takes no key but the one to leave', async () => {
	const screen = openAt('approval', await whenFirst('check-fails', 'approval'));
	screen.take({kind: 'resize', size: {columns: 59, rows: 15}});
	expect(screen.frame()).toContain('This window is too small.');
	screen.take({kind: 'resize', size: {columns: 40, rows: 10}});
	await expectAsBefore('too-small', screen.frame(), {columns: 40, rows: 10});
	screen.press('y');
	expect(screen.effects()).toEqual([]);
	screen.press('q');
	expect(screen.effects()).toEqual([{do: 'leave'}]);
});

test('how to leave is seen in a window of any size', async () => {
	const screen = openScreen(await whenFirst('check-fails', 'approval'));
	for (const size of [
		{columns: 20, rows: 5},
		{columns: 40, rows: 8},
		{columns: 200, rows: 7},
	]) {
		screen.take({kind: 'resize', size});
		expect([size, screen.frame()]).toEqual([size, expect.stringMatching(/q\s+leaves\./)]);
	}
});
