import type {Model} from '../../src/client/model.ts';
import {keyText} from '../../src/client/resources/resources.ts';
import type {Body} from '../../src/events/event.ts';
import {printShown, type ShownFile, type ShownWork} from '../../src/rules/by-hand/hunk-lines.ts';
import type {PushOffer} from '../../src/rules/push-offer.ts';
import type {Signal} from '../../src/signals/index.ts';
import type {Agent} from '../../src/state/agent/agent.ts';
import type {Item} from '../../src/state/item.ts';
import type {State} from '../../src/state/state.ts';
import {resourcesFor} from '../../src/tui/controller.ts';
import {beginComposition, beginJoining, fieldsOf} from '../../src/tui/plan/composition.ts';
import {firstAgent} from '../../src/tui/plan/desk.ts';
import type {Size} from '../../src/tui/terminal/full-screen.ts';
import {asks, checkpoint, completed, working} from '../helpers/given.ts';
import {scopeLeft} from '../helpers/happened.ts';
import {mergedWhileLasting} from '../helpers/merging.ts';
import {subtask} from '../helpers/plan.ts';
import {collidingState} from './a-collision.ts';
import {
	aDiff,
	aSurfaceDiff,
	having,
	knownAfter,
	knownOf,
	openItem,
	openScreen,
	recorded,
	replay,
	resourcesOf,
	shownAs,
	small,
	type TestScreen,
	whenFirst,
	whileChecked,
	withSurface,
} from './a-screen.ts';
import {composeTwo, desk, openForm} from './plan/a-form.ts';

type Known = Pick<Model, 'state' | 'log' | 'tails'> & Partial<Model>;

/** A view, as it comes of a recorded session and keys. */
export type Case = {
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
	const places = [{path: 'test/tip.test.js', line: 41, text: output.at(-1) ?? ''}];
	const known = await whenFirst('check-fails', 'verify', event =>
		event.kind === 'verify.ended' ? {...event, places} : event,
	);
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

/** Every view that has a frame of its own. */
export const cases: readonly Case[] = [
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

/** What a push would do. */
export const offer: PushOffer = {
	...{session: 'DEL-1', commit: '253a2b5454'.repeat(4), subject: 'Rate-limit the API'},
	target: 'main',
	...{remote: 'origin', url: 'git@example.org:team/shop.git', branch: 'main', commits: 2},
	...{push: ['push', 'origin', 'main'], commands: ['git push origin main'], canRequest: true},
};

/** Opens a view that has a frame of its own. */
export const opened = async (
	{known, at, keys = [], diff = aDiff}: Case,
	size: Size,
): Promise<TestScreen> => {
	const screen = openScreen(await known(), {size});
	if (at !== undefined) {
		openItem(screen, at);
	}

	screen.press(...keys);
	learnAll(screen, diff);
	return screen;
};

/** A file that two agents changed, in two hunks. */
export const aFile: ShownFile = {
	steps: [],
	remarks: [],
	whole: false,
	hunks: [2, 40].map(line => ({
		line,
		section: 'export const limit',
		...{before: ['const one = 1;'], left: ['left();'], base: [], right: ['right();']},
		...{after: [], open: []},
	})),
};

export const aWork: ShownWork = {
	work: 'w0',
	files: [
		{path: 'src/a.js', hunks: [{line: 1, section: '', lines: ['-one', '+two']}]},
		{path: 'src/new.js', whole: 'new file', hunks: [{line: 1, section: '', lines: ['+new']}]},
	],
};

/** Lets everything come that the screen asks for. */
export const learnAll = (screen: TestScreen, diff = aDiff): void => {
	const resources = resourcesFor(screen.context()).flatMap(key =>
		key.what.of === 'hunks' || key.what.of === 'parts'
			? [[keyText(key), shownAs(printShown(key.what.of === 'hunks' ? aFile : aWork))]]
			: [],
	);
	screen.learn({
		resources: {
			...screen.context().model.resources,
			...resourcesOf(screen.context(), diff),
			...Object.fromEntries(resources),
		},
	});
};

/** A view by its name, as somebody comes to it. */
export type View = {readonly name: string; readonly open: () => Promise<TestScreen>};

/** Presses keys one by one; what each asks for comes before the next. */
const pressed = (screen: TestScreen, ...keys: readonly string[]): TestScreen => {
	for (const key of keys) {
		screen.press(key);
		learnAll(screen);
	}

	return screen;
};

const seen = (name: string, ...keys: readonly string[]): View => {
	const found = cases.find(one => one.name === name);
	if (found === undefined) {
		throw new Error(`No view has the name ${name}.`);
	}

	return {
		name: [name, ...keys].join(' '),
		open: async () => pressed(await opened(found, small), ...keys),
	};
};

const of = (name: string, open: () => TestScreen | Promise<TestScreen>): View => ({
	name,
	open: async () => pressed(await open()),
});

const questions = '{question: Which auth?, options: [a, b], multi: true}, {question: Which port?}';

/** Agents that ask the same. */
const alike = (asked = questions): State => {
	const session = working(['AGT-001', 'AGT-002']);
	session.says('AGT-001', asks(asked));
	session.says('AGT-002', asks(asked));
	return session.state();
};

const atForm = (...keys: readonly string[]): TestScreen => {
	const screen = openScreen({state: alike()});
	openItem(screen, 'question');
	return pressed(screen, ...keys);
};

const reverted = (): TestScreen => {
	const session = completed(['AGT-001']);
	session.tell(scopeLeft('lib/x.ts'));
	const screen = openScreen({state: session.state()});
	openItem(screen, 'review');
	return pressed(screen, 'R');
};

const restored = (): TestScreen => {
	const session = working(['AGT-001']);
	session.says('AGT-001', checkpoint('Status: IN_PROGRESS'));
	session.work();
	const screen = openScreen({state: session.state()});
	openItem(screen, 'checkpoint');
	return pressed(screen, 'down', 'down', 'down', 'P');
};

const undone = (): TestScreen => {
	const session = mergedWhileLasting();
	const commit = session.state().publications[0]?.built.commit ?? '';
	session.tell({kind: 'merge.undone', commit, from: commit, to: 'base'});
	return openScreen({state: session.state()});
};

/** Opens something that waits as it is when more has happened, or more is known of it. */
const given = (
	kind: Item['kind'],
	known: () => Promise<Known>,
	change: (state: State) => State,
	...keys: readonly string[]
): View =>
	of([kind, ...keys].join(' '), async () => {
		const {state, ...rest} = await known();
		const screen = openScreen({...rest, state: change(state)});
		openItem(screen, kind);
		return pressed(screen, ...keys);
	});

const changedAgents = (state: State, change: Partial<Agent>): State => ({
	...state,
	agents: state.agents.map(agent => ({...agent, ...change})),
});

/** A result whose message was proposed, and of whose types only some could be checked. */
const unlooked = (state: State): State => {
	const {merge} = state;
	return merge.phase === 'verified'
		? {
				...state,
				merge: {
					...merge,
					built: {
						...merge.built,
						message: 'Limit it',
						looked: {
							...{outcome: 'compared', merges: 1, unread: 0},
							oracles: [{name: 'TypeScript', version: '7', ms: 1, isOverBudget: true}],
						},
					},
				},
			}
		: state;
};

const denied: Body = {
	...{kind: 'access.denied', agent: 'AGT-001', turn: 1, path: '/srv/a', to: 'read'},
};

const lookedAtTwice = (): TestScreen => {
	const session = working(['AGT-001']);
	session.says('AGT-001', checkpoint('Status: IN_PROGRESS'));
	session.work();
	session.decide(session.item('checkpoint').id, 'continue');
	const [taken] = session.events().filter(({kind}) => kind === 'snapshot.taken');
	const screen = pressed(openScreen({state: session.state()}), 'o', 'd', 'j');
	if (taken?.kind === 'snapshot.taken') {
		session.tell({...taken, number: 2, work: 'w2', commit: 'c2', reason: 'change:2'});
	}

	screen.learn({state: session.state()});
	return pressed(screen, 'j');
};

const rivalsOf = (ids: readonly string[]): TestScreen => {
	const session = working(ids.map(id => subtask(id, {bestOf: 'AGT-001'})));
	for (const id of ids) {
		session.finishes(id);
	}

	const screen = openScreen({state: session.state()});
	openItem(screen, 'review');
	return screen;
};

const joining = (purpose: 'add' | 'edit'): TestScreen =>
	openForm({
		known: {purpose},
		composition: beginJoining(beginComposition('Limit it', firstAgent(desk)), {
			...{id: 'AGT-002', agent: 'claude', words: ''},
		}),
	});

const atFrom = (): TestScreen => {
	const form = pressed(openForm(), 'esc', 'a');
	const {place} = form.context().view;
	const fields = place.at === 'plan' ? fieldsOf(place.composition) : [];
	return pressed(form, ...Array(fields.findIndex(({part}) => part === 'from')).fill('down'));
};

/** Every view that a person can come to: those with frames of their own, and what keys make of them. */
export const views: readonly View[] = [
	...cases.map(({name}) => seen(name)),
	seen('board', 'Z'),
	seen('board', 'w'),
	seen('board', 'A'),
	seen('board', 'X'),
	seen('board', ':'),
	seen('board', '+'),
	seen('board', 'h'),
	seen('question', 'esc'),
	seen('inbox', '/'),
	seen('log', '&'),
	seen('agent', 'd'),
	seen('agent', 'a'),
	seen('review', 'C'),
	seen('review', 'C', 'enter'),
	seen('review', 'f'),
	seen('review', 'p'),
	seen('failure', 'p'),
	seen('conflict', 'P'),
	seen('approval', 'y'),
	of('two questions', () => atForm()),
	of('the second question', () => atForm('tab')),
	of('two questions, for all', () => atForm('a', 'down', 'space', 'tab', 'w')),
	of('what was reverted', reverted),
	of('a set-back', restored),
	of('rivals', () => rivalsOf(['AGT-001', 'AGT-002', 'AGT-003'])),
	of('two rivals', () => rivalsOf(['AGT-001', 'AGT-002'])),
	of('parts of a rival', () => pressed(rivalsOf(['AGT-001', 'AGT-002']), 'w')),
	of('parts of one of three', () =>
		pressed(rivalsOf(['AGT-001', 'AGT-002', 'AGT-003']), 'down', 'down', 'enter'),
	),
	of('a merge taken back', undone),
	seen('review', '/', 'c', 'enter'),
	given(
		'conflict',
		() => knownAfter('conflict-by-hand', 'resolution.opened'),
		state => state,
	),
	given('approval', () => whenFirst('check-fails', 'approval'), unlooked),
	given('blocker', blockedInFull, state =>
		having(state, {
			...{kind: 'user.decided', item: 'b-1', choice: 'run', note: 'npm run db', by: 'user'},
		}),
	),
	given(
		'failure',
		() => whenFirst('crashes-and-retries', 'failure'),
		state => changedAgents(state, {loginWays: [{id: 'key', title: 'a key'}]}),
	),
	given('scope', asking, state => having(state, denied)),
	given('question', asking, () => alike('{question: Which auth?, options: [a, b]}')),
	given(
		'review',
		() => whenFirst('questions-and-checkpoints', 'review'),
		state =>
			changedAgents(state, {
				report: {
					...{kind: 'completion_report', line: 1, status: 'success', deliverables: []},
					recommendations: ['Test it'],
				},
			}),
	),
	of('a question that is gone', async () => {
		const screen = openScreen(await asking());
		openItem(screen, 'question');
		screen.learn({state: {...screen.context().model.state, items: []}});
		return screen;
	}),
	of('an agent that is paused', async () => {
		const screen = openScreen(await asking());
		screen.happens({kind: 'user.steered', agent: 'AGT-001', order: {verb: 'pause'}});
		return screen;
	}),
	of('the board with a question', () => openScreen({state: alike()})),
	of('a work that was looked at', lookedAtTwice),
	of('a command that is written', () => {
		const session = working(['AGT-001']);
		const commands = [{name: 'compact', description: 'Summarize it'}];
		session.tell({kind: 'commands.announced', agent: 'AGT-001', commands});
		return pressed(openScreen({state: session.state()}), 'w', '/');
	}),
	of('a push that is offered', async () => {
		const screen = openScreen(knownOf(await recorded('check-fails')));
		screen.take({kind: 'push-offered', offer});
		return screen;
	}),
	of('a recording', async () =>
		openScreen({...knownOf(await recorded('check-fails')), mode: replay}),
	),
	of('hunks', async () => {
		const screen = openScreen(await knownAfter('conflict-by-hand', 'resolution.opened'));
		openItem(screen, 'conflict');
		return pressed(screen, 'm');
	}),
	of('a plan', () => openForm()),
	of('a task alone', () =>
		pressed(openForm({task: 'Limit it', known: {ready: ['claude', 'codex']}}), 'esc'),
	),
	of('a plan that is changed', () => pressed(joining('edit'), 'esc')),
	of('a conversation to go on from', () => atFrom()),
	of('conversations that are listed', () => pressed(atFrom(), 'ctrl+t')),
	of('a scope', () => pressed(composeTwo(openForm()), 'up', 'up')),
	of('an agent that joins', () => pressed(joining('add'), 'esc')),
	of('a plan of two', () => composeTwo(openForm())),
	of('a plan that is saved', () => pressed(composeTwo(openForm()), 's')),
	of('a plan that is run', () => pressed(composeTwo(openForm()), 'ctrl+r')),
	of('a plan that is left', () => pressed(composeTwo(openForm()), 'q')),
	of('a scope that is picked', () =>
		pressed(composeTwo(openForm()), 'up', 'up', 'enter', 'ctrl+t'),
	),
	of('a plan that is proposed', () => pressed(openForm({task: 'Limit the API'}), 'esc', 'P')),
];
